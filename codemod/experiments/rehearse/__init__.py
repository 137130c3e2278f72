"""A trainer run on a stand-in for Paddle, before and after the change, and compared."""
