"""One module a kit: which models there are, how one is built, what it is fed.

Each has `VERSION` (raised when results of before should not stand), `prepare()` (imports the kit,
called once before any fork), `models(configs)` (a list of `Model` as dicts), and
`build(config, attempt)` (a `Subject`). Errors that are the probe's own are `Refused`.
"""
