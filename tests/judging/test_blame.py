"""Who is at fault where training ends with the switch off: the code, or what it stands on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from codemod.base.reason import Reason
from codemod.judging.blame import is_code_error, is_environment_error, outdated_blame
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.evidence.base import read_base
from codemod.judging.judge import judge
from codemod.kits.catalogue import load_kits
from tests.parity.builders import plain, record

OF_CODE = (
    "SyntaxError: from __future__ imports must occur at the beginning of the file",
    "NameError: name 'output_dimensions' is not defined",
    "UnboundLocalError: local variable 'x' referenced before assignment",
    "TypeError: build_optimizer() got an unexpected keyword argument 'parameter_list'",
    "TypeError: 'int' object is not subscriptable",
    "TypeError: (InvalidType) Type promotion only support calculations between floating-point",
    "AttributeError: 'Tensor' object has no attribute 'fill'",
    "ImportError: cannot import name 'switch_job_schedule_profiler' from 'paddle.profiler.utils'",
    "ImportError: cannot import name 'in_dygraph_mode' from 'paddle' (…/paddle/__init__.py)",
    "ModuleNotFoundError: No module named 'paddle.fluid'",
    "RecursionError: maximum recursion depth exceeded while calling a Python object",
    "NotImplementedError: RTMDet training not implemented yet.",
    "RuntimeError: The specified component (EfficientFormerv2_s0) was not found.",
    "ValueError: (InvalidArgument) ceil(): argument 'x' (position 0) must be Tensor, but got float",
    "RuntimeError: Tensor '' used in gradient computation has been modified by an inplace operation.",
    "ValueError: The type of data we are trying to retrieve (float64) does not match the type (float32)",
    "ValueError: (InvalidArgument) stack(): argument 'x' (position 0) must be list of Tensors",
)
OF_THE_ENVIRONMENT = (
    "ValueError: Some specified arguments are not used by the PdArgumentParser: ['--batch_size']",
    "ModuleNotFoundError: No module named 'rouge'",
    "ImportError: cannot import name 'rbox_iou' from 'ext_op'",
    "ImportError: cannot import name 'nccl' from 'paddle.base.core' (unknown location)",
    "ModuleNotFoundError: No module named 'paddle'",
    "ModuleNotFoundError: No module named 'paddle_serving'",
    "FileNotFoundError: [Errno 2] No such file or directory: './train_data/dict.txt'",
    "RuntimeError: Download from https://host/a.pdparams failed. Retry limit reached",
    "OSError: Can't load the model for 'a/b'.",
    "RuntimeError: (NotFound) The kernel `sync_batch_norm` is not registered.",
    "RuntimeError: [Hint: Expected iter != kernels_.end(), but received iter == kernels_.end().]",
    "MemoryError: (ResourceExhausted) Fail to alloc memory",
    "AttributeError: 'Fleet' object has no attribute '_user_defined_strategy'",
    "AttributeError: https://numpy.org/devdocs/release/1.20.0-notes.html#deprecations",
)
OF_SAMPLES = (
    "TypeError: ImageNetDataset.__init__() got an unexpected keyword argument 'backend'",
    "TypeError: __init__() missing 1 required positional argument: 'depth'",
    "ValueError: concat(): argument 'x' (position 0) must be list of Tensors, but got empty list",
    "ValueError: (InvalidArgument) The rank (9) of the input 'k' for topk op must be less than 4.",
    "ValueError: (InvalidArgument) Broadcast dimension mismatch.",
    "IndexError: (OutOfRange) The starting index 4 of slice is out of range",
    "KeyError: 'dfl'",
    "TypeError: 'NoneType' object is not subscriptable",
    "AttributeError: 'NoneType' object has no attribute 'shape'",
    "AssertionError: no box is left",
    "0 steps were recorded",
)


@pytest.mark.parametrize("error", OF_CODE)
def test_what_code_alone_raises_is_the_code_s(error: str) -> None:
    assert is_code_error(error)
    assert not is_environment_error(error)


@pytest.mark.parametrize("error", [*OF_THE_ENVIRONMENT, *OF_SAMPLES])
def test_what_a_sample_or_the_machine_may_cause_blames_nobody(error: str) -> None:
    assert not is_code_error(error)
    assert is_environment_error(error) == (error in OF_THE_ENVIRONMENT)


@pytest.mark.parametrize("error", OF_CODE)
def test_what_reading_samples_raises_blames_nobody(error: str) -> None:
    frames = '  File "/env/site-packages/paddle/io/dataloader/fetcher.py", line 81, in fetch\n'
    assert not is_code_error(error, f"{frames}  File 'kit/data.py', line 3, in __getitem__\n")
    assert not is_code_error(f"{error} (in DataLoader worker 1)")


@pytest.mark.parametrize("outcome", ["ok", "fails", "crash", "oom"])
@pytest.mark.parametrize("error", [*OF_CODE, *OF_THE_ENVIRONMENT, *OF_SAMPLES])
def test_only_an_error_of_the_code_is_held_against_the_kit(error: str, outcome: str) -> None:
    kind, _, message = error.partition(": ")
    end = {"error": kind, "message": message} if message else {}
    ended = replace(record([]), outcome=outcome, end=end)
    found = judge(Comparison("ast", ended, record(plain(), caught=True)))
    assert (found.verdict == "dynamic-fails") == (error in OF_CODE)
    assert found.verdict in ("dynamic-fails", "not-run")
    assert message in found.reason, "what was seen is said in any case"


def test_an_earlier_word_on_samples_does_not_stand() -> None:
    for error in (*OF_CODE, *OF_THE_ENVIRONMENT, *OF_SAMPLES):
        told = Reason.of("judging.dynamic-fails", how="fails", last=error)
        assert (outdated_blame((told,)) is None) == (error in OF_CODE)
        words = Reason.of("experiments.stopped", phase="forward", error=error)
        probed = Reason.of("experiments.model-fails", said=words)
        # A probe blames at the config's own size alone: an odd shape is no excuse there.
        assert (outdated_blame((probed,)) is not None) == (error in OF_THE_ENVIRONMENT)


@pytest.mark.slow
def test_no_row_of_the_base_blames_a_kit_for_samples() -> None:
    rows = (row for kit in load_kits() for row in read_base(kit).rows)
    blamed = [row for row in rows if outdated_blame(row.said)]
    assert not [(row.kit, row.config, row.paddle) for row in blamed]
