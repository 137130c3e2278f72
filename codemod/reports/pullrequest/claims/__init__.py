"""What the text of a pull request may claim, each from code or results."""
