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
        "批次按套件自身的方式变化时：{steps} 步里有 {own} 个程序、每步 {own_ms} ms；"
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
    "speed-others": (
        "Of the {lost} ms that a static step loses, {ms} ms go to other threads: on a CPU Paddle's "
        "static executor gives each tensor's memory back in a thread of its own.",
        "静态图的一步多花 {lost} ms，其中 {ms} ms 花在其他线程上："
        "在 CPU 上，Paddle 的静态图执行器用单独的线程逐个归还张量的内存。",
    ),
    "speed-faults": (
        "It meets {count:page fault|page faults} more, and the system takes {ms} ms more of the "
        "training thread: memory goes back to the system and is fetched again.",
        "缺页中断多 {count} 次，系统在训练线程中多占 {ms} ms：内存归还给系统后又要重新取得。",
    ),
    "speed-woken": (
        "The system takes {ms} ms more of the training thread without page faults, as waking "
        "another thread does.",
        "系统在训练线程中多占 {ms} ms，却没有缺页中断，正如唤醒另一线程时那样。",
    ),
    "speed-kept-memory": (
        "With all memory kept on both sides (FLAGS_eager_delete_tensor_gb=-1, MALLOC_MMAP_MAX_=0, "
        "MALLOC_TRIM_THRESHOLD_=2147483647), which takes more of it, static training is {times} "
        "times as fast ({low} to {high}).",
        "两边都保留全部内存时（FLAGS_eager_delete_tensor_gb=-1、MALLOC_MMAP_MAX_=0、"
        "MALLOC_TRIM_THRESHOLD_=2147483647，内存占用更多），"
        "静态图的速度是动态图的 {times} 倍（{low} 至 {high}）。",
    ),
    "speed-not-found": (
        "Of {percent} % of the loss the cause was not found; excluded: {excluded}.",
        "多花的时间中有 {percent}% 未找到原因；已排除：{excluded}。",
    ),
    "speed-no-programs": ("programs made anew", "重新建立程序"),
    "speed-no-breaks": ("graph breaks", "图断裂"),
    "speed-no-dense": ("gradients that became dense", "梯度变为稠密"),
    "speed-no-memory": ("how memory is given back", "内存归还的方式"),
    "speed-before-reasons": (
        "It was measured before causes were looked for in threads and memory.",
        "测量时尚未从线程和内存方面查找原因。",
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
    "epochs-silent": (
        "{name}: {dynamic} in every training, so it tells nothing of the mode.",
        "{name}：每次训练都是 {dynamic}，因此不能说明两种模式是否有别。",
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
