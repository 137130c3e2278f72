"""What the judge says of speed, and of where many epochs end."""

TABLE: dict[str, tuple[str, str]] = {
    "speed-nothing-static": (
        "No program ran: SOT leaves graphs of fewer operators than MIN_GRAPH_SIZE (10) dynamic, "
        "and its checks cost time all the same.",
        "没有任何静态程序运行：SOT 把算子数少于 MIN_GRAPH_SIZE（10）的子图留作动态图，"
        "而它的检查仍要花时间。",
    ),
    "speed-program-a-step": (
        "{count:program was|programs were} made in {steps:step|steps} after warm-up: {why}.",
        "预热之后的 {steps} 步里又新建了 {count} 个程序：{why}。",
    ),
    "speed-late-programs": (
        "{count:program was|programs were} still made in {steps:step|steps} after warm-up, each a "
        "stop of training: {why}.",
        "预热之后的 {steps} 步里仍新建了 {count} 个程序，每次都会让训练停顿：{why}。",
    ),
    "speed-shapes": ("inputs change ({inputs})", "输入在变化（{inputs}）"),
    "speed-guard": (
        "no input changed its form, so it is a value that a guard checks, or code that Paddle "
        "does not keep",
        "输入的形式没有变化，因此是 guard 检查的某个值变了，或是 Paddle 不缓存这段代码",
    ),
    "speed-breaks": ("The graph breaks at {count:place|places}.", "图在 {count} 处中断。"),
    "speed-breaks-at": (
        "The graph breaks at {count:place|places}, such as {lines}.",
        "图在 {count} 处中断，例如 {lines}。",
    ),
    "speed-dense": (
        "Gradients that hold a few rows in dynamic training are dense in static training, so every "
        "update walks the whole table: {names}.",
        "动态图训练中只含少数行的梯度，在静态图训练中变成了稠密的，每次更新都要遍历整张表：{names}。",
    ),
    "speed-tiny": (
        "A program holds {operators:operator|operators}, too few to pay for what each call of it "
        "costs.",
        "一个程序只有 {operators} 个算子，抵不上每次调用它的开销。",
    ),
    "speed-part-forward": (
        "Forward takes {times} times as long as in dynamic training.",
        "前向耗时是动态图训练的 {times} 倍。",
    ),
    "speed-part-backward": (
        "Backward takes {times} times as long as in dynamic training.",
        "反向耗时是动态图训练的 {times} 倍。",
    ),
    "speed-part-step": (
        "The optimizer's step takes {times} times as long as in dynamic training.",
        "优化器更新耗时是动态图训练的 {times} 倍。",
    ),
    "speed-no-pairs": (
        "No pair of steps was timed: {why}.",
        "没有计时到任何一对步骤：{why}。",
    ),
    "speed-few-pairs": (
        "No process gave more than {most:steady pair|steady pairs}, and fewer than {least} say "
        "nothing: give more --steps.",
        "没有一个进程给出多于 {most} 对稳定的步骤，少于 {least} 对不足以下结论：请增大 --steps。",
    ),
    "speed-no-loader": (
        "no data loader of Paddle's hands out the batches",
        "数据批次不是由 Paddle 的 DataLoader 给出的",
    ),
    "speed-run-ended": (
        "the kit's run ended before the end ({how}): {last:error}",
        "套件的运行提前结束（{how}）：{last:error}",
    ),
    "speed-wide": (
        "Processes differ too much: the interval is {width} % of the ratio, and {most} % is the "
        "limit.",
        "各进程之间相差太大：区间宽度是比值的 {width}%，上限为 {most}%。",
    ),
    "speed-few": (
        "{count:process|processes} gave steady pairs, and fewer than {least} say nothing.",
        "只有 {count} 个进程给出了稳定的成对步骤，少于 {least} 个不足以下结论。",
    ),
    "speed-shapes-cost": (
        "Batches change as the kit's own do: {own:program|programs} and {own_ms} ms a step in "
        "{steps:step|steps}, against {fixed:program|programs} and {fixed_ms} ms with one batch "
        "over and over. `codemod spec` looks for the InputSpec that makes it one program.",
        "按套件自身的方式变化批次时：{steps} 步里有 {own} 个程序、每步 {own_ms} ms；"
        "反复使用同一批次时有 {fixed} 个程序、每步 {fixed_ms} ms。"
        "可用 `codemod spec` 寻找使其成为一个程序的 InputSpec。",
    ),
    "speed-ratio": (
        "{times} times as fast as dynamic training ({low} to {high}; {dynamic} ms dynamic, "
        "{static} ms static).",
        "速度是动态图训练的 {times} 倍（{low} 至 {high}；"
        "动态图 {dynamic} ms，静态图 {static} ms）。",
    ),
    "speed-on": (
        "On {device}, {threads:thread|threads} ({machine}), {date}: {pairs} pairs of steps in "
        "{processes:process|processes}.",
        "在 {device}、{threads} 个线程（{machine}）上，{date}："
        "{processes} 个进程中的 {pairs} 对步骤。",
    ),
    "speed-measured": (
        "Measured anew at loads of {low} to {high}: {each}; the interval is that of all.",
        "在 {low} 至 {high} 的负载下多次测得：{each}；区间涵盖所有测量。",
    ),
    "speed-apart": (
        "{count:measurement|measurements} lie on both sides, or none of them was narrow enough.",
        "{count} 次测量分处两侧，或没有一次足够窄。",
    ),
    "speed-clock": (
        "The card's clock was at {low} to {high} MHz.",
        "显卡时钟为 {low} 至 {high} MHz。",
    ),
    "speed-throttled": (
        "The card's clock was at {low} to {high} MHz, held back by power or heat.",
        "显卡时钟为 {low} 至 {high} MHz，曾因功耗或温度降频。",
    ),
    "speed-elsewhere": (
        "It was asked to train on {wanted}, and computed on {found}.",
        "要求在 {wanted} 上训练，实际却在 {found} 上计算。",
    ),
    "speed-compile": ("Compiling took {seconds} s.", "编译用了 {seconds} 秒。"),
    "speed-pays-off": (
        "Compiling took {seconds} s, which {steps:step pays|steps pay} off.",
        "编译用了 {seconds} 秒，{steps} 步之后收回。",
    ),
    "speed-faster": (
        "{times} times as fast ({device}, {threads:thread|threads})",
        "速度为动态图的 {times} 倍（{device}，{threads} 个线程）",
    ),
    "speed-same": (
        "as fast as dynamic ({device}, {threads:thread|threads})",
        "与动态图同速（{device}，{threads} 个线程）",
    ),
    "speed-slower": (
        "slower: {times} times as fast ({device}, {threads:thread|threads})",
        "更慢：速度为动态图的 {times} 倍（{device}，{threads} 个线程）",
    ),
    "speed-unclear": (
        "speed unclear ({device}, {threads:thread|threads})",
        "速度未明（{device}，{threads} 个线程）",
    ),
    "speed-short": (
        "A step loses {lost} ms, about what calling a program costs: one of {dynamic} ms is too "
        "short to win that back.",
        "每步多花 {lost} ms，大致是调用一次程序的开销：{dynamic} ms 的一步太短，无法收回。",
    ),
    "epochs-course": (
        "At its furthest, in {first:step|steps} to {last}, the loss is {factor} times as far from "
        "dynamic training's as one unit in the last place of every weight moves it.",
        "loss 偏离动态图训练最远处（第 {first} 至 {last} 步），"
        "是所有权重各动一个末位单位所致偏离的 {factor} 倍。",
    ),
    "epochs-equivalent": (
        "{name}: {dynamic} dynamic, {static} static; the difference lies in {low} to {high}, "
        "within ±{bound}.",
        "{name}：动态图 {dynamic}，静态图 {static}；差值在 {low} 至 {high} 之间，未超出 ±{bound}。",
    ),
    "epochs-differs": (
        "{name}: {dynamic} dynamic, {static} static; the difference lies in {low} to {high}, "
        "beyond ±{bound}.",
        "{name}：动态图 {dynamic}，静态图 {static}；差值在 {low} 至 {high} 之间，超出 ±{bound}。",
    ),
    "epochs-unclear": (
        "{name}: {dynamic} dynamic, {static} static; the difference lies in {low} to {high}, which "
        "crosses ±{bound}: more seeds would tell.",
        "{name}：动态图 {dynamic}，静态图 {static}；差值在 {low} 至 {high} 之间，"
        "跨过了 ±{bound}：需要更多随机种子才能判断。",
    ),
    "epochs-final-loss": ("final loss", "最终 loss"),
    "epochs-mean-loss": ("mean loss", "平均 loss"),
    "epochs-metric": ("metric", "评估指标"),
    "epochs-sure": (
        "With dynamic training's own control in the place of static training, {alarms} % of draws "
        "were called different and {unclear} % unclear; a shift of {shift} in the final loss would "
        "have been called a difference ({seeds:seed|seeds}).",
        "以动态图自身的对照训练代替静态图训练时，"
        "{alarms}% 的抽样被判为有差异、{unclear}% 不能判断；"
        "最终 loss 偏移 {shift} 就会被判为有差异（{seeds} 个随机种子）。",
    ),
    "epochs-run-ended": (
        "The training {side} with seed {seed} ended before its end: {last:error}",
        "训练 {side}（随机种子 {seed}）提前结束：{last:error}",
    ),
    "epochs-diverge": (
        "Dynamic training itself leaves the finite numbers.",
        "动态图训练自身就出现了非有限数值。",
    ),
    "epochs-no-learning": (
        "Dynamic training does not learn here: its loss does not fall by a tenth, so its end says "
        "nothing.",
        "动态图训练在这里没有学到东西：loss 下降不到一成，其终点不说明任何问题。",
    ),
    "epochs-equal-seeds": (
        "Two seeds train alike to the last bit: the code fixes its first weights and its order, so "
        "its seeds have no spread to judge by.",
        "有两个随机种子的训练逐位相同：代码固定了初始权重和数据顺序，因此各种子之间没有可供判断的差异。",
    ),
    "epochs-void-control": (
        "The control moved no weight, so nothing is known of rounding.",
        "对照训练没有移动任何权重，因此对舍入的影响一无所知。",
    ),
    "epochs-no-program": (
        "No static program ran.",
        "没有任何静态程序运行。",
    ),
    "epochs-not-finite": (
        "Static training leaves the finite numbers, dynamic training does not.",
        "静态图训练出现了非有限数值，动态图训练没有。",
    ),
    "epochs-other-length": (
        "Static training makes {static:step|steps}, dynamic training {dynamic}.",
        "静态图训练了 {static} 步，动态图训练了 {dynamic} 步。",
    ),
}
