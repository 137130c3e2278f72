"""Which computations no run speaks for, and which config of one is the smallest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bench import uncovered
from bench.uncovered import Computation, size, spoken_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def survey(**sources: str) -> dict[str, Any]:
    """One kit with a config for each name, judged on 3.3.1 by that source."""
    verdicts = {name: [{"paddle": "3.3.1", "source": one}] for name, one in sources.items()}
    configs = [{"path": name, "verdicts": said} for name, said in verdicts.items()]
    return {"kits": [{"kit": "Kit", "rows": [{"configs": configs}]}]}


def test_runs_and_alike_configs_speak_for_a_config_and_code_alone_does_not() -> None:
    made = survey(trained="parity", built="probe", alike="same", read="hazards")
    found = {config for _, config in spoken_for(made, "3.3.1")}
    assert found == {"trained", "built", "alike"}
    assert spoken_for(made, "2.6.2") == set()


def test_the_largest_come_first_without_those_that_a_run_speaks_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    one, two, known = (("a",), ("b", "c"), ("d", "trained", "e"))

    def made(_: Path, kit: str) -> Iterator[Computation]:
        yield from (Computation(kit, group[0], group) for group in (one, two, known))

    monkeypatch.setattr(uncovered, "computations", made)
    found = uncovered.uncovered(survey(trained="parity"), tmp_path, "3.3.1")
    assert [one.configs for one in found] == [("b", "c"), ("a",)]


@pytest.mark.parametrize(
    "ordered",
    [
        ("ppyoloe_crn_s_300e_coco.yml", "ppyoloe_crn_l_300e_coco.yml"),
        ("yolov5_n_300e.yml", "yolov5_s_300e.yml"),
        ("swin_tiny.yml", "swin_small.yml", "swin_base.yml", "swin_huge.yml"),
        ("fcos_r50.yml", "fcos_r101.yml"),
    ],
)
def test_the_smallest_config_is_told_by_its_name(ordered: tuple[str, ...]) -> None:
    turned = list(ordered)
    turned.reverse()
    assert sorted(turned, key=size) == list(ordered)
