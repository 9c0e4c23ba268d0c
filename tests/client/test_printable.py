"""Strangers' text: made printable, measured, cut and wrapped."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from client.text.printable import cells, clip, printable, width_of, wrap
from client.widgets.canvas import Canvas


@given(st.text())
def test_nothing_but_printable_text_is_left(text: str) -> None:
    shown = printable(text)

    assert shown.isprintable()


@given(st.text(), st.integers(1, 40))
def test_a_cut_text_fits(text: str, width: int) -> None:
    assert width_of(clip(text, width)) <= width


@example("\r⺀", 2, 0)
@given(st.text(), st.integers(2, 40), st.integers(0, 4))
def test_wrapped_lines_fit(text: str, width: int, indent: int) -> None:
    assert all(width_of(line) <= width for line in wrap(text, width, indent=indent))


@pytest.mark.issue(41)
def test_a_word_that_is_too_long_is_cut_after_a_hyphen() -> None:
    assert wrap("Water-Meadow (1)", 11) == ["Water-", "Meadow (1)"]
    assert wrap("-meadowland", 8) == ["-meadowl", "and"]


@given(st.text(alphabet=st.characters(categories=["L", "N", "Zs"]), max_size=60))
def test_wrapping_loses_nothing(text: str) -> None:
    wrapped = "".join("".join(wrap(text, 12)).split())

    assert wrapped == "".join(printable(text).split())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "?[31mred"),
        ("a\tb\nc", "a b c"),
        ("\u202eabc", "abc"),
        ("e" + "\u0316" * 9, "e\u0316\u0316"),
        ("\u0301alone", "alone"),
    ],
)
def test_each_character_becomes_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-3, 20), st.text(max_size=30))))
def test_a_canvas_keeps_its_width(writings: list[tuple[int, int, str]]) -> None:
    canvas = Canvas(4, 20)

    for row, column, text in writings:
        canvas.pane().write(row, column, text)

    for row in range(4):
        assert sum(get_cwidth(char) for _, text in canvas.line(row) for char in text) == 20


def test_half_a_wide_character_is_never_left() -> None:
    canvas = Canvas(1, 6)
    canvas.pane().write(0, 0, "世世世")

    canvas.pane().write(0, 1, "ab")

    assert canvas.plain() == " ab 世"


def test_a_pane_clips() -> None:
    canvas = Canvas(2, 10)
    pane = canvas.pane().inner(0, 2, 1, 4)

    pane.write(0, 0, "abcdefgh")
    pane.write(1, 0, "below")

    assert canvas.plain() == "  abcd\n"


def test_marks_go_with_their_letter() -> None:
    assert list(cells("e\u0316x")) == [("e\u0316", 1), ("x", 1)]


def test_a_no_break_space_holds_a_line_together() -> None:
    """French puts one before marks that must not begin a line."""
    assert wrap("Que faites-vous\u00a0?", 16) == ["Que", "faites-vous ?"]
    assert wrap("un mot\u202f; deux", 7) == ["un", "mot ;", "deux"]


def test_marks_of_print_have_plain_signs() -> None:
    canvas = Canvas(1, 12, is_ascii=True)

    canvas.pane().write(0, 0, "“Hester’s” –")

    assert canvas.plain() == '"Hester\'s" -'


def test_a_part_of_another_canvas_is_laid_down() -> None:
    sheet = Canvas(3, 8)
    sheet.pane().write(1, 0, "a世b世c")
    sheet.pane().spot("space", "hall", row=1, column=3, rows=2)
    canvas = Canvas(2, 6)
    canvas.pane().fill("class:old", ".")

    canvas.pane().inner(0, 1, 1).lay(sheet.pane().inner(1, 2, 2, 3))

    assert canvas.plain() == ". b ..\n......"
    assert [spot.value for spot in canvas.spots_at(0, 2)] == ["hall"]
    assert not canvas.spots_at(0, 1)
    assert not canvas.spots_at(1, 2)


def test_what_is_laid_on_an_ascii_canvas_has_plain_signs() -> None:
    sheet, canvas = Canvas(1, 3), Canvas(1, 3, is_ascii=True)
    sheet.pane().write(0, 0, "“a”")

    canvas.pane().lay(sheet.pane())

    assert canvas.plain() == '"a"'


@given(st.text(max_size=80), st.integers(1, 30), st.integers(0, 12))
def test_a_line_is_wrapped_once_for_each_width(text: str, width: int, indent: int) -> None:
    lines = wrap(text, width, indent=indent)
    kept = [*lines]
    lines.append("spoilt")

    assert wrap(text, width, indent=indent) == kept
