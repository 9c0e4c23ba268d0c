"""
The locations as a drawn graph: a box for each, with its clues and doom, and who and what is there.

    ┌─ The Quay ──────┐
    │ 2 clues         │
    │ A  !1           │
    └─────────────────┘

`A` is an investigator, `!1` is one enemy; the help explains the signs.
"""

import string
from collections.abc import Iterable, Iterator

from client.boards.graph import BOX_ROWS, Box, Drawing, Links, lay_out
from client.boards.signs import letters
from client.games.cards.speaker import CardsSpeaker, in_game
from client.settings.preferences import Charset, MapSize
from client.text.printable import clip, width_of, wrap
from client.widgets.bits import Bit, Line, width_of_line
from client.widgets.canvas import Pane, Spot
from client.widgets.pages import draw_rule
from client.widgets.paragraphs import HEAD, Paragraph
from client.widgets.scene import Scene
from protocol.games.cards.table import Card, CardsTable, InvestigatorId, PieceId
from protocol.games.cards.words import Token, Zone

PEOPLE = string.ascii_uppercase


def drawing_of(game: CardsTable, rows: int, columns: int) -> Drawing | None:
    """Return the graph of the locations, on a grid as it lies; None if it does not fit."""
    links: Links = tuple(
        (card.piece, game.links.get(card.piece, ())) for card in game.lying(Zone.MAP)
    )
    places = tuple(
        (card.piece, (card.position.row, card.position.column))
        for card in game.lying(Zone.MAP)
        if card.position is not None
    )
    return lay_out(links, rows, columns, places)


def draw_graph(pane: Pane, scene: Scene, game: CardsTable, drawing: Drawing) -> None:
    """Draw the graph; each box is a target for the mouse, and lit if a choice points at it."""
    for (row, column), char in drawing.ways.items():
        pane.write(row, column, char, "class:map.wall")
    for box in drawing.boxes:
        _draw_box(pane.inner(box.row, box.column, box.rows, box.columns), scene, game, box)


def _draw_box(pane: Pane, scene: Scene, game: CardsTable, box: Box) -> None:
    speaker, card = in_game(scene.speaker, scene.table.game), game.cards[box.node]
    is_lit = scene.is_lit("card", card.piece)
    frame = "class:map.lit" if is_lit else "class:map.wall" if card.face else "class:dim"
    wide = pane.columns - 2
    pane.write(0, 0, "┌" + "─" * wide + "┐", frame)
    for row in range(1, pane.rows - 1):
        pane.write(row, 0, "│" + " " * wide + "│", frame)
    pane.write(pane.rows - 1, 0, "└" + "─" * wide + "┘", frame)
    lines = [list(_lying(speaker, game, card)), list(_signs(game, card))]
    style = "class:map.lit" if is_lit else "class:map.room"
    name = speaker.card(card.shown)
    name, *rest = name_lines(name, wide)
    # A name that is too long takes the place of the spaces around it.
    name = f" {name} " if width_of(name) <= wide - 2 else name
    pane.write(0, 1, name, style)
    if rest or pane.rows < BOX_ROWS:
        lines = [*([(style, one)] for one in rest), [*lines[1], *_short(game, card)]]
    # In a low box the signs stand on the frame if the name takes two lines.
    inside = pane.inner(1, 1, pane.rows - (1 if rest else 2), wide)
    for row, parts in enumerate(lines[: inside.rows]):
        column = 0
        for style, text in parts:
            column = inside.write_clipped(row, column, text, style) + 1
    pane.spot("space", card.piece)


def name_lines(name: str, wide: int) -> list[str]:
    """Return a name in one line if it fits, else in two; only a longer one is cut."""
    first, *rest = wrap(name, wide)
    if not rest:
        return [first]
    hyphen = ""
    if width_of(name.split(" ", maxsplit=1)[0]) > wide and not first.endswith("-"):
        first, hyphen = wrap(name, wide - 1)[0], "-"
    # Cut by length: the first line has spaces where the name has no-break spaces.
    return [f"{first}{hyphen}", clip(name[len(first) :].lstrip(), wide)]


def near_lines(
    scene: Scene, game: CardsTable, places: Iterable[PieceId], columns: int
) -> Iterator[Line]:
    """
    Yield what a drawn graph would show around some locations, where it has no room.

    Each location has a line with its signs, and below it the locations to which it leads, with
    theirs. Boxes are not drawn, so the names are whole. Locations that are gone are left out, as
    one that went to the victory display at the end.
    """
    for place in places:
        if place not in game.cards:
            continue
        yield _named(scene, game, place, "")
        line: Line = []
        for way in game.links.get(place, ()):
            if way not in game.cards:
                continue
            part = _named(scene, game, way, "> " if scene.charset is Charset.ASCII else "→ ")
            if line and width_of_line([*line, Bit("   "), *part]) > columns:
                yield line
                line = []
            line = [*line, Bit("   " if line else " "), *part]
        if line:
            yield line


def _named(scene: Scene, game: CardsTable, place: PieceId, before: str) -> Line:
    """Return a location by its name, with what is there as signs."""
    card = game.cards[place]
    style = "class:map.room" if card.face else "class:dim"
    style = "class:map.lit" if scene.is_lit("card", place) else style
    name = in_game(scene.speaker, game).card(card.shown)
    signs = [*_short(game, card), *_signs(game, card)]
    bits = [Bit(before, "class:map.wall"), Bit(name, style, Spot("space", place))]
    return [*bits, *(bit for look, sign in signs for bit in (Bit(" "), Bit(sign, look)))]


def _lying(speaker: CardsSpeaker, game: CardsTable, card: Card) -> Iterator[tuple[str, str]]:
    """Yield what lies on a location, in short."""
    for token, style in ((Token.CLUE, "class:clues"), (Token.DOOM, "class:horror")):
        if number := card.count(token):
            yield style, speaker.token(token.value, number)
    attached = len(game.lying(Zone.ON, card.piece))
    if attached:
        yield "class:damage", speaker.say("map.attached", attached)


def _short(game: CardsTable, card: Card) -> Iterator[tuple[str, str]]:
    """Yield the numbers of clues and doom, and of cards attached, as signs."""
    signs = (
        ("?", card.count(Token.CLUE), "class:clues"),
        ("*", card.count(Token.DOOM), "class:horror"),
        ("+", len(game.lying(Zone.ON, card.piece)), "class:damage"),
    )
    yield from ((style, f"{sign}{number}") for sign, number, style in signs if number)


def _signs(game: CardsTable, card: Card) -> Iterator[tuple[str, str]]:
    """Yield the letters of the investigators at a location, and the number of enemies."""
    chars = signs_of(game)
    for at, who in enumerate(game.order):
        if game.investigators[who].location == card.piece:
            yield f"class:figure.{at}", chars[who]
    foes = sum(1 for _ in enemies_at(game, card))
    if foes:
        yield "class:enemy", f"!{foes}"


def enemies_at(game: CardsTable, place: Card) -> Iterator[Card]:
    """Yield the enemies at a location, those engaged with somebody there included."""
    for card in game.cards.values():
        if (card.at.zone is Zone.AT and card.at.of == place.piece and not card.controller) or (
            card.at.zone is Zone.THREAT
            and card.engaged
            and game.investigators[card.at.of].location == place.piece
        ):
            yield card


def signs(scene: Scene) -> list[Paragraph]:
    """Return the meaning of the signs in the boxes of the locations."""
    game, speaker = scene.table.game, in_game(scene.speaker, scene.table.game)
    if not isinstance(game, CardsTable):
        return []
    people = [f"{sign} {speaker.name('character', who)}" for who, sign in signs_of(game).items()]
    lines = [*people, *(speaker.say(f"sign.{one}") for one in ("enemies", "clues", "doom", "on"))]
    return [("", ""), (HEAD, speaker.say("box.signs")), *(("", line) for line in lines)]


def signs_of(game: CardsTable) -> dict[InvestigatorId, str]:
    """Return a letter for each investigator in the scenario."""
    names = tuple(who.rpartition("/")[2].capitalize() for who in game.order)
    return dict(zip(game.order, letters(names, PEOPLE), strict=True))


class WholeGraph:
    """The graph on the whole screen; implements `client.widgets.layout.Board`."""

    def draw(self, pane: Pane, scene: Scene, size: MapSize) -> str:  # noqa: ARG002
        """Draw the graph below a title; it never continues beyond the screen."""
        say, game, below = scene.speaker.say, scene.table.game, pane.inner(1, 0)
        draw_rule(pane, 0, say("pane.map"), scene.charset, style="class:title.open")
        if not isinstance(game, CardsTable) or not game.lying(Zone.MAP):
            below.write_clipped(0, 1, say("map.empty"))
        elif (drawing := drawing_of(game, below.rows, below.columns)) is None:
            below.write_clipped(0, 1, say("map.too_large"))
        else:
            draw_graph(below, scene, game, drawing)
        return ""

    def scroll(self, rows: int, columns: int) -> None:
        """Do nothing: all of the graph is in view."""

    def reset_scroll(self) -> None:
        """Do nothing, likewise."""
