"""The part of `codemod reduce` that runs beside Paddle, in a child of a probe's server.

Only the standard library, NumPy, Paddle, the kit and the probe's package may be imported here.
Works on Python 3.8 to 3.13, Paddle 2.6 and 3.x.
"""
