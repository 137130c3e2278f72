"""The part of a rehearsal that runs inside the boxed process: a stand-in for Paddle."""
