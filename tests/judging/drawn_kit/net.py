"""Lines that drawn runs break and fail at."""


def forward(x: int) -> int:
    """A loop, a print, a maximum: what some signs look for in a line."""
    print(x)
    while x > 1:
        x = max(x - 1, 0)
    return x
