"""What the judge says of two trainings: why there is a verdict, and what it rests on."""

TABLE: dict[str, tuple[str, str]] = {
    # How a run ended, and the classes of differences: in English their names.
    "word-ok": ("came to its end", "正常"),
    "word-fails": ("failed", "报错"),
    "word-crash": ("crashed", "崩溃"),
    "word-timeout": ("reached the time limit", "超时"),
    "word-oom": ("ran out of memory", "内存不足"),
    "word-killed": ("was ended by a signal from outside", "被外部信号终止"),
    "word-missing": ("missing", "缺失"),
    "word-none-against-zero": ("none-against-zero", "一方无梯度，另一方为零"),
    "word-extra": ("extra", "多出"),
    "word-absent": ("an optimizer has it on one side only", "只在一方交给了优化器"),
    "word-sparse-made-dense": ("sparse-made-dense", "稀疏变为稠密"),
    "word-isolated": ("few gradients differ, all else is equal", "仅少数梯度不同，其余一致"),
    "word-frozen-randomness": ("frozen-randomness", "随机数被固定"),
    "word-random-order": ("random-order", "随机数次序不同"),
    "word-frozen-state": ("frozen-state", "状态被固定"),
    "word-frozen-buffer": ("frozen-buffer", "缓冲区被固定"),
    "word-other-start": ("other-start", "初始值不同"),
    "word-learning-rate": ("learning-rate", "学习率不同"),
    "word-drift": ("another value", "数值不同"),
    "word-number": ("number", "个数不同"),
    "word-weights": ("weights", "权重不同"),
    "word-carried": ("carried", "由之前的更新带入"),
    # What helps.
    "deepest-line": (
        "The deepest line of the kit is {place}.",
        "调用栈中套件最深的一行是 {place}。",
    ),
    # The ground.
    "after-steps": ("{steps:step was|steps were} recorded", "已记录 {steps} 步"),
    "limit": (
        "The dynamic run reached the time limit of {seconds} s (--limit): {last}",
        "动态图训练达到了 {seconds} 秒的时限（--limit）：{last}",
    ),
    "limit-unknown": (
        "The dynamic run reached the time limit: {last}",
        "动态图训练达到了时限：{last}",
    ),
    "elsewhere": (
        "The {mode} run was asked to train on {wanted}, and computed on {found}.",
        "{mode} 训练要求在 {wanted} 上进行，实际在 {found} 上计算。",
    ),
    "no-step": ("made no optimizer step", "没有优化器更新"),
    "dynamic-fails": (
        "Training with the switch off {how:word}: {last:error}",
        "开关关闭时训练{how:word}：{last:error}",
    ),
    "always-static": (
        "The run with the gate off was static too: the gate does not switch the hook, so there is "
        "nothing to compare with.",
        "开关关闭时运行的也是静态图：开关没有控制转换，因此无从比较。",
    ),
    "dead": (
        "The reference gradient is zero in every step: this loss cannot tell models apart.",
        "参照运行的梯度每一步都为零：这样的 loss 无法区分模型。",
    ),
    "mostly-dead": (
        "The reference gradient is zero in {dead} of {steps:step|steps}: they cannot tell models "
        "apart, and a recipe that trains is needed.",
        "{steps} 步中有 {dead} 步的参照梯度为零：这些步无法区分模型，需要能正常训练的配方。",
    ),
    "nondeterministic": (
        "Two dynamic runs of the kit differ by {size} at step {step}: set its seed and workers.",
        "两次动态图训练在第 {step} 步相差 {size}：请固定随机种子和数据读取进程数。",
    ),
    "loss-not-finite": (
        "The training itself diverges: the dynamic loss is {loss} at step {step}; a recipe with a "
        "smaller rate is needed.",
        "训练本身发散：动态图的 loss 在第 {step} 步为 {loss}；需要学习率更小的配方。",
    ),
    "value-not-finite": (
        "The training itself diverges: {name} is not finite at step {step} of dynamic training; a "
        "recipe with a smaller rate is needed.",
        "训练本身发散：动态图训练在第 {step} 步的 {name} 不是有限值；需要学习率更小的配方。",
    ),
    "loss-grows": (
        "The training itself diverges: the dynamic loss is {now} at step {step} and began with "
        "{begun}; a recipe with a smaller rate is needed.",
        "训练本身发散：动态图的 loss 从 {begun} 变为第 {step} 步的 {now}；需要学习率更小的配方。",
    ),
    "gradient-grows": (
        "The training itself diverges: the dynamic gradient is {now} at step {step} and began "
        "with {begun}; a recipe with a smaller rate is needed.",
        "训练本身发散：动态图的梯度从 {begun} 变为第 {step} 步的 {now}；需要学习率更小的配方。",
    ),
    "dynamic-killed": (
        "The dynamic run was ended from outside, by a signal: {last:error}. Run it again.",
        "动态图训练被外部信号终止：{last:error}。请重新运行。",
    ),
    # The static run.
    "static-killed": (
        "Static training was ended from outside, by a signal: {last:error}. Run it again.",
        "静态图训练被外部信号终止：{last:error}。请重新运行。",
    ),
    "control-ended": (
        "A control run of dynamic training {how:word}, so nothing tells rounding from a fault: "
        "{last:error}. Run it again.",
        "动态图的对照运行{how:word}，无法区分舍入与错误：{last:error}。请重新运行。",
    ),
    "limit-short": (
        "The time limit of {limit} s ended static training, and dynamic training took {dynamic} s: "
        "{last:error}. Run it again with --limit {enough}.",
        "时间上限 {limit} 秒使静态图训练终止，而动态图训练用了 {dynamic} 秒：{last:error}。"
        "请加上 --limit {enough} 重新运行。",
    ),
    "shorter": (
        "Static training ended after {made:step|steps}, dynamic training made {wanted}.",
        "静态图训练在 {made} 步后结束，动态图训练了 {wanted} 步。",
    ),
    "static-crash": ("The process died: {last:error}", "进程中止：{last:error}"),
    "static-timeout": ("The time limit was reached: {last:error}", "达到时间上限：{last:error}"),
    "static-oom": ("Memory ran out: {last:error}", "内存耗尽：{last:error}"),
    "static-fails": ("Static training stopped: {last:error}", "静态图训练中止：{last:error}"),
    "no-hook": (
        "The switch was on, and no to_static was reached: dynamic training was compared with "
        "itself.",
        "开关已打开，但没有执行到 to_static：比较的是动态图与它自己。",
    ),
    "not-static": (
        "to_static was called at {place}, but {why}{breaks:aside}: dynamic training was compared "
        "with itself.",
        "在 {place} 调用了 to_static，但{why}{breaks:aside}：比较的是动态图与它自己。",
    ),
    "uncalled": ("the hooked layer was never called", "转换后的层从未被调用"),
    "uncaptured": ("nothing was captured", "没有捕获到任何图"),
    # Equal.
    "equal": (
        "{steps:step is|steps are} equal to the bit in losses, gradients, buffers, learning rates "
        "and watched state.",
        "{steps} 步的 loss、梯度、缓冲区、学习率与所观察的状态全部逐位一致。",
    ),
    "noisy-weights": (
        "{steps:step is|steps are} equal to the bit in losses and gradients; the weights that "
        "differ at the end differ between two dynamic runs, too.",
        "{steps} 步的 loss 与梯度逐位一致；最后不同的权重在两次动态图训练之间也不同。",
    ),
    "equals-one": (
        "Static equals one dynamic run to the bit; two dynamic runs are not bit-equal to each "
        "other.",
        "静态图与其中一次动态图训练逐位一致，而两次动态图训练彼此并不逐位一致。",
    ),
    # Within rounding.
    "envelope": (
        "Not bit-equal; every step stays within the envelope of the control runs (largest "
        "gradient distance {size} of the global norm).",
        "并非逐位一致；每一步都在对照运行的范围之内（最大梯度差为全局范数的 {size}）。",
    ),
    "lockstep": (
        "{updates:update|updates}, each from the same weights, optimizer state and generators, "
        "agree up to rounding in float{bits} (largest gradient distance {size} of the global "
        "norm), and the free runs part by rounding only.",
        "从相同的权重、优化器状态与随机数状态出发的 {updates} 次更新在 float{bits} 的舍入误差内一致"
        "（最大梯度差为全局范数的 {size}），独立运行之间也只有舍入造成的差异。",
    ),
    "last-bit": (
        "A change of the last bit in any of {count:gradient|gradients} would have been seen at "
        "every step.",
        "{count} 个梯度中任何一个在任何一步有一个末位不同，都会被发现。",
    ),
    "would-see": (
        "A change of {size} in any one update would have been seen in {count} of "
        "{all:parameter|parameters} that an optimizer was handed.",
        "交给优化器的 {all} 个参数中，有 {count} 个的梯度只要在任何一次更新中"
        "相差 {size} 就会被发现。",
    ),
    "would-see-but": (
        "{told} {zero:more has|more have} a true gradient of zero (the first: {names}).",
        "{told}另有 {zero} 个参数的真实梯度为零（前几个：{names}）。",
    ),
    "would-see-without": (
        "{told} {count:has|have} no gradient at all.",
        "{told}还有 {count} 个参数没有梯度。",
    ),
    "alarms": (
        "Judged in the same way, {blamed} of {judged} control updates (every weight one unit in "
        "the last place off) would have been blamed.",
        "用同样的方法判断对照更新（每个权重都改变一个末位），{judged} 次中有 {blamed} 次会被误报。",
    ),
    "truth": (
        "At the weights of {updates:update|updates} float32 static training is at most {size} "
        "times as far from float64 as float32 dynamic training (allowed: 10).",
        "在 {updates} 次更新的权重上，float32 静态图与 float64 的距离"
        "最多是 float32 动态图的 {size} 倍（允许 10 倍）。",
    ),
    "void": (
        "The control that moves every weight changed nothing, so it says nothing of rounding.",
        "改变每个权重的对照没有造成任何变化，因此不能说明舍入误差。",
    ),
    "single-alone": (
        "In float64 both modes agree: float32 alone shows it, as another kernel or a fusion does.",
        "在 float64 下两种模式一致：只有 float32 显示出差异，例如使用了另一个内核或融合。",
    ),
    "single-chance": (
        "In float32 {blamed} of {judged} static updates went further off than the controls of that "
        "batch allow, no more often than control updates do ({alarms} of {controls}).",
        "在 float32 下，{judged} 次静态更新中有 {blamed} 次超出对照所允许的范围，"
        "并不比对照更新本身更频繁（{controls} 次中有 {alarms} 次）。",
    ),
    "singles": (
        "Without a float64 kernel, and computed in float32: {names}.",
        "没有 float64 内核、以 float32 计算的算子：{names}。",
    ),
    "constants": (
        "The programs keep the code's constants in float32, which shows in float64.",
        "程序以 float32 保存代码中的常数，这在 float64 下会显示出来。",
    ),
    "double-not-made": ("It was judged in float32 alone.", "仅以 float32 判断。"),
    "double-failed": (
        "It was judged in float32 alone, for the model cannot be computed in float64: {why}.",
        "仅以 float32 判断，因为模型无法以 float64 计算：{why}。",
    ),
    "blind": (
        "It cannot be told: in {count} of {all:gradient|gradients} not even a change of 1e-3 would "
        "have been seen at every update ({names}).",
        "无法判断：{all} 个梯度中有 {count} 个即使相差 1e-3 也不会在每次更新中被发现（{names}）。",
    ),
    "unseen": (
        "It cannot be told: the judge would not have seen {kinds}.",
        "无法判断：以下情况不会被发现：{kinds}。",
    ),
    "plant-lost": (
        "It cannot be told: a fault that was planted in a gradient did not show in the record.",
        "无法判断：植入梯度的一处错误没有出现在记录中。",
    ),
    "no-gradient": (
        "It cannot be told: no update has a gradient that is not zero.",
        "无法判断：没有任何一次更新有非零的梯度。",
    ),
    "no-lockstep": (
        "It cannot be told: the runs are not equal to the bit, and no run of both sides from the "
        "same weights could be judged ({why}).",
        "无法判断：两次运行并非逐位一致，而从相同权重出发的对照运行无法判断（{why}）。",
    ),
    "open-course": (
        "It cannot be told: where each batch is fed to both sides, dynamic training itself takes "
        "another course than by itself from step {step} on, and no run of it with the switch on "
        "could be made.",
        "无法判断：在把每个批次送给双方的运行中，动态图训练自身从第 {step} 步起就与单独训练时不同，"
        "而打开开关的动态图运行未能完成。",
    ),
    "ended": ("it {outcome:word}", "结果为{outcome:word}"),
    "few-pairs": (
        "{made:batch was|batches were} fed to all sides, or none of the visits was static, or no "
        "control side moved anything",
        "有 {made} 个批次送给了各方，或没有一方是静态的，或对照方没有任何变化",
    ),
    # Different.
    "first": (
        "First at step {step}: {name} ({kind:word}).",
        "首次出现在第 {step} 步：{name}（{kind:word}）。",
    ),
    "first-sized": (
        "First at step {step}: {name} ({kind:word}, {size} relative).",
        "首次出现在第 {step} 步：{name}（{kind:word}，相对差 {size}）。",
    ),
    # What differs and has no name of its own.
    "rate": (
        "the learning rate ({dynamic} dynamic, {static} static)",
        "学习率（动态图 {dynamic}，静态图 {static}）",
    ),
    "attribute": (
        "{name} ({dynamic} dynamic, {static} static)",
        "{name}（动态图 {dynamic}，静态图 {static}）",
    ),
    "generator": ("the generator of {name}", "{name} 的随机数生成器"),
    "batch": ("the batch", "该批次的数据"),
    "carried": (
        "optimizer state, an average or a counter",
        "优化器状态、平均值或计数器",
    ),
    "and-more": ("{name} and {others} more", "{name}，另有 {others} 项"),
    "harmless": (
        "No step ever updates these parameters, and all else agrees to the bit: the difference "
        "harms nothing.",
        "没有任何一步更新这些参数，其余全部逐位一致：此差异没有影响。",
    ),
    # After the last step.
    "leg-eval": ("evaluation on another batch size", "以另一批次大小进行的评估"),
    "leg-export": ("the exported program", "导出的程序"),
    "leg-read": (
        "the step after reading the other mode's checkpoint",
        "读取另一模式的检查点之后的一步",
    ),
    "side-dynamic-read": ("read by dynamic training", "由动态图读取"),
    "side-static-read": ("read by static training", "由静态图读取"),
    "legs-equal": (
        "Compared after the last step and equal: {legs}.",
        "最后一步之后的比较中，以下各项一致：{legs}。",
    ),
    "leg-differs": (
        "Not equal: {leg} ({net:side}, relative difference {size}).",
        "不一致：{leg}（{net:side}，相对差 {size}）。",
    ),
    "leg-fails": (
        "Fails only with the hook: {leg} ({net:side}: {why:error}).",
        "只在转静后失败：{leg}（{net:side}：{why:error}）。",
    ),
    "leg-crash": (
        "The process crashed: {leg} ({net:side}).",
        "进程崩溃：{leg}（{net:side}）。",
    ),
    "leg-dynamic-fails": (
        "Not compared, for it fails without the hook too: {leg} ({net:side}).",
        "没有比较，因为关闭转静时也会失败：{leg}（{net:side}）。",
    ),
    # What was static.
    "partial": (
        "Training is static in part: {parts}.",
        "训练只有一部分是静态的：{parts}。",
    ),
    "some-steps": (
        "only {caught} of {steps:step|steps} ran a static graph",
        "{steps} 步中只有 {caught} 步运行了静态图",
    ),
    "graphs": (
        "{graphs:graph|graphs} a step for {calls:call|calls} of the hooked layers",
        "转换后的层每步调用 {calls} 次，运行 {graphs} 个图",
    ),
    "breaks": (
        "{count:distinct graph break|distinct graph breaks}",
        "有 {count} 处图断裂（重复的只计一次）",
    ),
    "operators": (
        "{inside} of {all:operator|operators} of the nets' forward ran inside programs",
        "网络前向的 {all} 个算子中有 {inside} 个在程序内运行",
    ),
    "late": (
        "New programs were made after the first steps: {count}, the last at step {step}.",
        "最初几步之后又生成了 {count} 个新程序，最后一个在第 {step} 步。",
    ),
    "fallbacks": (
        "Fallbacks to dynamic code: {count} ({reasons}).",
        "回退到动态图代码 {count} 次（{reasons}）。",
    ),
    "amp-not-real": (
        "The mixed precision asked for is not real on this device: both trained in float32.",
        "此设备不真正支持所要求的混合精度：两者都以 float32 训练。",
    ),
    # Several processes, and runs that were broken off.
    "rank": ("Rank {rank} of {ranks}:", "{ranks} 个进程中的第 {rank} 个："),
    "ranks-part": (
        "The ranks' weights differ from step {step} on; in dynamic training they are equal after "
        "every step.",
        "各进程的权重从第 {step} 步起不同；在动态图训练中每一步之后都相同。",
    ),
    "ranks-part-earlier": (
        "The ranks' weights differ from step {step} on; in dynamic training from step {dynamic}.",
        "各进程的权重从第 {step} 步起不同；在动态图训练中从第 {dynamic} 步起不同。",
    ),
    "ranks-equal": (
        "{ranks} processes, whose weights are the same after every step.",
        "{ranks} 个进程，每一步之后权重都相同。",
    ),
    "ranks-unequal": (
        "{ranks} processes, whose weights differ from step {step} on, in dynamic training too: "
        "the kit does not exchange all gradients.",
        "{ranks} 个进程，其权重从第 {step} 步起不同，动态图训练中也是如此：套件没有交换全部梯度。",
    ),
    "interrupted": (
        "Interrupted: dynamic training made {made} of {steps:step|steps}.",
        "中断：动态图训练了 {made}/{steps} 步。",
    ),
    "interrupted-static": (
        "Interrupted: dynamic training made {made} of {steps:step|steps}, {mode} {static}.",
        "中断：动态图训练了 {made}/{steps} 步，{mode} 训练了 {static} 步。",
    ),
}
