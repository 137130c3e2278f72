"""Programs that train, drawn from a grammar of trainers, hooked by discovery and then run.

Each program is planned, changed, and run three times on a stand-in for Paddle: as it was, with the
switch off, and with the switch on. The stand-in notes when a layer is called, copied, converted,
wrapped and made static, so a hook in the wrong place shows by what happened and not by where it
stands.

    python -m bench.programs --count 50000 --seed 1
    python -m bench.programs.mutated
    python -m bench.programs.real --count 500 --python PATH
"""

from bench.programs.judged import Answer, ask, wrong_order

__all__ = ["Answer", "ask", "wrong_order"]
