"""The secrets table: a row for each component that somebody may not see."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.games.rulebook import catalogue
from tests.games.rulebook.books import book_of
from tests.kit import reading_yaml

TABLE = Path(__file__).with_name("secrets.yaml").read_text("utf-8")
FIELDS = ("id", "component", "known_to", "everybody_knows", "changes_when", "rules")

pytestmark = pytest.mark.issue(42)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = reading_yaml.safe(TABLE)
    return found


def test_the_rows_are_numbered_without_gaps(rows: list[dict[str, Any]]) -> None:
    assert [row["id"] for row in rows] == [f"C-SECRET-{number}" for number in range(1, 40)]


def test_each_row_says_who_knows_what_and_until_when(rows: list[dict[str, Any]]) -> None:
    assert {row["id"] for row in rows if tuple(row) != FIELDS} == set()
    assert {row["id"] for row in rows if not all(row[name] for name in FIELDS[:-1])} == set()


def test_the_rules_that_a_row_names_are_in_the_catalogue(rows: list[dict[str, Any]]) -> None:
    known = catalogue.load(book_of("cards"))

    assert {id_ for row in rows for id_ in row["rules"]} - known.keys() == set()


def test_every_id_in_the_words_of_the_table_exists(rows: list[dict[str, Any]]) -> None:
    known = {*catalogue.load(book_of("cards")), *(row["id"] for row in rows)}

    assert set(re.findall(r"C-[A-Z]+-\d+", TABLE)) - known == set()
