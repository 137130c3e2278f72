"""Runs programs in forked children of a warm process of a Paddle environment; see `real.py`."""

from __future__ import annotations

import base64
import contextlib
import importlib.util
import io
import json
import os
import pickle
import sys
import types
from pathlib import Path
from typing import Any

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import numpy as np
import paddle

LIMIT_S = 60
Gradients = list[list[Any]]


def _libraries() -> dict[str, types.ModuleType]:
    place = Path(__file__).with_name("libraries.py")
    spec = importlib.util.spec_from_file_location("program_libraries", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: dict[str, types.ModuleType] = module.libraries()
    return made


def _on_one_process() -> None:
    """What needs several cards is done on one."""
    from paddle.distributed import fleet

    def wrap(model: Any, *_: Any, **__: Any) -> Any:
        return paddle.DataParallel(model)

    def spawn(function: Any, args: Any = (), **_: Any) -> None:
        function(*args)

    def nothing(*_: Any, **__: Any) -> None:
        return None

    fleet.init, fleet.distributed_model = nothing, wrap
    paddle.distributed.spawn = spawn
    paddle.distributed.get_world_size = lambda *_: 2
    paddle.flops = nothing


def _recording(kept: Gradients) -> None:
    """Keep the gradients that each optimizer step is given; a missing one is no zero."""

    def recorded(update: Any) -> Any:
        def run(self: Any, *arguments: Any, **words: Any) -> Any:
            weights = self._parameter_list
            kept.append([None if w.grad is None else np.array(w.grad.numpy()) for w in weights])
            return update(self, *arguments, **words)

        return run

    # `paddle.Model` updates by `minimize`.
    for name in ("step", "minimize"):
        setattr(paddle.optimizer.SGD, name, recorded(getattr(paddle.optimizer.SGD, name)))


def _static(mode: str) -> None:
    made = paddle.jit.to_static

    def to_static(model: Any, **words: Any) -> Any:
        # SOT of Paddle 2.6.2 asks for whole graphs of a net's parts by the same name.
        return made(model, **{"full_graph": mode == "ast", "backend": None, **words})

    paddle.jit.to_static = to_static


def _play(job: dict[str, Any], mode: str, folder: str) -> Gradients:
    hooked = mode != "dynamic"
    for path, text in job["after" if hooked else "before"].items():
        Path(folder, path).write_bytes(base64.b64decode(text))
    os.chdir(folder)
    sys.path.insert(0, folder)
    sys.argv = ["train.py", *job["words"], *(job["switch"] if hooked else [])]
    os.environ.update(job["variables"] if hooked else {})
    kept: Gradients = []
    sys.modules.update(_libraries())
    _on_one_process()
    _recording(kept)
    if hooked:
        _static(mode)
    paddle.seed(7)
    main = types.ModuleType("__main__")
    main.__dict__["__file__"] = "train.py"
    sys.modules["__main__"] = main
    exec(compile(Path("train.py").read_bytes(), str(Path(folder, "train.py")), "exec"), vars(main))
    return kept


def _child(job: dict[str, Any], mode: str, folder: str, result: Path) -> None:
    quiet = io.StringIO()
    try:
        with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
            kept: Any = _play(job, mode, folder)
    except BaseException as fault:
        kept = f"{type(fault).__name__}: {str(fault)[:200]}"
    result.write_bytes(pickle.dumps(kept))


def _run(job: dict[str, Any], mode: str, base: Path) -> Any:
    """The gradients of a run, or the error that ended it."""
    folder = base / mode
    folder.mkdir(parents=True)
    result = folder / "result.pickle"
    child = os.fork()
    if child == 0:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        import signal

        signal.alarm(LIMIT_S)
        _child(job, mode, str(folder), result)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if not result.exists():
        return f"ended by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "ended"
    return pickle.loads(result.read_bytes())


def _compared(dynamic: Gradients, static: Any) -> str:
    if isinstance(static, str):
        return f"raises {static.partition(':')[0]}"
    if [len(step) for step in static] != [len(step) for step in dynamic]:
        return "other steps"
    for before, after in zip(dynamic, static):  # noqa: B905
        for one, other in zip(before, after):  # noqa: B905
            if (one is None) != (other is None):
                return "a gradient is missing"
            if one is not None and not np.allclose(one, other, rtol=1e-5, atol=1e-7):
                return "a gradient differs"
    return "as dynamic"


def main() -> None:
    """One line of JSON for each job."""
    import shutil
    import tempfile

    for job in json.loads(Path(sys.argv[1]).read_text()):
        base = Path(tempfile.mkdtemp())
        dynamic = _run(job, "dynamic", base)
        if isinstance(dynamic, str):
            modes = {"dynamic": f"raises {dynamic}"}
        else:
            modes = {"dynamic": "runs" if dynamic else "no step"}
            for mode in ("ast", "sot"):
                modes[mode] = _compared(dynamic, _run(job, mode, base))
        shutil.rmtree(base)
        print(json.dumps({"seed": job["seed"], "modes": modes}), flush=True)


if __name__ == "__main__":
    main()
