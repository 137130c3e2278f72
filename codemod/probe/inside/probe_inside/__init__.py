"""The part of a probe that runs inside the kit's environment.

Only the standard library, NumPy, Paddle, the recorder and the kit may be imported here. Works on
Python 3.8 to 3.13, Paddle 2.6 and 3.x.
"""
