"""The legend: what every sign, line and short name on the map means."""

from collections.abc import Iterable, Iterator, Sequence

import attrs

from client.boards.filling import NAME
from client.boards.labels import labels
from client.games.second_edition.panes.map import BoardPart, Seen
from client.games.second_edition.panes.scene import SecondEditionScene
from client.games.second_edition.panes.signs import (
    ANYBODY,
    FEATURES,
    LYING,
    TOKENS,
    investigator_signs,
    monster_signs,
)
from client.settings.preferences import Charset
from client.widgets.canvas import Styled
from protocol.games.second_edition.table import Monster, SecondEditionTable, TokenKind


@attrs.frozen
class LegendEntry:
    """What some signs mean."""

    signs: frozenset[str]
    """As they stand on the map."""
    line: Styled
    is_told: bool = True
    """Whether nobody can guess it; a sign for a kind of thing is soon known by heart."""


def legend(scene: SecondEditionScene) -> list[Styled]:
    """Return what each sign means, one entry for each kind that lies on the board."""
    return [entry.line for entry in legend_entries(scene)]


def map_legend(
    scene: SecondEditionScene,
    shown: Seen | None,
    part: BoardPart,
    entries: Sequence[LegendEntry] | None = None,
    *,
    with_figures: bool = False,
) -> tuple[list[Styled], int]:
    """
    Return what a part of the map needs to be understood, the most needed first.

    Args:
        scene: the table.
        shown: the board as it is drawn; None where there is none yet.
        part: what of it is seen.
        entries: of `legend_entries`, where they are known already.
        with_figures: whether to say whose letters are whose.

    Returns:
        The entries; and how many of them, the first, tell what nobody who looks there can guess.
    """
    if shown is None:
        return [], 0
    seen = shown.signs_in(part)
    entries = legend_entries(scene) if entries is None else entries
    here = [entry for entry in entries if entry.signs & seen]
    lit, rooms = _room_entries(scene, shown, part)
    figures = figure_legend(scene) if with_figures else []
    needed = [
        *lit,
        *(entry.line for entry in here if entry.is_told),
        *rooms,
        *figures,
    ]
    known = [entry.line for entry in here if not entry.is_told]
    beyond = [entry.line for entry in entries if not entry.signs & seen]
    return [*needed, *known, *line_legend(scene, shown), *beyond], len(needed)


def _room_entries(
    scene: SecondEditionScene, shown: Seen, part: BoardPart
) -> tuple[list[Styled], list[Styled]]:
    """Return the short names in a part: those of spaces that are pointed at, and the others."""
    spaces = shown.coded(part)
    lit = [space for space in spaces if scene.is_lit("space", space)]
    found = [_code(shown, space) for space in (*lit, *spaces)]
    entries = _rooms(found)
    first = len(dict.fromkeys(found[: len(lit)]))
    return entries[:first], entries[first:]


def _code(shown: Seen, space: str) -> tuple[str, str]:
    """Return the short name and the name of its room; which space of it a number says itself."""
    return shown.labels[space].short, shown.labels[space].room


def legend_entries(scene: SecondEditionScene) -> list[LegendEntry]:
    """Return an entry for each kind of thing that lies on the board."""
    game = scene.game
    if game is None:
        return []
    return [*_monsters(scene, game), *_tokens(scene, game), *_features(scene, game)]


def _monsters(scene: SecondEditionScene, game: SecondEditionTable) -> Iterator[LegendEntry]:
    """Yield an entry for each kind: its name, and what each of them has suffered."""
    signs = monster_signs(game, scene.speaker)
    kinds: dict[str, list[Monster]] = {}
    for monster in game.monsters.values():
        kinds.setdefault(monster.kind, []).append(monster)
    for kind, monsters in kinds.items():
        line: Styled = []
        for monster in monsters:
            sign, name = signs[monster.monster_id], scene.speaker.name("monster", kind)
            text = f" {monster.damage}/{monster.health}"
            line += [(sign.style, sign.char), ("", text if line else f" {name}{text}"), ("", ", ")]
        yield LegendEntry(frozenset(signs[one.monster_id].char for one in monsters), line[:-1])


def _tokens(scene: SecondEditionScene, game: SecondEditionTable) -> Iterator[LegendEntry]:
    say, board = scene.speaker.say, game.map

    def entry(char: str, key: str) -> LegendEntry:
        line: Styled = [("class:token", char), ("", f" {say(key)}")]
        return LegendEntry(frozenset({char}), line, is_told=False)

    kinds = {token.kind for token in game.tokens.values() if not token.is_anonymous}
    for kind, char in TOKENS.items():
        here = [token.at for token in game.tokens.values() if token.kind is kind]
        if kind is TokenKind.EXPLORE and any(at in board.doors for at in here):
            # A line that nobody has looked behind yet.
            plain = "=?=" if scene.charset is Charset.ASCII else "═?═"
            yield LegendEntry(
                frozenset({char}),
                [("class:map.door", plain), ("", f" {say('map.unexplored')}")],
                is_told=False,
            )
            kinds = kinds if any(at in board.cells for at in here) else kinds - {kind}
        if kind in kinds:
            yield entry(char, f"token.{kind.value}")
    if any(token.is_anonymous for token in game.tokens.values()):
        yield entry(ANYBODY, "token.anybody")
    if any(game.lying.values()):
        yield entry(LYING, "token.lying")


def _features(scene: SecondEditionScene, game: SecondEditionTable) -> Iterator[LegendEntry]:
    for feature, char in FEATURES.items():
        if game.spaces_with(feature):
            label = scene.speaker.say(f"feature.{feature.value}")
            line: Styled = [(f"class:feature.{feature.value}", char), ("", f" {label}")]
            yield LegendEntry(frozenset({char}), line)


def line_legend(scene: SecondEditionScene, shown: Seen | None = None) -> list[Styled]:
    """Return what each kind of line means, or each that is drawn, and where north is."""
    boxes = {"map.door": "═║", "map.border": "╎┄", "map.impassable": "╫╪"}
    plain = {"map.door": "=", "map.border": ":.", "map.impassable": "{~"}
    chars = plain if scene.charset is Charset.ASCII else boxes
    drawn = None if shown is None else shown.board.styles
    lines: list[Styled] = [
        [(f"class:{key}", char), ("", f" {scene.speaker.say(key)}")]
        for key, char in chars.items()
        if drawn is None or f"class:{key}" in drawn
    ]
    # The board is never turned.
    return [*lines, [("", scene.speaker.say("map.north"))]]


def figure_legend(scene: SecondEditionScene) -> list[Styled]:
    """Return which letter stands for which investigator."""
    game = scene.game
    if game is None:
        return []
    signs = investigator_signs(game, scene.speaker)
    return [
        [(sign.style, sign.char), ("", f" {scene.speaker.name('investigator', character)}")]
        for character, sign in signs.items()
    ]


def room_legend(scene: SecondEditionScene, shown: Seen | None = None) -> list[Styled]:
    """
    Return which room each short name means.

    Args:
        scene: the table.
        shown: what is drawn, of which the short names are told that stand there, the one that is
            pointed at first; None for those of all rooms.
    """
    game = scene.game
    if game is None or not game.tiles:
        return []
    if shown is None:
        known = labels(game.tiles, game.map, scene.speaker).values()
        return _rooms((label.short, label.room) for label in known)
    spaces = sorted(shown.coded(), key=lambda space: not scene.is_lit("space", space))
    return _rooms(_code(shown, space) for space in spaces)


def _rooms(names: Iterable[tuple[str, str]]) -> list[Styled]:
    return [[(NAME, code), ("", f" {name}")] for code, name in dict.fromkeys(names)]
