"""Completion in plain mode."""

from datetime import UTC, datetime

import pytest

from client.model.model import ClientModel
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import Script, asked, coding, lobby, playing


def completed(console: Console, typed: str) -> tuple[str, ...]:
    """Return the lines that a line can be completed to."""
    length, words = console.client.complete(typed)
    return tuple(typed[: len(typed) - length] + word for word in words)


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("par", ("party",)),
        ("jour", ("journal ",)),
        ("sa", ("save", "say")),
        ("/say", ("/say ",)),
        ("bac", ("back ",)),
        ("claim", ()),
        ("/par", ("/party",)),
        ("mov", ("move ",)),
        ("move", ("move ",)),
        ("move ", ("move hall", "move kitchen", "move study")),
        ("move k", ("move kitchen",)),
        ("move to the k", ("move to the kitchen",)),
        ("MOVE K", ("MOVE kitchen",)),
        ("kit", ("kitchen ",)),
        ("att", ("attack ",)),
        ("attack ", ("attack tallyman",)),
        ("fight ", ("fight attack", "fight tallyman")),
        ("search ", ("search coats",)),
        ("map s", ("map study", "map sand", "map search", "map sight")),
        ("map se", ("map search ",)),
        ("map st", ("map study ",)),
        ("map study ", ("map study 1", "map study 2")),
        ("cards lan", ("cards lantern",)),
        ("give b", ("give bob",)),
        ("help jou", ("help journal",)),
        ("xyz", ()),
        ("party ", ()),
        ("move kitchen ", ()),
    ],
)
def test_a_line_goes_on_with_what_fits(typed: str, lines: tuple[str, ...]) -> None:
    assert completed(Console(asked()), typed) == lines


def test_an_empty_line_goes_on_with_what_begins_a_choice() -> None:
    """Where a question is open, its choices are offered; all commands would be too many."""
    assert completed(Console(asked()), "") == ("move", "search", "attack", "end")
    assert "claim" in completed(Console(lobby()), "")
    assert "party" not in completed(Console(lobby()), "")
    assert "open" in completed(Console(None, is_lobby=True), "")


def test_names_of_what_can_be_chosen_are_offered() -> None:
    assert completed(Console(lobby()), "claim v") == ("claim vera ",)
    assert completed(Console(None, is_lobby=True), "open the sl") == ("open the sluice ",)


def test_accents_need_not_be_typed() -> None:
    console = Console(playing(), language="fr")

    assert completed(console, "regla") == ("réglages",)
    assert completed(console, "pi") == ()


def test_each_pick_of_several_is_completed() -> None:
    assert completed(Console(coding()), "1, ") == ("1, 1", "1, 2", "1, 3", "1, 4")


@pytest.mark.parametrize("make", [lobby, asked, None])
def test_anything_can_be_completed(make: "type[Script] | None") -> None:
    console = Console(make() if make else None, is_lobby=make is None)
    assert isinstance(console.model, ClientModel)
    for typed in ("", " ", "/", "//", ",", ", ,", "é", "\x00", "x" * 5000, "map " * 50, "give 1 "):
        length, words = console.client.complete(typed)
        assert 0 <= length <= len(typed)
        assert all(words)


@pytest.mark.issue(17)
@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("games s", ("games sluice", "games seats", "games since")),
        ("games se", ("games seats ",)),
        ("games m", ("games more",)),
        ("games sluice u", ("games sluice until ",)),
        ("games seats ", tuple(f"games seats {count}" for count in range(1, 9))),
        ("games seats 3 s", ("games seats 3 since ",)),
        ("games since ", ("games since 2026-10-31 ",)),
        ("games since 2026-10-31 unt", ("games since 2026-10-31 until ",)),
        ("games agree ", ()),
    ],
)
def test_what_narrows_the_list_of_games_is_offered(typed: str, lines: tuple[str, ...]) -> None:
    """Where a date is expected, today's date is offered to show the format."""
    today = datetime(2026, 10, 31, 12, tzinfo=UTC)
    console = Console(None, is_lobby=True, wall=lambda: today)

    assert completed(console, typed) == lines
