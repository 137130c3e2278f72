"""Operations on a file, carried out with LibCST: every byte outside of them survives."""
