"""CIFAR-100's archive in small: pictures of 32 x 32 pixels, of a hundred kinds.

home/ stands for the user's: there lies the archive, where Paddle keeps what it fetches.
"""

from __future__ import annotations

import gzip
import io
import pickle
import tarfile

from codemod.training.samples.making import Samples

ARCHIVE = "home/.cache/paddle/dataset/cifar/cifar-100-python.tar.gz"
KINDS = 100
CHANNELS = 3


def generate(samples: Samples) -> None:
    """`count` pictures to train on and an eighth to test with; noise around a grey of the kind."""
    count, random = samples.count, samples.random
    values = CHANNELS * samples.size * samples.size
    path = samples.folder / ARCHIVE
    path.parent.mkdir(parents=True, exist_ok=True)
    # Without the time of day: one seed, one file.
    packed = gzip.GzipFile(path, "wb", mtime=0)
    with packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for part, number in (("train", count), ("test", max(1, count // 8))):
            kinds = [random.randrange(KINDS) for _ in range(number)]
            pictures = [[kind + random.randrange(KINDS) for _ in range(values)] for kind in kinds]
            content = pickle.dumps({b"data": pictures, b"fine_labels": kinds}, protocol=2)
            entry = tarfile.TarInfo(f"cifar-100-python/{part}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
