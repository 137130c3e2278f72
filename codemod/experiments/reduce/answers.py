"""What runs said of candidates, kept in a file: an interrupted reduction asks nothing twice."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from pathlib import Path


class Answers:
    """Answers by a candidate's text, for one question; threads may ask side by side.

    `question` is all that an answer depends on beside the text: another one starts anew.
    """

    def __init__(self, file: Path, question: str, ask: Callable[[str], bool]) -> None:
        self._file, self._ask = file, ask
        self._known: dict[str, bool] = {}
        self._writing = threading.Lock()
        # The last line of a run that was ended while it wrote is no whole one.
        text = file.read_text(encoding="utf-8").rpartition("\n")[0] if file.is_file() else ""
        first, *lines = map(json.loads, text.splitlines() or ["{}"])
        if first == {"question": question}:
            self._known = {line["text"]: line["shows"] for line in lines}
        else:
            file.write_text(json.dumps({"question": question}) + "\n", encoding="utf-8")

    def __len__(self) -> int:
        return len(self._known)

    def __call__(self, text: str) -> bool:
        """Whether a candidate shows it, by a run unless that is known."""
        key = hashlib.sha256(text.encode()).hexdigest()[:20]
        if key not in self._known:
            shows = self._ask(text)
            with self._writing, self._file.open("a", encoding="utf-8") as file:
                self._known[key] = shows
                file.write(json.dumps({"text": key, "shows": shows}) + "\n")
        return self._known[key]
