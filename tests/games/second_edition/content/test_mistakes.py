"""Errors of the loader: each names file, line, column and key, and says what to do.

`mistakes.yaml` lists edits of one place in the tiny pack, each with the complete messages expected.
"""

from pathlib import Path
from typing import Any

import pytest

from content.reading.mistakes import MAX_TOLD, ContentError, ContentErrors, Place, suggestion
from content.reading.yaml_subset import MAX_DEPTH, MAX_FILE_BYTES, MAX_NODES
from tests.games.second_edition.content.packs import FILES, edited, mistakes_in
from tests.kit import reading_yaml

TABLE = Path(__file__).parent / "mistakes.yaml"
CASES: list[dict[str, Any]] = reading_yaml.safe(TABLE.read_text(encoding="utf-8"))


def test_tiny_pack_has_no_mistakes() -> None:
    assert mistakes_in(FILES) == ()


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
def test_mistake_is_told(case: dict[str, Any]) -> None:
    told = mistakes_in(edited(case["file"], case["old"], case["new"]))

    assert [str(error) for error in told] == case["told"]


def test_every_case_is_a_mistake() -> None:
    """Each entry of `mistakes.yaml` has a name of its own."""
    assert all(case["told"] for case in CASES)
    assert len({case["name"] for case in CASES}) == len(CASES) > 100


def test_all_mistakes_are_told_at_once() -> None:
    files = {
        **edited("items.yaml", "deck: unique", "deck: uniq"),
        "insane.yaml": FILES["insane.yaml"].replace(b"true", b"yes"),
        "scenarios/cellar.yaml": FILES["scenarios/cellar.yaml"].replace(b"start: hall/a", b""),
    }

    told = mistakes_in(files)

    assert [(error.file, error.line) for error in told] == [
        ("insane.yaml", 5),
        ("items.yaml", 15),
        ("scenarios/cellar.yaml", 1),
    ]


def test_what_cannot_be_read_is_not_missed_elsewhere() -> None:
    """A file that is no YAML gives one error, not one for each reference to its content."""
    told = mistakes_in({**FILES, "items.yaml": b"- id: [", "words/fr/words.yaml": b"a: 'b"})

    assert [error.file for error in told] == ["items.yaml", "words/fr/words.yaml"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("item.yaml", "did you mean 'items.yaml'?"),
        ("items.yml", "did you mean 'items.yaml'?"),
        ("scenarios/deep/cellar.yaml", "a pack has no such file"),
        ("words/de/words.yaml", "a pack has no such file"),
        ("words/words.yaml", "a pack has no such file"),
    ],
)
def test_unknown_file_is_refused(name: str, reason: str) -> None:
    """Otherwise a file with a misspelt name would be ignored silently."""
    (told,) = mistakes_in({**FILES, name: b"[]"})

    assert told.file == name
    assert reason in told.reason


def test_file_that_is_no_text_is_refused() -> None:
    (told,) = mistakes_in({**FILES, "conditions.yaml": b"# one\n# \xff\n"})

    assert told == ContentError("conditions.yaml", 2, 1, "", "not UTF-8; save the file as UTF-8")


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b"#" * (MAX_FILE_BYTES + 1), 1, "bytes"),
        (b"[" * (MAX_DEPTH + 2) + b"]" * (MAX_DEPTH + 2), 1, "nested deeper"),
        (b"- a\n" * (MAX_NODES + 1), MAX_NODES, "nodes"),
        (b"[" * 100_000, 1, "nested deeper"),
    ],
    ids=["long", "deep", "many", "deep without end"],
)
def test_bounds_are_refused(data: bytes, line: int, reason: str) -> None:
    (told,) = mistakes_in({**FILES, "conditions.yaml": data})

    assert (told.file, told.line) == ("conditions.yaml", line)
    assert reason in told.reason


def test_empty_file_is_refused() -> None:
    (told,) = mistakes_in({**FILES, "conditions.yaml": b"# nothing\n"})

    assert told.reason == "the file is empty; write [] if there is nothing to say"


def test_subject_is_worded_once() -> None:
    told = mistakes_in({**FILES, "words/en/zz.yaml": b"rat/hit: x {0} {1} {2}\n"})

    assert [str(error) for error in told] == [
        "words/en/zz.yaml:1:1: rat/hit: a second time; the first stands in words/en/words.yaml:20"
    ]


def test_language_without_words_is_one_mistake() -> None:
    files = {name: data for name, data in FILES.items() if not name.startswith("words/fr")}

    (told,) = mistakes_in(files)

    assert (told.file, told.reason) == ("words/fr", "no words in 'fr'; a pack speaks en and fr")


def test_message_is_bounded() -> None:
    errors = ContentErrors(ContentError("f", line, 1, "", "bad") for line in range(1, 301))

    assert len(errors.errors) == 300
    assert str(errors).count("\n") == MAX_TOLD
    assert str(errors).endswith("… and 200 more")


def test_mistake_is_one_line() -> None:
    """Most terminals make file, line and column clickable."""
    assert str(ContentError.at(Place("a.yaml", 3, 4, "x.y"), "bad")) == "a.yaml:3:4: x.y: bad"


@pytest.mark.parametrize(
    ("word", "known", "advice"),
    [
        ("helth", ["health", "sanity"], "did you mean 'health'?"),
        ("zz", ["b", "a"], "known: a, b"),
        ("zz", [], "there is none"),
        ("zz", [f"a{n}" for n in range(10, 30)], "a20, a21, …"),
    ],
)
def test_a_misspelt_word_is_answered_with_the_closest(
    word: str, known: list[str], advice: str
) -> None:
    assert suggestion(word, known).endswith(advice)
