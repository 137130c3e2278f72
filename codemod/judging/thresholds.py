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

# One unit in the last place in every weight moves a true zero by all of itself: what it moves by
# less than a hundredth is a gradient, however small.
REAL_NOISE: Final = 1e-2

# Static training that its time limit ended may have been slow because other work came: where the
# limit leaves it less than six times what dynamic training took, nothing is said of the kit. A
# probe gives it as much by itself.
LIMIT_FACTOR: Final = 6

# So many steps a parity run has unless it is asked otherwise: fewer are said.
USUAL_STEPS: Final = 50

# In lockstep every value is judged by what the control sides of the same run do to it: one unit in
# the last place in every weight (two draws), two threads instead of one. Static training rounds in
# another order in every layer: ten times the largest of them is stated in advance, and is still
# some 1e-13 of a gradient in float64.
NOISE_FACTOR: Final = 10.0

# Two sums of the same squares in float64, in another order.
SAME_NORM: Final = 1e-9

# Below so many units in the last place of its own norm no value is known: a sum of 1e6 terms loses
# the square root of their number.
FLOOR_EPSILONS: Final = 1000.0

# A static program keeps the numbers of the code (`x * 0.088`) in float32 on Paddle 2.6, where
# dynamic training has all their digits: in float64 that is a difference of 6e-8 of the number, and
# of a few times that in what depends on it.
CONSTANTS: Final = 5e-7

# Of the global gradient norm: what is left of terms of that size that cancel.
ZERO_EPSILONS: Final = 0.25

# Float32 static training may be so many times as far from float64, at the same weights, as float32
# dynamic training and its control sides are: the same ten as in lockstep.
TRUTH_FACTOR: Final = 10.0

# Where float64 agrees at every update, float32 alone may be further off than its controls as often
# as they are, and up to `NOISE_FACTOR` times as far as one of them that was off; where none was,
# not at all. From thirty updates of theirs on, static training is blamed when it is off more often
# than one draw of the two in five would say.
CHANCE_CONTROLS: Final = 30
CHANCE: Final = 0.2

# The loss in float64 at the weights of float32: another one is of another batch or other draws.
SAME_LOSS: Final = 1e-3

# Constants of the code show at every update: where fewer than this share of them are off, the
# difference is none of theirs.
CONSTANT_SHARE: Final = 0.5

# A weight is rounded when it is changed, by up to one unit in its last place.
WEIGHT_EPSILONS: Final = 1.0

# In float64 a gradient below this share of the global one is a true zero; a bias before a batch
# norm has some 1e-16 of it.
TRUE_ZERO: Final = 1e-12

# A buffer that moves by less from one step to the next says nothing when it stands still.
BUFFER_MOVES: Final = 1e-6

# A free static loss that is all at once so many times further off than it ever was before, and by
# more than `JUMP_LEAST` of itself, has left its course: chaos multiplies by some hundred a step.
JUMP_FACTOR: Final = 1e4
JUMP_LEAST: Final = 1e-2

# A norm over next to no variance, or a mean that is a true zero at the first update, moves by all
# of itself now and then: so many of the updates, buffers and ends may at so many of the steps.
LOOSE_SHARE: Final = 0.1
# In float64 a value that may be off by this share of itself, unseen, counts as one of these.
LOOSE_PART: Final = 1e-3

# Free steps that part by rounding keep the order of magnitude of each gradient (beside ten times
# what dynamic training's own steps and controls change it by), half of each buffer (chaos in a
# buffer is averaged), and the side to which all gradients as one point: across is 1, opposite 2,
# and eight numbers of unrelated gradients lie beyond 1.9 once in two thousand.
FREE_TIMES: Final = 30.0
FREE_APART: Final = 0.5
FREE_TURN: Final = 1.9

# An output in evaluation, and of an exported program that fuses operators, by its norm.
OUTPUT_ROUNDOFF: Final = 1e-4

# Rounding of a loss: a mean over a batch of a deep net's outputs.
LOSS_ROUNDOFF: Final = 1e-5

# The one-ulp run moves one weight once; another kernel order rounds differently in every layer at
# every step. Ten leaves room for that and is far below what a fault does at the first step.
ENVELOPE_FACTOR: Final = 10.0

# What no rounding does to a first update, whose weights are the same in both modes: of its loss,
# and of all gradients together.
GROSS_LOSS: Final = 1e-2
GROSS_GRADIENT: Final = 0.1

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

# Pairs that warm up: the first static steps compile, and caches fill.
SPEED_WARMUP = 10
# So many steady pairs a process, at least.
SPEED_PAIRS = 20
# A program of fewer operators gains less than calling it costs: binding inputs, checking guards and
# starting the executor take 0.5 to 1.5 ms on Paddle 2.6.2 and 3.3.1.
TINY_PROGRAM = 30

# What calling a program costs a step at most, forward and backward, whatever it computes: 1.3 to
# 2.0 ms in word2vec and ensfm on two loaded cores. A step this short cannot win that back.
CALL_MS = 3.0
SHORT_STEP_MS = 10.0

# Of what a static step loses, a cause is told from this share on, and what is left from that one.
LOST_SHARE = 0.15
LEFT_SHARE = 0.25
# A minor page fault takes 1 to 3 us, so fewer do not show in a step.
LEAST_FAULTS = 100
# Processes that train with all memory kept, to see whether a loss goes away; build order turns.
KEPT_PROCESSES = 2

# Convergence: many epochs of several seeds. Static training rounds in every operator of every step,
# the control once in every weight; both grow alike. A fault of one in a hundred begins 1e5 times
# above one unit in the last place.
COURSE_FACTOR: Final = 100.0
# Below this share of a loss no distance is known: a mean over a batch in float32.
COURSE_FLOOR: Final = 1e-7
# The end is equivalent where the mean difference stays within two deviations of dynamic training's
# own seeds, or within this share of the figure where the seeds agree more closely than that.
END_SPREADS: Final = 2.0
END_FLOOR: Final = 1e-3
# Fewer seeds have no spread worth the name.
CONVERGENCE_SEEDS: Final = 3
CONVERGENCE_DRAWS: Final = 200
# A loss that does not fall by a tenth says nothing of where training ends.
LEARNS: Final = 0.9
# Student's t, one-sided 95 %, by degrees of freedom (any table of statistics). More seeds than ten
# are judged by nine degrees, which is stricter.
STUDENT_T: Final = {
    1: 6.314,
    2: 2.920,
    3: 2.353,
    4: 2.132,
    5: 2.015,
    6: 1.943,
    7: 1.895,
    8: 1.860,
    9: 1.833,
}
