"""Several sides in one process, from the same weights: what is put back, compared and planted."""
