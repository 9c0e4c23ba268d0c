"""Catalogue and tests agree: each due entry is pinned, and each mark names an entry."""

import pytest

from tests.games.rulebook.books import Book, book_of, games
from tests.games.rulebook.catalogue import (
    Mark,
    Rule,
    faults,
    kind_of,
    load,
    made_due,
    marks,
    marks_in,
    read,
    report,
)
from tests.games.rulebook.faults import ids_in as ids_named_in

PLACE = "tests/games/a_game/rules/test_it.py"
SMALL = """
EVADE:
  EVADE-1: {since: 2, says: "Leaving takes a check."}
  EVADE-2: {later: no push yet, says: "Pushing takes one too."}
EX:
  EX-1: {since: 2, says: "Agatha slips away."}
"""
RULES = read(SMALL)


def mark(id_: str) -> Mark:
    return Mark(id_, f"{PLACE}:7")


PARAMETER = "1, marks=pytest.mark.rule('A-1')"

ALL_DUE = [mark("EVADE-1"), mark("EX-1")]


def ids_in(source: str) -> list[str]:
    return [found.id for found in marks_in(source, "test_it.py")]


# Each game -----------------------------------------------------------------------------------


@pytest.fixture(params=games())
def book(request: pytest.FixtureRequest) -> Book:
    return book_of(request.param)


def test_what_is_due_is_pinned_and_every_mark_names_an_entry(book: Book) -> None:
    rules = load(book)

    wrong = faults(rules, marks(book, rules))

    assert not wrong, "\n" + "\n".join(wrong)


def test_no_entry_is_lost(book: Book) -> None:
    """The expected counts per kind are in the game's book."""
    kinds = [kind_of(book, rule) for rule in load(book).values()]

    assert {kind: kinds.count(kind) for kind in book.sizes} == book.sizes
    assert len(kinds) == sum(book.sizes.values())


def test_no_two_entries_say_the_same(book: Book) -> None:
    said = [rule.says for rule in load(book).values()]

    assert sorted({says for says in said if said.count(says) > 1}) == []


def test_every_entry_that_another_one_names_exists(book: Book) -> None:
    rules = load(book)
    texts = (text for rule in rules.values() for text in (rule.says, rule.later, rule.unbitten))

    assert {id_ for text in texts for id_ in ids_named_in(text)} - rules.keys() == set()


# Faults that are found -------------------------------------------------------------------------


def test_a_catalogue_that_agrees_with_its_marks_has_no_faults() -> None:
    assert faults(RULES, ALL_DUE) == []


def test_an_entry_that_is_due_and_has_no_test_is_told() -> None:
    assert faults(RULES, [mark("EVADE-1")]) == ["EX-1 has no test: Agatha slips away."]


def test_a_mark_that_names_no_entry_is_told() -> None:
    told = f"{PLACE}:7 marks EVADE-11, which is not in the catalogue"

    assert faults(RULES, [*ALL_DUE, mark("EVADE-11")]) == [told]


def test_an_entry_that_is_put_off_and_has_a_test_is_told() -> None:
    told = f"{PLACE}:7 pins EVADE-2, put off (no push yet): `make rules-due`"

    assert faults(RULES, [*ALL_DUE, mark("EVADE-2")]) == [told]


@pytest.mark.parametrize(
    "data",
    [
        "EVADE:\n  EVADE-2: {since: 2, says: It is two.}",
        "EVADE:\n  MOVE-1: {since: 2, says: It is of another section.}",
        "EVADE:\n  EVADE-1: {says: It is neither due nor put off.}",
        "EVADE:\n  EVADE-1: {since: 2, later: never, says: It is both.}",
        "EVADE:\n  EVADE-1: {later: '', says: It is put off for no reason.}",
        "EVADE:\n  EVADE-1: {since: 2, says: ''}",
        "EVADE:\n  EVADE-1: {since: 2, say: It is misspelt.}",
    ],
)
def test_an_entry_that_is_none_is_refused(data: str) -> None:
    with pytest.raises(ValueError, match="EVADE-1"):
        read(data)


# Marks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "ids"),
    [
        ("@pytest.mark.rule('A-1')\ndef test_it(): ...", ["A-1"]),
        ("@pytest.mark.rule('A-1')\n@pytest.mark.rule('A-2')\ndef test_it(): ...", ["A-1", "A-2"]),
        ("@pytest.mark.rule('A-1', 'A-2')\ndef test_it(): ...", ["A-1", "A-2"]),
        ("rule = pytest.mark.rule\n@rule('A-1')\ndef test_it(): ...", ["A-1"]),
        (
            f"@pytest.mark.parametrize('x', [pytest.param({PARAMETER})])\ndef test_it(x): ...",
            ["A-1"],
        ),
        ("class TestIt:\n    @pytest.mark.rule('A-1')\n    def test_it(self): ...", ["A-1"]),
    ],
)
def test_marks_are_found_on_tests(source: str, ids: list[str]) -> None:
    assert ids_in(source) == ids


@pytest.mark.parametrize(
    "source",
    [
        "@rule('A-1')\ndef test_it(): ...",
        "@pytest.mark.rule('A-1')\ndef helper(): ...",
        "@pytest.mark.skip\n@pytest.mark.rule('A-1')\ndef test_it(): ...",
        "@pytest.mark.xfail(strict=True)\n@pytest.mark.rule('A-1')\ndef test_it(): ...",
        "# @pytest.mark.rule('A-1')\ndef test_it(): ...",
        "def test_it():\n    pytest.mark.rule('A-1')",
    ],
)
def test_what_runs_no_test_pins_nothing(source: str) -> None:
    assert ids_in(source) == []


@pytest.mark.parametrize(
    "mark_", ["rule()", "rule(A)", "rule(id='A' + '-1')", "rule(f'A-{1}')", "rule(7)"]
)
def test_a_mark_without_a_plain_id_is_no_entry(mark_: str) -> None:
    """A mark whose id is no string literal is reported as unknown instead of being ignored."""
    (found,) = ids_in(f"@pytest.mark.{mark_}\ndef test_it(): ...")

    assert found not in {**RULES, "A-1": Rule("A-1", "It is.")}


def test_marks_know_their_place() -> None:
    source = "\n\n@pytest.mark.rule('A-1')\ndef test_it(): ..."

    assert list(marks_in(source, "tests/test_it.py")) == [Mark("A-1", "tests/test_it.py:3")]


# Figures ---------------------------------------------------------------------------------------


def test_report_counts_by_section_and_kind() -> None:
    assert report(book_of("second_edition"), RULES, [mark("EVADE-1"), mark("EVADE-1")]) == [
        "              pinned/due/all",
        "EVADE              1/1/2",
        "EX                 0/1/1  EX-1",
        "",
        "rules              1/1/2",
        "decisions          0/0/0",
        "examples           0/1/1  EX-1",
        "",
        "put off     1",
        "            1  no push yet",
    ]


def test_report_counts_what_is_put_off_by_reason() -> None:
    """The most frequent reason comes first."""
    reasons = ("no wind", "no sea", "no sea")
    rules = {f"A-{n}": Rule(f"A-{n}", "It is.", reason) for n, reason in enumerate(reasons)}

    assert report(book_of("woods"), rules, [])[-3:] == [
        "put off     3",
        "            2  no sea",
        "            1  no wind",
    ]


def test_report_of_a_catalogue_in_which_all_is_due_names_no_reasons() -> None:
    rules = {"A-1": Rule("A-1", "It is.")}

    assert not [line for line in report(book_of("woods"), rules, []) if "put off" in line]


# Made due --------------------------------------------------------------------------------------

PUT_OFF = """# Kites.
KITE:
  KITE-1: {later: no wind yet, says: "Kites fly."}
  KITE-2: {later: "no sea yet, and \\"no\\" ship", says: "Later: a kite, says: nobody."}
  # A knot.
  KITE-3: {later: 'no knot: no string', says: "Strings hold.", unbitten: "It is a word."}
  KITE-4: {later: it isn't windy, says: "Kites fall."}
"""


def test_entries_are_made_due_and_nothing_else_of_the_file_changes() -> None:
    """Comments, order, other entries and words that look alike stay as they are."""
    due = """# Kites.
KITE:
  KITE-1: {since: 1, says: "Kites fly."}
  KITE-2: {since: 1, says: "Later: a kite, says: nobody."}
  # A knot.
  KITE-3: {since: 1, says: "Strings hold.", unbitten: "It is a word."}
  KITE-4: {later: it isn't windy, says: "Kites fall."}
"""

    assert made_due(PUT_OFF, ["KITE-1", "KITE-2", "KITE-3"]) == due
    assert made_due(due, ["KITE-1"]) == due


@pytest.mark.parametrize(
    "entry",
    [
        "KITE-1:\n    later: no wind yet\n    says: Kites fly.",
        "KITE-1: {says: Kites fly., later: no wind yet}",
    ],
)
def test_an_entry_in_another_form_cannot_be_made_due(entry: str) -> None:
    with pytest.raises(ValueError, match="KITE-1"):
        made_due(f"KITE:\n  {entry}\n", ["KITE-1"])
