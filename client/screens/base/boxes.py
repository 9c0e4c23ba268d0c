"""Boxes over a screen: texts, menus, and yes-or-no questions."""

from collections.abc import Callable, Sequence

import attrs

from client.keymap.key_names import names_of
from client.keymap.keys import Action, Context
from client.screens.base.screen import CannotDo, Desk, number_under
from client.teaching.coach import COACHING
from client.tellers.base import JournalLine
from client.text.printable import wrap
from client.widgets.canvas import Pane, Spot, Styled
from client.widgets.pages import draw_box, draw_list, draw_text
from client.widgets.paragraphs import HEAD, Paragraph

MARGIN = 2
WHEEL_LINES = 3
"""The number of lines that one turn of the mouse wheel scrolls."""
PAST_ANY_END = 10**6
"""More lines than any text or board has."""
_MENU_PAGE = 10
"""The number of entries of a menu that a page is."""
WIDEST = 100
"""The maximum width of a box in columns. Longer lines are tiring to read."""


def inner_width(pane: Pane) -> int:
    """Return the number of columns of text in a box drawn over a pane."""
    margin = 0 if pane.is_narrow else MARGIN
    return min(WIDEST, pane.columns - 2 * margin) - 4


def framed(pane: Pane, desk: Desk, title: str, rows: int, columns: int | None = None) -> Pane:
    """Draw a centred box with these rows and columns for text; return the pane inside the box."""
    # A box that does not fit takes the whole pane, and what is in it scrolls.
    rows = min(rows + 2, pane.rows)
    width = min(pane.columns, (inner_width(pane) if columns is None else columns) + 4)
    box = pane.inner((pane.rows - rows) // 2, (pane.columns - width) // 2, rows, width)
    box.spot("box")
    return draw_box(box, title, desk.charset)


def entry_lines(text: str, width: int, *, is_here: bool) -> list[Styled]:
    """Return the lines of a list entry, marked if the cursor is on the entry."""
    style = "class:cursor" if is_here else ""
    lines = wrap(f"{'>' if is_here else ' '} {text}", width, indent=4)
    return [[(style, line)] for line in lines]


def scrolled(action: Action, first: int, page: int) -> int | None:
    """
    Return the first line to show after an action on a long text; the line may lie past the end.

    Args:
        action: the action. If the action does not scroll, the result is None.
        first: the first line shown before the action.
        page: the number of lines shown at once.
    """
    steps = {
        Action.UP: -1,
        Action.DOWN: 1,
        Action.PAGE_UP: -page,
        Action.PAGE_DOWN: page,
        Action.FIRST: -first,
        Action.LAST: PAST_ANY_END,
    }
    return max(0, first + steps[action]) if action in steps else None


@attrs.define(eq=False)
class TextBox:
    """A text, shown page by page."""

    desk: Desk
    title: str
    """The catalog key of the title."""
    paragraphs: Callable[[], Sequence[Paragraph]]
    """Returns the text. Called for every frame, so the text is always current."""
    opens_at: int = attrs.field(default=0, kw_only=True)
    """The paragraph at which the box opens."""
    context: Context = attrs.field(default=Context.BOX, init=False)
    _first: int | None = attrs.field(default=None, init=False)
    """The first visible line; None before the first frame."""
    _page: int = attrs.field(default=10, init=False)
    _count: int = attrs.field(default=0, init=False)

    def draw(self, pane: Pane) -> None:
        width = inner_width(pane)
        lines: list[Styled] = []
        for at, (style, text) in enumerate(self.paragraphs()):
            if self._first is None and at == self.opens_at:
                self._first = len(lines)
            # Room at the right end for the marks that there is more.
            lines += [[(style, line)] for line in wrap(text, width - 2)]
        self._count = len(lines)
        inner = framed(pane, self.desk, self.desk.say(self.title), len(lines))
        # One line of a page stays visible on the next.
        self._page = max(1, inner.rows - 1)
        self._first = draw_text(inner, lines, self._first or 0)

    def click(self, _: Sequence[Spot]) -> None:
        """Do nothing: a text has no mouse targets."""

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        self._first = max(0, (self._first or 0) + WHEEL_LINES * by)

    def act(self, action: Action, _key: str) -> None:
        if action is Action.BACK:
            self.desk.close()
        elif (first := scrolled(action, self._first or 0, self._page)) is not None:
            self._first = first

    def hints(self) -> frozenset[Action]:
        is_long = self._count > self._page + 1
        paging = {Action.PAGE_UP, Action.PAGE_DOWN} if is_long else set()
        return frozenset({Action.BACK, *paging})


@attrs.define(eq=False)
class SinceBox(TextBox):
    """The journal of the time since the viewer left the table."""

    title: str = "box.since"
    paragraphs: Callable[[], Sequence[Paragraph]] = list
    lines: Sequence[JournalLine] = ()

    def __attrs_post_init__(self) -> None:
        self.paragraphs = lambda: [
            (f"class:journal.{line.tone.value}", line.text) for line in self.lines
        ]


@attrs.frozen
class Item:
    """One line of a menu."""

    text: str
    run: Callable[[], None]


@attrs.define(eq=False)
class Menu:
    """A list of actions, from which the player chooses one."""

    desk: Desk
    title: str
    items: Sequence[Item]
    context: Context = attrs.field(default=Context.MENU, init=False)
    _cursor: int = attrs.field(default=0, init=False)
    _top: int = attrs.field(default=0, init=False)

    def draw(self, pane: Pane) -> None:
        width = inner_width(pane)
        entries = [
            entry_lines(item.text, width - 2, is_here=at == self._cursor)
            for at, item in enumerate(self.items)
        ]
        empty = [] if entries else wrap(self.desk.say("menu.empty"), width)
        rows = sum(map(len, entries)) + len(empty)
        inner = framed(pane, self.desk, self.desk.say(self.title), rows)
        draw_text(inner, [[("class:dim", line)] for line in empty], 0)
        self._top = draw_list(inner, entries, self._cursor, self._top)

    def click(self, spots: Sequence[Spot]) -> None:
        at = number_under(spots, "item")
        if at is not None:
            self._cursor = at
            self.act(Action.CHOOSE, "")

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        self.act(Action.DOWN if by > 0 else Action.UP, "")

    def act(self, action: Action, _key: str) -> None:
        if action is Action.BACK:
            self.desk.close()
        elif action in {Action.UP, Action.DOWN} and self.items:
            step = 1 if action is Action.DOWN else -1
            self._cursor = (self._cursor + step) % len(self.items)
        elif (to := scrolled(action, self._cursor, _MENU_PAGE)) is not None and self.items:
            self._cursor = min(to, len(self.items) - 1)
        elif action is Action.CHOOSE:
            if not self.items:
                raise CannotDo("menu.empty")
            # Closed first: what is chosen may open a box of its own.
            self.desk.close()
            self.items[self._cursor].run()

    def hints(self) -> frozenset[Action]:
        return frozenset({Action.CHOOSE, Action.BACK} if self.items else {Action.BACK})


@attrs.define(eq=False)
class Confirm:
    """A box with a yes-or-no question."""

    desk: Desk
    title: str
    text: str
    """The question as text, not as a catalog key."""
    yes: Callable[[], None] | None
    """Carries out a yes; None if there is no yes for the time being."""
    no: Callable[[], None] = lambda: None
    keys: str = "confirm.keys"
    """The catalog key of the line that names the keys."""
    context: Context = attrs.field(default=Context.CONFIRM, init=False)

    def draw(self, pane: Pane) -> None:
        lines = wrap(self.text, inner_width(pane))
        inner = framed(pane, self.desk, self.desk.say(self.title), len(lines) + 2)
        draw_text(inner, [[("", line)] for line in lines], 0)
        inner.write_clipped(inner.rows - 1, 0, self.desk.say(self.keys), "class:prompt")

    def click(self, _: Sequence[Spot]) -> None:
        """Ignore the mouse, because a stray click must not answer such an important question."""

    def wheel(self, _: Sequence[Spot], by: int) -> None: ...

    def act(self, action: Action, key: str) -> None:
        """Answer yes or no. Esc closes the box without an answer."""
        yes = self.yes
        if action is Action.YES and yes is None:
            raise CannotDo("wrong.key_here", key)
        # Closed first: the answer may open the next box.
        self.desk.close()
        if action is Action.YES and yes is not None:
            yes()
        elif action is Action.NO:
            self.no()

    def hints(self) -> frozenset[Action]:
        answers = {Action.NO, Action.BACK}
        return frozenset(answers if self.yes is None else {Action.YES, *answers})


def help_box(
    desk: Desk,
    context: Context,
    now: Callable[[], Sequence[Paragraph]] = list,
    signs: Callable[[], Sequence[Paragraph]] = list,
    without: frozenset[Action] = frozenset(),
) -> TextBox:
    """
    Return the help of a context. The facts that newcomers need first are at the top.

    Args:
        desk: the desk on which the box opens.
        context: the context whose keys are listed.
        now: text about the present moment, shown between the description of the screen and its
            keys.
        signs: meaning of the signs on the screen, shown last.
        without: actions that mean nothing in this game.
    """

    def paragraphs() -> list[Paragraph]:
        general, of_game = f"help.{context.value}", f"help.{context.value}.game"
        keys_of_help = (general, *([of_game] if desk.model.spoken.has(of_game) else []))
        said: list[Paragraph] = [("", " ".join(map(desk.say, keys_of_help))), ("", "")]
        if moment := now():
            said += [*moment, ("", ""), (HEAD, desk.say("help.keys"))]
        by_action: dict[Action, list[str]] = {}
        for binding in desk.keys.bindings_in(context):
            shown = names_of(binding.keys, desk.model.locale)
            by_action.setdefault(binding.action, []).append(shown)
        left_out = without if desk.coach is not None else without | COACHING
        said += [
            ("", f"{' '.join(keys):<14} {desk.say(f'key.{action.value}')}")
            for action, keys in by_action.items()
            if action not in left_out
        ]
        return [*said, *signs()]

    return TextBox(desk, "box.help", paragraphs)
