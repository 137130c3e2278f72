"""Whether static training is faster, and why not."""
