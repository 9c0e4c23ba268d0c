"""The legend: what every sign, line and short name on the map means."""

from collections.abc import Iterable, Iterator

from client.widgets.canvas import Styled
from client.widgets.map import NAME, Seen
from client.widgets.rooms import labels
from client.widgets.scene import Charset, Scene
from client.widgets.signs import (
    ANYBODY,
    FEATURES,
    LYING,
    TOKENS,
    investigator_signs,
    monster_signs,
)
from protocol.second_edition.table import SecondEditionTable, TokenKind


def legend(scene: Scene) -> list[Styled]:
    """Return what each sign means, one entry for each kind that lies on the board."""
    game = scene.game
    if game is None:
        return []
    return [*_monsters(scene, game), *_tokens(scene, game), *_features(scene, game)]


def _monsters(scene: Scene, game: SecondEditionTable) -> Iterator[Styled]:
    for piece, sign in monster_signs(game, scene.speaker).items():
        monster = game.monsters[piece]
        health = f"{monster.damage}/{monster.health}"
        yield [(sign.style, sign.char), ("", f" {scene.speaker.monster(monster)} {health}")]


def _tokens(scene: Scene, game: SecondEditionTable) -> Iterator[Styled]:
    speaker, board = scene.speaker, game.map
    kinds = {token.kind for token in game.tokens.values() if not token.is_anonymous}
    for kind, char in TOKENS.items():
        here = [token.at for token in game.tokens.values() if token.kind is kind]
        if kind is TokenKind.EXPLORE and any(at in board.doors for at in here):
            # A line that nobody has looked behind yet.
            plain = "=?=" if scene.charset is Charset.ASCII else "═?═"
            yield [("class:map.door", plain), ("", f" {speaker.say('map.unexplored')}")]
            kinds = kinds if any(at in board.cells for at in here) else kinds - {kind}
        if kind in kinds:
            yield [("class:token", char), ("", f" {speaker.say(f'token.{kind.value}')}")]
    if any(token.is_anonymous for token in game.tokens.values()):
        yield [("class:token", ANYBODY), ("", f" {speaker.say('token.anybody')}")]
    if any(game.lying.values()):
        yield [("class:token", LYING), ("", f" {speaker.say('token.lying')}")]


def _features(scene: Scene, game: SecondEditionTable) -> Iterator[Styled]:
    for feature, char in FEATURES.items():
        if game.spaces_with(feature):
            label = scene.speaker.say(f"feature.{feature.value}")
            yield [(f"class:feature.{feature.value}", char), ("", f" {label}")]


def line_legend(scene: Scene) -> list[Styled]:
    """Return what each kind of line means, and where north is: the board is never turned."""
    boxes = {"map.door": "═║", "map.border": "╎┄", "map.impassable": "╫╪"}
    plain = {"map.door": "=", "map.border": ":.", "map.impassable": "{~"}
    shown = plain if scene.charset is Charset.ASCII else boxes
    lines: list[Styled] = [
        [(f"class:{key}", chars), ("", f" {scene.speaker.say(key)}")]
        for key, chars in shown.items()
    ]
    return [*lines, [("", scene.speaker.say("map.north"))]]


def figure_legend(scene: Scene) -> list[Styled]:
    """Return which letter stands for which investigator."""
    game = scene.game
    if game is None:
        return []
    signs = investigator_signs(game, scene.speaker)
    return [
        [(sign.style, sign.char), ("", f" {scene.speaker.name('investigator', piece)}")]
        for piece, sign in signs.items()
    ]


def room_legend(scene: Scene, shown: Seen | None = None) -> list[Styled]:
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
        known = labels(game, scene.speaker).values()
        return _rooms((label.short, label.room) for label in known)
    spaces = sorted(shown.coded(), key=lambda space: not scene.is_lit("space", space))
    return _rooms((shown.labels[space].code, shown.labels[space].name) for space in spaces)


def _rooms(names: Iterable[tuple[str, str]]) -> list[Styled]:
    return [[(NAME, code), ("", f" {name}")] for code, name in dict.fromkeys(names)]
