"""Long texts and lists in panes: wrapped, scrolled, framed and titled."""

from collections.abc import Sequence

from client.settings.preferences import Charset
from client.tellers.base import JournalLine, Tone
from client.text.printable import wrap
from client.widgets.canvas import Pane, Styled
from client.widgets.outline import draw_outline

_PREFIX = {
    Tone.ROUND: "== ",
    Tone.STEP: "- ",
    Tone.CARD: ": ",
    Tone.DICE: "  ",
    Tone.PRIVATE: "# ",
    Tone.CHAT: "> ",
    Tone.ROOM: ". ",
    Tone.HINDSIGHT: "? ",
}
"""The prefix of the lines of each tone, so that no tone is marked by colour alone."""


def journal_lines(lines: Sequence[JournalLine], width: int, most: int) -> list[Styled]:
    """Return the last lines of the journal, at most `most`, oldest first."""
    found: list[list[Styled]] = []
    count = 0
    # From the end, since only the last pages are shown.
    for line in reversed(lines):
        if count >= most:
            break
        prefix, hang = prefix_of(line)
        style = f"class:journal.{line.tone.value}"
        texts = wrap(line.text, max(1, width - len(hang)))
        wrapped = [
            [(style, (prefix if at == 0 else " " * len(prefix)) + text)]
            for at, text in enumerate(texts)
        ]
        count += len(wrapped)
        found.append(wrapped)
    flat = [line for paragraph in reversed(found) for line in paragraph]
    return flat[-most:] if most else []


def prefix_of(line: JournalLine) -> tuple[str, str]:
    """Return the prefix of the first row of a journal line, and the prefix of its other rows."""
    prefix = _PREFIX.get(line.tone, "")
    return prefix, " " * (len(prefix) or (2 if line.tone in {Tone.ACTION, Tone.GAIN} else 0))


def draw_journal(
    pane: Pane, lines: Sequence[JournalLine], back: int, title: str, charset: Charset
) -> int:
    """
    Draw the journal below its title, `back` lines before its end.

    Returns:
        The number of lines by which the journal is scrolled back: `back`, or fewer if the journal
        is too short.
    """
    draw_rule(pane, 0, title, charset)
    below = pane.inner(1, 0)
    # One line more than fits tells whether the journal continues above.
    shown = journal_lines(lines, below.columns, below.rows + back + 1)
    back = max(0, min(back, len(shown) - below.rows))
    end = len(shown) - back
    first = max(0, end - below.rows)
    for row, line in enumerate(shown[first:end]):
        below.write_line(row, line)
    draw_marks(pane, ("^" if first else "") + ("v" if back else ""))
    return back


def draw_marks(pane: Pane, marks: str) -> None:
    """Write the marks of sides with more content at the right end of a pane's first row."""
    if marks:
        pane.inner(0, 0, 1, pane.columns - 1).write_right(0, f" {' '.join(marks)} ", "class:hint")


def draw_lines(pane: Pane, lines: Sequence[Styled]) -> None:
    """Draw styled lines from the top, and mark cut lines."""
    for row, line in enumerate(lines[: pane.rows]):
        pane.write_line(row, line)


def draw_text(pane: Pane, lines: Sequence[Styled], first: int) -> int:
    """Draw long text from line `first` on; return the first line drawn.

    If the text fills the pane, its last lines are drawn without empty rows below.
    """
    first = max(0, min(first, len(lines) - pane.rows))
    for row, line in enumerate(lines[first : first + pane.rows]):
        pane.write_line(row, line)
    if first:
        pane.write_right(0, "^", "class:hint")
    if first + pane.rows < len(lines):
        pane.write_right(pane.rows - 1, "v", "class:hint")
    return first


def draw_list(pane: Pane, entries: Sequence[Sequence[Styled]], cursor: int, first: int) -> int:
    """
    Draw entries of one or more lines each, with the entry under the cursor in view.

    Args:
        pane: the pane. Each entry becomes a mouse target, an `item` with its number.
        entries: the lines of each entry.
        cursor: the number of an entry; past the last for no cursor.
        first: the first line drawn in the previous frame.

    Returns:
        The first line drawn.
    """
    numbers = [at for at, lines in enumerate(entries) for _ in lines]
    here = [row for row, at in enumerate(numbers) if at == cursor] or [0]
    first = max(min(first, here[0]), here[-1] + 1 - pane.rows)
    first = draw_text(pane, [line for lines in entries for line in lines], first)
    for row, at in enumerate(numbers[first : first + pane.rows]):
        pane.spot("item", str(at), row=row, rows=1)
    return first


def draw_rule(pane: Pane, row: int, title: str, charset: Charset, *, style: str = "") -> None:
    """Draw a horizontal rule with a title in it."""
    pane.write(row, 0, charset.rule() * pane.columns, "class:rule")
    _draw_title(pane, row, title, style)


def _draw_title(pane: Pane, row: int, title: str, style: str) -> None:
    if title and pane.columns > 6:
        pane.inner(row, 0, 1, pane.columns - 1).write_clipped(
            0, 1, f" {title} ", style or "class:title"
        )


def draw_box(box: Pane, title: str, charset: Charset) -> Pane:
    """Clear a pane and frame it; return the pane inside, with a blank column on each side."""
    box.fill("class:box")
    draw_outline(box, charset)
    _draw_title(box, 0, title, "class:title.open")
    return box.inner(1, 2, box.rows - 2, box.columns - 4)
