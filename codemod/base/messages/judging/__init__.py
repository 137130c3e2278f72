"""What the judge says of two trainings, of speed, and of where many epochs end."""

from codemod.base.messages.judging import parity, runs

TABLE: dict[str, tuple[str, str]] = {**parity.TABLE, **runs.TABLE}
