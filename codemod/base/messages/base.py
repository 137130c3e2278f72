"""What a kit's own files say, in their words."""

TABLE: dict[str, tuple[str, str]] = {
    "said": ("{words}", "{words}"),
}
