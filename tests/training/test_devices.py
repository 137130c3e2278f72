"""Device choice and which build has kernels for a card, without any card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from codemod.base.errors import EnvironmentFault, UsageError
from codemod.kits.paddles import paddles
from codemod.training.environment.cards import Card, Cards
from codemod.training.environment.devices import (
    Build,
    build_for_image,
    choose,
    cuda_build,
    enough,
    supports,
)

CPU = Build("2.6.2", cuda=False, archs=())
# Of the table, so that one more row there breaks nothing here.
NEWEST = paddles().releases[-1].version
NEWEST_BUILD = build_for_image(NEWEST).name
GPU = Build("2.6.2", cuda=True, archs=(61, 70, 75, 80, 86))


def card(arch: int | None, driver: str = "550.54.15", used: int = 0, number: int = 0) -> Card:
    return Card(str(number), "NVIDIA Test", arch, driver, total=40960, used=used)


def here(*archs: int) -> Cards:
    return Cards(tuple(card(arch, number=n) for n, arch in enumerate(archs)))


@pytest.mark.parametrize(
    ("arch", "runs"), [(61, True), (75, True), (86, True), (89, True), (90, False), (60, False)]
)
def test_which_architectures_the_indexs_build_runs_on(arch: int, runs: bool) -> None:
    assert supports(GPU, card(arch)) is runs


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
    assert choose(asked, build, here(*archs)) == device


def test_reasons() -> None:
    with pytest.raises(EnvironmentFault, match="sm_90: no kernel would run") as refused:
        choose("gpu", GPU, here(90))
    assert f"--paddle {NEWEST}" in refused.value.remedy
    with pytest.raises(
        EnvironmentFault, match="There is no GPU 1 here: 1 can be used, counted from 0"
    ):
        choose("gpu:1", GPU, here(80))
    with pytest.raises(EnvironmentFault, match="There is no GPU 0 here: the driver sleeps"):
        choose("gpu", GPU, Cards(why="the driver sleeps"))
    with pytest.raises(EnvironmentFault, match="CPU build"):
        choose("gpu", CPU, here(80))
    with pytest.raises(UsageError, match="no device 'tpu'"):
        choose("tpu", GPU, here(80))


@pytest.mark.parametrize(
    ("asked", "version", "archs", "wanted"),
    [
        ("auto", "2.6.2", [], None),
        ("auto", "2.6.2", [80], "pypi"),
        ("auto", "2.6.2", [90], None),
        ("auto", "3.3.1", [80], "cu129"),
        ("cpu", "2.6.2", [80], None),
        ("gpu:1", "2.6.2", [90, 86], "pypi"),
        ("gpu", "3.3.1", [90], "cu129"),
        ("gpu", "3.3.1", [61], "cu126"),
        ("gpu", "3.0.0", [90], "cu126"),
    ],
)
def test_which_build_an_environment_gets(
    asked: str, version: str, archs: list[int], wanted: str | None
) -> None:
    found = cuda_build(asked, version, here(*archs))
    assert (found and found.name) == wanted


def test_the_driver_decides_on_the_cuda() -> None:
    old = Cards((card(80, driver="470.57.02"),))
    found = cuda_build("gpu", "3.0.0", old)
    assert found is not None
    assert found.name == "cu118"
    with pytest.raises(EnvironmentFault, match=r"CUDA 12\.9 needs driver 525, not 470"):
        cuda_build("gpu", "3.3.1", old)


def test_an_index_that_is_named_is_taken() -> None:
    named = cuda_build("gpu", "3.3.1", here(90), "cu126")
    assert named is not None
    assert named.index.endswith("/cu126/")
    other = cuda_build("gpu", "3.3.1", here(90), "https://example.org/simple/")
    assert other is not None
    assert other.index == "https://example.org/simple/"
    with pytest.raises(UsageError, match="`cu42` is no index of Paddle"):
        cuda_build("gpu", "3.3.1", here(90), "cu42")


@pytest.mark.parametrize("index", ["pypi", "cu118"])
def test_a_build_that_paddle_has_not_is_refused_and_what_it_has_is_named(index: str) -> None:
    with pytest.raises(EnvironmentFault, match=f"3.3.1 has no CUDA build on {index}") as refused:
        cuda_build("gpu", "3.3.1", here(80), index)
    assert refused.value.remedy == "Use --index cu129 or cu126."
    with pytest.raises(EnvironmentFault, match=r"Paddle 2\.6\.2 has no CUDA build on cu126"):
        build_for_image("2.6.2", "cu126")
    # Of a Paddle that no table has, only the index knows.
    assert build_for_image("9.9.9", index).name == index


def test_nothing_is_fetched_for_a_card_without_kernels() -> None:
    with pytest.raises(EnvironmentFault, match=r"kernels for sm_61.* and the card is sm_90"):
        cuda_build("gpu", "2.6.2", here(90))


def test_a_card_that_tells_little_is_used_when_asked_for() -> None:
    shy = Cards((Card("0", "GRID", None, "550.1"),))
    found = cuda_build("gpu", "3.3.1", shy)
    assert found is not None
    assert found.name == "cu129"
    assert cuda_build("auto", "3.3.1", shy) is None


def test_a_full_card_is_refused_and_auto_takes_another() -> None:
    full, free = card(80, used=40000), card(80, number=1)
    with pytest.raises(EnvironmentFault, match="960 MiB free of 40960: others use it"):
        cuda_build("gpu", "2.6.2", Cards((full, free)))
    assert choose("auto", GPU, Cards((full, free))) == "gpu:1"


def test_a_card_that_others_use_is_told_of(capfd: pytest.CaptureFixture[str]) -> None:
    assert choose("gpu", GPU, Cards((card(80, used=12000),))) == "gpu:0"
    assert "Others use 12000 of its 40960 MiB" in capfd.readouterr().err


def test_a_card_that_is_cut_says_how_a_slice_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    cut = Card("0", "NVIDIA A100", 80, "550.1", total=40960, used=20, mig=True)
    assert choose("auto", GPU, Cards((cut,))) == "gpu:0"
    told = capfd.readouterr().err
    assert "Training on GPU 0: NVIDIA A100, card 0. It is cut into slices (MIG)" in told
    choose("gpu", GPU, Cards((replace(cut, id="MIG-5", total=None, used=None),)))
    assert capfd.readouterr().err == "Training on GPU 0: NVIDIA A100, card MIG-5.\n"


@pytest.mark.parametrize(
    ("one", "build", "why"),
    [
        (card(80, used=40000), GPU, "NVIDIA Test, card 0 has 960 MiB free of 40960."),
        (card(None), CPU, "does not tell its compute capability. --device gpu uses it all the"),
        (card(90), CPU, f"the card is sm_90. Use --paddle {NEWEST}, which has {NEWEST_BUILD}"),
        (card(80, driver="418.2"), CPU, "CUDA 11.8 needs driver 450, not 418.2. Use --device"),
        (card(80), CPU, "this Paddle 2.6.2 is a CPU build. `codemod env --gpu` makes another."),
    ],
)
def test_auto_says_why_a_card_is_left_alone(
    one: Card, build: Build, why: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert choose("auto", build, Cards((one,))) == "cpu"
    told = capfd.readouterr().err
    assert told.startswith("Training on the CPU: ")
    assert why in told


def test_an_image_holds_the_newest_cuda() -> None:
    assert build_for_image("3.3.1").name == "cu129"
    assert build_for_image("3.3.1", "cu126").name == "cu126"


def test_every_release_has_its_builds() -> None:
    known = paddles()
    assert {"2.6.2", "3.3.1"} <= {release.version for release in known.releases}
    assert all(known.build(name) for release in known.releases for name in release.builds)


def test_several_processes_need_as_many_cards() -> None:
    enough(2, "gpu:0", here(80, 80))
    enough(4, "cpu", Cards())
    with pytest.raises(EnvironmentFault, match="2 processes need 2 GPUs, and there are 1"):
        enough(2, "gpu:1", here(80, 80))
