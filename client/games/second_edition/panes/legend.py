"""The legend entries of the second edition: monsters, tokens, features and figures."""

from collections.abc import Iterator

from client.boards.contents import LegendEntry
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


def legend_entries(scene: SecondEditionScene, game: SecondEditionTable) -> Iterator[LegendEntry]:
    """Yield a legend entry for each kind of monster, token and feature on the board."""
    # Monsters: the name of each kind once, with the damage of each of them, since a legend with a
    # line for each monster would push everything else out of a small pane.
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
    yield from _tokens(scene, game)
    for feature, char in FEATURES.items():
        if game.spaces_with(feature):
            label = scene.speaker.say(f"feature.{feature.value}")
            line = [(f"class:feature.{feature.value}", char), ("", f" {label}")]
            yield LegendEntry(frozenset({char}), line)


def _tokens(scene: SecondEditionScene, game: SecondEditionTable) -> Iterator[LegendEntry]:
    say, board = scene.speaker.say, game.map

    def entry(char: str, key: str) -> LegendEntry:
        line: Styled = [("class:token", char), ("", f" {say(key)}")]
        return LegendEntry(frozenset({char}), line, is_told=False)

    # A person who can be hurt has an entry of their own, as a monster has; the others have one for
    # all of them.
    others = [one for one in game.tokens.values() if one.token_id not in game.persons]
    for token in game.tokens.values():
        hurt = game.persons.get(token.token_id)
        if hurt is not None:
            char = ANYBODY if token.is_anonymous else TOKENS[token.kind]
            text = f" {scene.speaker.person(token)} {hurt.damage}/{hurt.health}"
            yield LegendEntry(frozenset({char}), [("class:token", char), ("", text)])
    kinds = {token.kind for token in others if not token.is_anonymous}
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
            # On doors alone the sign needs no second entry.
            kinds = kinds if any(at in board.cells for at in here) else kinds - {kind}
        if kind in kinds:
            yield entry(char, f"token.{kind.value}")
    if any(token.is_anonymous for token in others):
        yield entry(ANYBODY, "token.anybody")
    if any(game.lying.values()):
        yield entry(LYING, "token.lying")


def figure_legend(scene: SecondEditionScene, game: SecondEditionTable) -> list[Styled]:
    """Return the letter and the name of each investigator."""
    signs = investigator_signs(game, scene.speaker)
    return [
        [(sign.style, sign.char), ("", f" {scene.speaker.name('investigator', character)}")]
        for character, sign in signs.items()
    ]
