"""`python -m codemod`."""

from codemod.cli import main

if __name__ == "__main__":
    main()
