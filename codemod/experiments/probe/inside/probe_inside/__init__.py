"""The part of a probe that runs inside the kit's environment.

Only the standard library, NumPy, Paddle, the recorder and the kit may be imported here. Works on
Python 3.8 to 3.13, Paddle 2.6 and 3.x.

What differs from kit to kit is its adapter, `rules/<Kit>/adapter.py`: which models there are, how
one is built, what it is fed. An adapter has `VERSION` (raised when results of before should not
stand), `prepare()` (imports the kit, called once before any fork), `models(configs)` (a list of
`subject.model(...)`), and `build(config, attempt)` (a `Subject`). `CONFIGS` may name globs of the
files that stand for models where a kit has no configs, `NOTE` what else than the checkout was used.
Errors that are the probe's own are `Refused`.
"""
