"""Units that are not in the corpus yet."""

import os
from pathlib import Path

from chcfuzz.campaign.session.unmerged import UnmergedUnits


def test_the_corpus_may_have_a_name_that_the_locale_cannot_encode(tmp_path: Path) -> None:
    corpus = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    corpus.mkdir()
    units = UnmergedUnits(tmp_path)
    units.enable(corpus)
    assert units.corpus == corpus
