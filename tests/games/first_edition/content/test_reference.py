"""Pages for authors: every key has a sentence, and every example is one of the starter."""

import re
from pathlib import Path

from content.games.first_edition import reference, sentences
from content.games.first_edition.plug import KIND

PAGE = Path(__file__).parents[4] / "docs" / "first-edition" / "README.md"


def test_the_page_is_current() -> None:
    """To update it, run `python -m content.games.first_edition.reference`."""
    assert reference.PAGE.read_text("utf-8") == reference.REFERENCE.page()


def test_every_key_and_word_has_a_sentence() -> None:
    """The sentence is a docstring in the schema, or is listed for keys of one meaning."""
    assert list(reference.REFERENCE.silent()) == []


def test_no_sentence_is_there_for_nothing() -> None:
    page = reference.REFERENCE.page()

    unused = [key for key, said in sentences.SENTENCES.items() if said not in page]
    assert unused == []


def test_examples_are_those_of_the_starter() -> None:
    files = [
        [line.strip() for line in data.decode().split("\n")] for data in KIND.starter().values()
    ]
    blocks = re.findall(r"^```yaml\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)

    assert blocks
    for block in blocks:
        lines = [line.strip() for line in block.rstrip("\n").split("\n")]
        assert any(
            lines == file[at : at + len(lines)] for file in files for at in range(len(file))
        ), block
