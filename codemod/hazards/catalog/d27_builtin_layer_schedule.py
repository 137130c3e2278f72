"""D-27: a hyperparameter of one of Paddle's own layers is changed between steps."""

from __future__ import annotations

from codemod.hazards.hazard import Hazard, verdicts

HAZARD = Hazard(
    "D-27",
    "builtin-layer-schedule",
    verdicts("wrong wrong wrong wrong"),
    "Call the functional with the value from a layer of your own.",
    "在自定义层中用 functional 形式并读取自身属性。",
    None,
)
