"""The legend entries of the first edition: monsters, piles, features and figures."""

from collections.abc import Iterator

from client.boards.contents import LegendEntry
from client.games.first_edition.panes.scene import FirstEditionScene
from client.games.first_edition.panes.signs import (
    FEATURES,
    LOCK,
    LYING,
    OBSTACLE,
    PILE,
    investigator_signs,
    monster_signs,
)
from client.widgets.canvas import Styled
from protocol.games.first_edition.table import FirstEditionTable, Monster


def damage_of(monster: Monster, form: str = "{0}") -> str:
    """Return a monster's damage, and its health if the viewer knows it; empty for no damage."""
    if monster.back.is_open:
        return form.format(f"{monster.damage}/{monster.back.value.health}")
    return form.format(f"{monster.damage}/?") if monster.damage else ""


def legend_entries(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[LegendEntry]:
    """Yield a legend entry for each kind of monster, pile and feature on the board."""
    signs = monster_signs(game, scene.speaker)
    kinds: dict[str, list[Monster]] = {}
    for monster in game.monsters.values():
        kinds.setdefault(monster.kind, []).append(monster)
    for kind, monsters in kinds.items():
        # The name of each kind once, with the damage of each monster.
        line: Styled = []
        for monster in monsters:
            sign, name = signs[monster.monster_id], scene.speaker.name("monster", kind)
            text = damage_of(monster, " {0}")
            line += [(sign.style, sign.char), ("", text if line else f" {name}{text}"), ("", ", ")]
        yield LegendEntry(frozenset(signs[one.monster_id].char for one in monsters), line[:-1])
    for room, cards in game.laid.items():
        if cards and cards[0].shown is not None:
            char = f"{OBSTACLE}{len(cards)}"
            words = f" {scene.speaker.card(cards[0].shown)}, {scene.speaker.room(room)}"
            yield LegendEntry(frozenset({char}), [("class:token", char), ("", words)])
    piles = frozenset(f"{PILE}{len(cards)}" for cards in game.laid.values() if cards)
    if piles:
        yield _common(scene, "class:token", f"{PILE}3", "pile.explained", piles)
    if game.locks:
        yield _common(scene, "class:token", LOCK, "pile.lock")
    for feature, char in FEATURES.items():
        # Ladders and ducts are links of the board.
        if any(link.kind == feature.value for link in game.links) or any(
            one.kind is feature for one in game.features.values()
        ):
            style = f"class:feature.{feature.value}"
            yield _common(scene, style, char, f"feature.{feature.value}")
    if any(game.lying.values()):
        yield _common(scene, "class:token", LYING, "pile.lying")


def _common(
    scene: FirstEditionScene, style: str, char: str, key: str, signs: frozenset[str] | None = None
) -> LegendEntry:
    line: Styled = [(style, char), ("", f" {scene.speaker.say(key)}")]
    return LegendEntry(signs or frozenset({char}), line, is_told=False)


def figure_legend(scene: FirstEditionScene, game: FirstEditionTable) -> list[Styled]:
    """Return an entry for each investigator on the board."""
    signs = investigator_signs(game, scene.speaker)
    return [
        [(signs[who].style, signs[who].char), ("", f" {signs[who].words}")]
        for who in game.investigators
    ]
