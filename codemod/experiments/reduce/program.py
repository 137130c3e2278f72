"""A program as one file that a developer runs: what was reduced, and what compares the modes.

It imports Paddle alone, prints what each mode gives, and ends with 1 where they differ.
"""

from __future__ import annotations

import textwrap

from codemod.experiments.reduce.trial import Reading

_HEAD = '''"""{words}"""

{imports}

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

'''
_OUTCOME = """

def outcome(mode):
    paddle.seed(0)
    net, found = build(), []
    if mode != "dynamic":
        paddle.jit.to_static(net, full_graph=mode == "AST")
    try:
        for _ in range(2):
            loss = step(net)
            if not loss.stop_gradient:
                loss.backward()
            grads = [p.grad for p in [*net.parameters(), *getattr(net, "fed", [])]]
            found += map(told, [loss, *grads])
    except Exception as error:
        return type(error).__name__
    return " ".join(found)


def told(value):
    if value is None:
        return "none"
    return "sparse" if value.is_selected_rows() else f"{NUMBER}"


"""
_HERE = """
said = {mode: outcome(mode) for mode in ("dynamic", "AST", "SOT")}
"""
_APART = """
if len(sys.argv) > 1:
    print(outcome(sys.argv[1]), flush=True)
    os._exit(0)
said = {}
for mode in ("dynamic", "AST", "SOT"):
    argv = [sys.executable, __file__, mode]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=60)
        ends = done.stdout.strip() if done.returncode == 0 else f"ends with {done.returncode}"
    except subprocess.TimeoutExpired:
        ends = "does not end"
    said[mode] = ends
"""
# Paddle may abort when it takes its programs apart at the end of a process.
_END = """line = "; ".join(f"{m} {said[m]}" for m in said)
print(f"Paddle {paddle.__version__}: {line}", flush=True)
os._exit(len(set(said.values())) > 1)
"""


def whole(text: str, reading: Reading, apart: bool, words: str) -> str:
    """The file. `text` has `build()` and `step(net)`; `words` are its docstring.

    With `apart` each mode runs in a process of its own: one may crash, or never end.
    """
    head = _HEAD.format(words=_wrapped(words), imports="\n".join(_imports(reading, apart)))
    if reading.double:
        # Behind the imports: Paddle must be there.
        text = _after_imports(text, '\npaddle.set_default_dtype("float64")\n')
    body = _OUTCOME.replace("NUMBER", _number(reading))
    return head + text.strip("\n") + "\n" + body + (_APART if apart else _HERE).lstrip("\n") + _END


def _imports(reading: Reading, apart: bool) -> list[str]:
    before = ["import os", *(["import subprocess", "import sys"] if apart else [])]
    return [*before, *([] if reading.noise else ["import zlib"])]


def _number(reading: Reading) -> str:
    """What is printed of a tensor: its size to so many digits, or a sum over all its bytes."""
    if not reading.noise:
        return "zlib.crc32(value.numpy().tobytes())"
    return "float(value.abs().sum()):" + (".6g" if reading.double else ".3g")


def _wrapped(words: str) -> str:
    return "\n".join(textwrap.wrap(words.replace('"""', "'''").replace("\\", "/"), 95))


def _after_imports(text: str, line: str) -> str:
    lines = text.splitlines(keepends=True)
    last = max(
        (n for n, one in enumerate(lines) if one.startswith(("import ", "from "))), default=0
    )
    return "".join([*lines[: last + 1], line, *lines[last + 1 :]])
