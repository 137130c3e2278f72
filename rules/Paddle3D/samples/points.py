"""KITTI's layout, made small: velodyne/*.bin, label_2, calib, image_2, ImageSets/train.txt.

Boxes, points and picture show the same car: the camera's matrix fits the picture's size.
"""

from __future__ import annotations

import array
from random import Random

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Box, Picture, colour_of

POINTS = 2000
# A car as KITTI has it in the middle: height, width, length in metres; its floor is 1.6 m below
# the camera.
HEIGHT, WIDTH, LENGTH, FLOOR = 1.5, 1.6, 3.9, 1.6
_FIXED = {
    "R0_rect": "1 0 0 0 1 0 0 0 1",
    "Tr_velo_to_cam": "0 -1 0 0 0 0 -1 0 1 0 0 0",
    "Tr_imu_to_velo": "1 0 0 0 0 1 0 0 0 0 1 0",
}


def _calibration(size: int) -> str:
    """A camera that looks ahead at a picture of 3 * `size` x `size` pixels."""
    camera = f"{_focal(size)} 0 {1.5 * size} 0 0 {_focal(size)} {0.5 * size} 0 0 0 1 0"
    rows = {**{f"P{number}": camera for number in range(4)}, **_FIXED}
    return "".join(f"{key}: {value}\n" for key, value in rows.items())


def _focal(size: int) -> float:
    return 1.8 * size


def _seen(forward: float, side: float, size: int) -> Box:
    """Left, top, right, bottom of the car's near end in the picture; `side` is to the left."""
    scale, near = _focal(size), forward - LENGTH / 2
    left = 1.5 * size + scale * (-side - WIDTH / 2) / near
    right = 1.5 * size + scale * (-side + WIDTH / 2) / near
    top = 0.5 * size + scale * (FLOOR - HEIGHT) / near
    bottom = 0.5 * size + scale * FLOOR / near
    return (
        max(0, int(left)),
        max(0, int(top)),
        min(3 * size, int(right) + 1),
        min(size, int(bottom) + 1),
    )


def _cloud(random: Random, forward: float, side: float) -> bytes:
    """Points of four numbers each: the ground around, and the car."""
    cloud = array.array("f")
    for _ in range(POINTS):
        cloud.extend((random.uniform(2, 60), random.uniform(-20, 20), -1.7, random.random()))
    for _ in range(POINTS // 8):
        ahead = forward + random.uniform(-LENGTH / 2, LENGTH / 2)
        beside = side + random.uniform(-WIDTH / 2, WIDTH / 2)
        above = random.uniform(-FLOOR, HEIGHT - FLOOR)
        cloud.extend((ahead, beside, above, random.random()))
    return cloud.tobytes()


def generate(samples: Samples) -> None:
    """Ground points and one car of points a scene; `size` is the camera picture's height."""
    random, size = samples.random, samples.size
    names = [f"{index:06d}" for index in range(samples.count)]
    for index, name in enumerate(names):
        forward, side = random.uniform(8, 30), random.uniform(-5, 5)
        samples.write(f"training/velodyne/{name}.bin", _cloud(random, forward, side))
        box = _seen(forward, side, size)
        place = f"{-side:.2f} {FLOOR:.2f} {forward:.2f}"
        # Turned by a quarter: the car's length lies along the view.
        samples.write(
            f"training/label_2/{name}.txt",
            f"Car 0.00 0 0.00 {box[0]}.00 {box[1]}.00 {box[2]}.00 {box[3]}.00 "
            f"{HEIGHT:.2f} {WIDTH:.2f} {LENGTH:.2f} {place} -1.57\n",
        )
        samples.write(f"training/calib/{name}.txt", _calibration(size))
        picture = Picture.noise(random, 3 * size, size)
        picture.box(*box, colour_of(index))
        samples.write(f"training/image_2/{name}.png", picture.png())
    samples.write_lists(names, "ImageSets/train.txt", "ImageSets/val.txt")
    samples.write_lines("ImageSets/trainval.txt", names)
