"""Public repositories that the tool had never seen: what it does there, against labels.

`labels.yaml` was written by reading each training loop, before the tool was run. `judged.yaml` says
of each reason that the tool gives whether it is true of that file.

    CODEMOD_MIRROR=DIR python -m bench.unknown [--write]
"""
