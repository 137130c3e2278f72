"""InputSpec from the batches that are fed: observe, derive, render, compare, write, check."""
