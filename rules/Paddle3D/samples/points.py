"""KITTI's layout, made small: velodyne/*.bin, label_2, calib, image_2, ImageSets/train.txt.

Boxes, points and picture show the same car: the camera's matrix fits the picture's size.
"""

from __future__ import annotations

import array
from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

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


def _seen(forward: float, side: float, size: int) -> tuple[int, int, int, int]:
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


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Ground points and one car of points a scene; `size` is the camera picture's height."""
    random = seeded(seed)
    training = folder / "training"
    for name in ("velodyne", "label_2", "calib", "image_2"):
        (training / name).mkdir(parents=True, exist_ok=True)
    for index in range(count):
        forward, side = random.uniform(8, 30), random.uniform(-5, 5)
        cloud = array.array("f")
        for _ in range(POINTS):
            cloud.extend((random.uniform(2, 60), random.uniform(-20, 20), -1.7, random.random()))
        for _ in range(POINTS // 8):
            cloud.extend(
                (
                    forward + random.uniform(-LENGTH / 2, LENGTH / 2),
                    side + random.uniform(-WIDTH / 2, WIDTH / 2),
                    random.uniform(-FLOOR, HEIGHT - FLOOR),
                    random.random(),
                )
            )
        name = f"{index:06d}"
        (training / "velodyne" / f"{name}.bin").write_bytes(cloud.tobytes())
        box = _seen(forward, side, size)
        place = f"{-side:.2f} {FLOOR:.2f} {forward:.2f}"
        # Turned by a quarter: the car's length lies along the view.
        (training / "label_2" / f"{name}.txt").write_text(
            f"Car 0.00 0 0.00 {box[0]}.00 {box[1]}.00 {box[2]}.00 {box[3]}.00 "
            f"{HEIGHT:.2f} {WIDTH:.2f} {LENGTH:.2f} {place} -1.57\n"
        )
        (training / "calib" / f"{name}.txt").write_text(_calibration(size))
        picture = Picture.noise(random, 3 * size, size)
        picture.box(*box, colour_of(index))
        picture.save(training / "image_2" / f"{name}.png")
    sets = folder / "ImageSets"
    sets.mkdir(exist_ok=True)
    names = [f"{index:06d}\n" for index in range(count)]
    for part, chosen in (
        ("train", names),
        ("trainval", names),
        ("val", names[: max(1, count // 8)]),
    ):
        (sets / f"{part}.txt").write_text("".join(chosen))
