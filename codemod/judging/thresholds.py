"""Every number that a verdict rests on, with its reason. None is set for a single model.

The default is bit equality. Slack is only used where a control run has shown rounding to matter.
"""

from __future__ import annotations

from typing import Final

# Rounding of a weight gradient relative to its own norm: float32 has 6e-8, a sum of 1e5 terms
# loses its square root, 2e-5, and a deep net adds a few layers of it. A fault of one in a thousand
# stays ten times above.
OWN_ROUNDOFF: Final = 1e-4

# A gradient this small beside the global one is a true zero plus noise (a bias before a batch
# norm): the noise of such parameters is judged on the global scale, for their own is meaningless.
ZERO_SHARE: Final = 1e-6

# Whether so small a gradient is noise is told by a dynamic lockstep run whose one side has every
# weight one unit in the last place off: that moves pure noise by about its own size, and a real
# gradient by some 1e-6 of its norm. One that moves by less than this is judged by its own norm;
# an ill-conditioned one (a batch norm's weight, say) by what it moves, where rounding is less.
NOISE_MOVES: Final = 1e-2

# Another kernel order is like inputs that are off by a few units in the last place.
SMALL_FACTOR: Final = 10.0

# Rounding of a loss: a mean over a batch of a deep net's outputs.
LOSS_ROUNDOFF: Final = 1e-5

# The one-ulp run moves one weight once; another kernel order rounds differently in every layer at
# every step. Ten leaves room for that and is far below what a fault does at the first step.
ENVELOPE_FACTOR: Final = 10.0

# Two dynamic runs that differ by more than this at their first step are not repeatable in any
# useful sense: nothing can be said of the hook.
NONDETERMINISTIC: Final = 1e-2

# Below this global gradient norm the loss cannot tell models apart (the mean of a batch norm's
# output, say): equal gradients would prove nothing.
DEAD_GRADIENT: Final = 1e-12

# The same of most steps: training that stands still. A hinge may be silent in some.
DEAD_SHARE: Final = 0.5

# The steps that say of which size losses and gradients are.
FIRST_STEPS: Final = 3

# A loss this many times what it began with has left its order of magnitude, and what it does from
# there on is not training; the losses of adversarial nets swing by some five. A gradient norm has
# a wider range, as the loss flattens and steepens.
LOSS_GROWS: Final = 30.0
GRADIENT_GROWS: Final = 1e4

# A run settles within these steps; what is traced or captured later is named.
SETTLED_STEPS: Final = 5

# A program holds a few operators more than the calls that it came from, and fused ones a few less:
# below this share of the operators that the nets' forward runs dynamically, a part is missing.
CAPTURED_SHARE: Final = 0.8

# Fewer pairs than this do not make a lockstep verdict.
LOCKSTEP_PAIRS: Final = 3

# A step is slow or fast by its neighbours; the first steps hold tracing and warm-up.
WARMUP_STEPS: Final = 5

# A speed-up of fewer steps than this after the warm-up on either side would be luck.
TIMED_STEPS: Final = 20

# Speed. Processes differ by some 10 % (MobileNetV3, four processes: 1.002, 0.935, 1.146, 0.977),
# so fewer than five say nothing, and an interval wider than that difference says nothing either.
SPEED_PROCESSES = 5
SPEED_WIDTH = 0.10
# Neighbouring steps share the machine's load; blocks of five keep that together.
SPEED_BLOCK = 5
SPEED_DRAWS = 1000
