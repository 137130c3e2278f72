"""SemanticKITTI's layout, made small: sequences/NN/velodyne/*.bin with labels/*.label.

A scan is a street seen by a turning laser: road and grass below, buildings around, two cars.
"""

from __future__ import annotations

import array
import math
from random import Random

from codemod.training.samples.making import Samples

# Rays a turn, at so many heights; the kit's picture of a scan is 1024 x 64.
TURN, HEIGHTS = 256, 32
# The laser looks from 25 degrees below the horizon to 3 above it, from 1.7 m above the road.
_LOW, _HIGH, _ABOVE = math.radians(-25), math.radians(3), 1.7
# The data set's own numbers.
CAR, ROAD, BUILDING, GRASS = 10, 40, 50, 70
_ROAD_HALF_M, _WALL_M, _CAR_M = 6.0, 20.0, 2.0


def _seen(yaw: float, pitch: float, cars: list[float]) -> tuple[float, int]:
    """Metres to what a ray meets, and what that is; a car stands 8 m away in each of `cars`."""
    if any(abs(math.remainder(yaw - car, math.tau)) < _CAR_M / 8 for car in cars) and pitch < 0:
        return 8.0, CAR
    ground = _ABOVE / math.tan(-pitch) if pitch < 0 else math.inf
    if ground < _WALL_M:
        side = abs(ground * math.sin(yaw))
        return ground / math.cos(pitch), ROAD if side < _ROAD_HALF_M else GRASS
    return _WALL_M, BUILDING


def _scan(random: Random) -> tuple[array.array[float], array.array[int]]:
    """Points of four numbers each (metres, and how bright), and a label for each."""
    cars = [random.uniform(-math.pi, math.pi) for _ in range(2)]
    points, labels = array.array("f"), array.array("I")
    for turn in range(TURN):
        yaw = math.tau * (turn + random.random()) / TURN - math.pi
        for height in range(HEIGHTS):
            pitch = _LOW + (_HIGH - _LOW) * (height + random.random()) / HEIGHTS
            far, label = _seen(yaw, pitch, cars)
            flat = far * math.cos(pitch)
            place = (flat * math.cos(yaw), flat * math.sin(yaw), far * math.sin(pitch))
            points.extend((*place, random.random()))
            labels.append(label)
    return points, labels


def generate(samples: Samples) -> None:
    """`count` scans in the first sequence, and one in the eighth; `size` says nothing here."""
    for sequence, scans in (("00", samples.count), ("08", 1)):
        for index in range(scans):
            points, labels = _scan(samples.random)
            samples.write(f"sequences/{sequence}/velodyne/{index:06d}.bin", points.tobytes())
            samples.write(f"sequences/{sequence}/labels/{index:06d}.label", labels.tobytes())
