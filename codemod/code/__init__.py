"""Reading Python: files, modules, projects, patterns, and the sites that matter to one model.

>>> from codemod.code.pattern import compile_pattern, fill, match
>>> statement = compile_pattern("net = models.build(cfg, 1)")
>>> found = match(compile_pattern("$MODEL = build($_, ...)"), statement)
>>> fill("$MODEL = to_static($MODEL)", found)
'net = to_static(net)'
"""
