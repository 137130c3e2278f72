"""Point clouds in KITTI's layout: velodyne/*.bin, label_2, calib, image_2, ImageSets/train.txt."""

from __future__ import annotations

import array
from typing import TYPE_CHECKING

from codemod.data_gen.pictures import Picture
from codemod.data_gen.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

POINTS = 2000
_ROWS = {
    "P0": "700 0 600 0 0 700 180 0 0 0 1 0",
    "P1": "700 0 600 0 0 700 180 0 0 0 1 0",
    "P2": "700 0 600 0 0 700 180 0 0 0 1 0",
    "P3": "700 0 600 0 0 700 180 0 0 0 1 0",
    "R0_rect": "1 0 0 0 1 0 0 0 1",
    "Tr_velo_to_cam": "0 -1 0 0 0 0 -1 0 1 0 0 0",
    "Tr_imu_to_velo": "1 0 0 0 0 1 0 0 0 0 1 0",
}


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
                    forward + random.uniform(-2, 2),
                    side + random.uniform(-0.8, 0.8),
                    random.uniform(-1.6, 0),
                    random.random(),
                )
            )
        name = f"{index:06d}"
        (training / "velodyne" / f"{name}.bin").write_bytes(cloud.tobytes())
        place = f"{-side:.2f} 1.60 {forward:.2f}"
        (training / "label_2" / f"{name}.txt").write_text(
            f"Car 0.00 0 0.00 100.00 50.00 200.00 120.00 1.50 1.60 3.90 {place} 0.00\n"
        )
        calib = "".join(f"{key}: {value}\n" for key, value in _ROWS.items())
        (training / "calib" / f"{name}.txt").write_text(calib)
        Picture.noise(random, 3 * size, size).save(training / "image_2" / f"{name}.png")
    sets = folder / "ImageSets"
    sets.mkdir(exist_ok=True)
    names = [f"{index:06d}\n" for index in range(count)]
    for part, chosen in (
        ("train", names),
        ("trainval", names),
        ("val", names[: max(1, count // 8)]),
    ):
        (sets / f"{part}.txt").write_text("".join(chosen))
