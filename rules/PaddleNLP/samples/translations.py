"""Sentences and their translations, with the YAML files that scripts for translation read.

pairs.txt holds `sentence<tab>translation`, words.txt the words of both; datasets/WMT14ende the same
in a file for each language. Such a script has its switch in the YAML file alone, so DEVICE.yaml is
the one for training without, DEVICE-to_static.yaml for training with it.
"""

from __future__ import annotations

from pathlib import Path

from codemod.training.samples.making import Samples

from .language_models import WORDS

# The numbers of these marks are in the YAML file.
_MARKS = ("<s>", "<e>", "<unk>")
# The names of the published files, which the kit's dataset looks for.
_PUBLISHED = "wmt14_ende_data_bpe"
_SPLITS = {
    "train": f"{_PUBLISHED}/train.tok.clean.bpe.33708",
    "dev": f"{_PUBLISHED}/newstest2013.tok.bpe.33708",
}
_VOCABULARIES = (f"{_PUBLISHED}/vocab_all.bpe.33708", f"{_PUBLISHED}/vocab_all.bpe.33712")
# The keys of the kit's transformer.base.yaml and of its transformer.yaml for translation while a
# sentence is still being said, with a tiny model. A batch is counted in words.
_CONFIG = Path(__file__).with_suffix(".yaml")


def generate(samples: Samples) -> None:
    """`count` sentences of half to all of `size` words; a translation is the sentence reversed."""
    sentences = [samples.random.choices(WORDS, k=samples.length(2)) for _ in range(samples.count)]
    ours = [" ".join(words) for words in sentences]
    theirs = [" ".join(reversed(words)) for words in sentences]
    pairs = (f"{own}\t{other}" for own, other in zip(ours, theirs, strict=True))
    samples.write_lines("pairs.txt", pairs)
    published = "datasets/WMT14ende/WMT14.en-de"
    for name in _SPLITS.values():
        samples.write_lines(f"{published}/{name}.en", ours)
        samples.write_lines(f"{published}/{name}.de", theirs)
    for name in ("words.txt", *(f"{published}/{name}" for name in _VOCABULARIES)):
        samples.write_lines(name, (*_MARKS, *WORDS))
    for device in ("cpu", "gpu"):
        for name, switch in ((device, "False"), (f"{device}-to_static", "True")):
            own = f"device: {device}\nto_static: {switch}\n"
            samples.write(f"{name}.yaml", _CONFIG.read_text() + own)
