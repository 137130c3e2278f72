"""InputSpec from batches really fed: observe, derive, render, compare, write, check."""
