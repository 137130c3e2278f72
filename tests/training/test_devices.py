"""Device choice and the architecture check, without any GPU."""

from __future__ import annotations

import pytest

from codemod.base.errors import EnvironmentFault, UsageError
from codemod.training.devices import KNOWN_ARCHS, Build, choose, supports, wants_gpu_build

CPU = Build("2.6.2", cuda=False, archs=())
GPU = Build("2.6.2", cuda=True, archs=KNOWN_ARCHS["2.6.2"])


@pytest.mark.parametrize(
    ("arch", "runs"), [(61, True), (75, True), (86, True), (89, True), (90, False), (60, False)]
)
def test_which_architectures_the_indexs_build_runs_on(arch: int, runs: bool) -> None:
    assert supports(GPU, arch) is runs


@pytest.mark.parametrize(
    ("asked", "build", "archs", "device"),
    [
        ("auto", CPU, [80], "cpu"),
        ("auto", GPU, [], "cpu"),
        ("auto", GPU, [80], "gpu:0"),
        ("auto", GPU, [90, 80], "gpu:1"),
        ("auto", GPU, [90], "cpu"),
        ("cpu", GPU, [80], "cpu"),
        ("gpu", GPU, [75], "gpu:0"),
        ("gpu:1", GPU, [90, 86], "gpu:1"),
    ],
)
def test_choice(asked: str, build: Build, archs: list[int], device: str) -> None:
    assert choose(asked, build, archs) == device


def test_reasons() -> None:
    with pytest.raises(EnvironmentFault, match="sm_90: no kernel would run"):
        choose("gpu", GPU, [90])
    with pytest.raises(EnvironmentFault, match="There is no GPU 1"):
        choose("gpu:1", GPU, [80])
    with pytest.raises(EnvironmentFault, match="CPU build"):
        choose("gpu", CPU, [80])
    with pytest.raises(UsageError, match="no device 'tpu'"):
        choose("tpu", GPU, [80])


@pytest.mark.parametrize(
    ("asked", "version", "archs", "wanted"),
    [
        ("auto", "2.6.2", [], False),
        ("auto", "2.6.2", [80], True),
        ("auto", "2.6.2", [90], False),
        ("auto", "3.3.1", [80], False),
        ("cpu", "2.6.2", [80], False),
        ("gpu:1", "2.6.2", [90, 86], True),
        ("gpu", "3.3.1", [90], True),
    ],
)
def test_which_build_an_environment_gets(
    asked: str, version: str, archs: list[int], wanted: bool
) -> None:
    assert wants_gpu_build(asked, version, archs) is wanted


def test_nothing_is_fetched_for_a_gpu_without_kernels() -> None:
    with pytest.raises(EnvironmentFault, match="sm_90: no kernel would run"):
        wants_gpu_build("gpu", "2.6.2", [90])
    with pytest.raises(EnvironmentFault, match="There is no GPU 0"):
        wants_gpu_build("gpu", "2.6.2", [])
