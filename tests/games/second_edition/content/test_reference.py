"""Reference page: it has every key of a pack with a sentence on each."""

import attrs
import pytest

from content.games.second_edition import reference, sentences
from content.games.second_edition.json_schema import files, written
from content.games.second_edition.schema.effects import Step
from content.games.second_edition.schema.requirements import Requirement
from content.games.second_edition.schema.scenario import Scenario
from content.reading.parts import parts_of

pytestmark = pytest.mark.issue(16)


def test_the_page_is_current() -> None:
    """To update it, run `python -m content.games.second_edition.reference`."""
    assert reference.PAGE.read_text("utf-8") == reference.REFERENCE.page()


def test_the_schemas_of_editors_are_current() -> None:
    """Schemas have the same sentences as the page.

    To update them, run `python -m content.language.json_schema`.
    """
    assert files() == written()


def test_every_key_and_word_has_a_sentence() -> None:
    """The sentence is a docstring in the schema, or is listed for keys of one meaning."""
    assert list(reference.REFERENCE.silent()) == []


@pytest.mark.parametrize(
    ("table", "key", "silent"),
    [
        (sentences.SENTENCES, "rows", ["Slide.rows", "Lock.rows"]),
        (sentences.WORDS["Harm"], "damage", ["Harm.damage"]),
    ],
)
def test_a_key_without_a_sentence_is_found(
    table: dict[str, str], key: str, silent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new key must not come without one."""
    monkeypatch.delitem(table, key)

    assert list(reference.REFERENCE.silent()) == silent


def test_the_page_has_every_step_requirement_and_key_of_a_scenario() -> None:
    page = reference.REFERENCE.page()

    for family in (Step, Requirement):
        assert [key for key in parts_of(family) if f"### `{key}`\n" not in page] == []
    section = page.partition("### Scenario\n")[2].partition("\n### ")[0]
    keys = [field.name for field in attrs.fields(Scenario)]
    assert [key for key in keys if f"| `{key}` |" not in section] == []


def test_no_sentence_is_there_for_nothing() -> None:
    page = reference.REFERENCE.page()

    assert [said for said in sentences.SENTENCES.values() if said not in page] == []
