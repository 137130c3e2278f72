"""What the engine says, of places and gates and of layers that cannot be split."""

from codemod.base.messages.engine import places, splits

TABLE: dict[str, tuple[str, str]] = {**places.TABLE, **splits.TABLE}
