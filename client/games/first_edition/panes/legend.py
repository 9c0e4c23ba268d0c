"""The legend entries of the first edition: monsters, piles, features and figures."""

from collections.abc import Iterator

from client.boards.contents import LegendEntry
from client.games.first_edition.outdoors import story_in_rooms
from client.games.first_edition.panes.scene import FirstEditionScene
from client.games.first_edition.panes.signs import (
    LOCK,
    LYING,
    MARKERS,
    OBSTACLE,
    OUTDOORS,
    PILE,
    STORY,
    WATER,
    ally_signs,
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
    """Yield a legend entry for each kind of monster, pile, feature and ground on the board."""
    signs, flies = monster_signs(game, scene.speaker), scene.speaker.say("monster.flies")
    kinds: dict[str, list[Monster]] = {}
    for monster in game.monsters.values():
        kinds.setdefault(monster.kind, []).append(monster)
    for kind, monsters in kinds.items():
        # The name of each kind once, with the damage of each monster.
        line: Styled = []
        for monster in monsters:
            sign, name = signs[monster.monster_id], scene.speaker.name("monster", kind)
            if monster.is_flying:
                name = f"{name} ({flies})"
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
    yield from _of_places(scene, game)


def _of_places(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[LegendEntry]:
    """Yield an entry for each kind of feature, link and ground, and for cards that lie about."""
    story = frozenset(f"{STORY}{len(cards)}" for cards in story_in_rooms(game).values())
    if story:
        yield _common(scene, "class:token", f"{STORY}1", "pile.story_explained", story)
    # Ladders, ducts and passages under bridges are links of the board.
    here = {link.kind for link in game.links}
    here |= {one.kind.value for one in game.features.values()}
    for kind, char in MARKERS.items():
        if kind in here:
            yield _common(scene, f"class:feature.{kind}", char, f"feature.{kind}")
    if game.submerged:
        yield _common(scene, WATER.style, WATER.char, "ground.water")
    if game.outdoor:
        yield _common(scene, OUTDOORS.style, OUTDOORS.char, "ground.outdoor")
    if any(game.lying.values()):
        yield _common(scene, "class:token", LYING, "pile.lying")


def _common(
    scene: FirstEditionScene, style: str, char: str, key: str, signs: frozenset[str] | None = None
) -> LegendEntry:
    line: Styled = [(style, char), ("", f" {scene.speaker.say(key)}")]
    return LegendEntry(signs or frozenset({char}), line, is_told=False)


def figure_legend(scene: FirstEditionScene, game: FirstEditionTable) -> list[Styled]:
    """Return an entry for each investigator and each ally on the board."""
    people = investigator_signs(game, scene.speaker)
    signs = [people[who] for who in game.investigators]
    signs += ally_signs(game, scene.speaker).values()
    return [[(sign.style, sign.char), ("", f" {sign.words}")] for sign in signs]
