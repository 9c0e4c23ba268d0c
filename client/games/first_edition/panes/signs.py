"""
Signs of the first edition: the letter or mark of each figure, pile and feature on the map.

Each kind of piece has its own sign, so that players can tell the kinds apart without colours.
"""

import string
from collections.abc import Iterator, Mapping

from client.boards.contents import Ground
from client.boards.signs import Sign, letters
from client.games.first_edition.outdoors import story_in_rooms
from client.games.first_edition.speaker import FirstEditionSpeaker
from client.widgets.looks import FIGURES
from protocol.games.first_edition.table import Feature, FirstEditionTable
from protocol.games.first_edition.words import UNDER, FeatureKind

FEATURES: Mapping[FeatureKind, str] = {
    FeatureKind.BARRICADE: "/",
    FeatureKind.HIDING_SPOT: "(",
    FeatureKind.LADDER: "<",
    FeatureKind.DUCT: "o",
    FeatureKind.CAMPFIRE: "*",
    FeatureKind.CORPSE: "x",
    FeatureKind.ALTAR: '"',
    FeatureKind.PIT: ">",
    FeatureKind.BOAT: ")",
    FeatureKind.FIRE: "^",
    FeatureKind.DARKNESS: "&",
}
MARKERS: Mapping[str, str] = {
    **{kind.value: char for kind, char in FEATURES.items()},
    UNDER: "_",
}
"""Signs of features and links, by the word of their kind."""
WATER = Ground("~", "class:ground.water")
OUTDOORS = Ground(",", "class:ground.outdoor")
ALLY = "+"
"""Follows the letter of an ally."""
WING = "'"
"""Follows the sign of a monster that flies."""
STORY = "#"
"""Cards of the story in a room, followed by their number."""
PILE = "?"
"""Exploration cards in a room, followed by their number."""
OBSTACLE = "!"
"""The same, where an obstacle lies face up on top."""
LOCK = "@"
LYING = "%"
"""Items face up in a room."""
TAKEN = "".join(sign for sign in FEATURES.values() if sign.isalpha())
"""Letters that no monster has."""


def investigator_signs(game: FirstEditionTable, speaker: FirstEditionSpeaker) -> Mapping[str, Sign]:
    """Return the sign of each investigator, a unique capital letter."""
    # All who have ever come, so that nobody's letter changes when somebody dies.
    people = tuple(dict.fromkeys((*game.used_investigators, *game.investigators)))
    names = tuple(map(speaker.investigator, people))
    named = zip(people, letters(names, string.ascii_uppercase), names, strict=True)
    return {
        who: Sign(letter, f"class:figure.{at % FIGURES}", "investigator", who, name)
        for at, (who, letter, name) in enumerate(named)
    }


def ally_signs(game: FirstEditionTable, speaker: FirstEditionSpeaker) -> Mapping[str, Sign]:
    """Return the sign of each ally, a capital letter with a plus."""
    names = tuple(map(speaker.character, game.allies))
    named = zip(game.allies, letters(names, string.ascii_uppercase), names, strict=True)
    # Choices point at allies as at investigators.
    return {
        who: Sign(letter + ALLY, "class:ally", "investigator", who, name)
        for who, letter, name in named
    }


def monster_signs(game: FirstEditionTable, speaker: FirstEditionSpeaker) -> Mapping[str, Sign]:
    """Return each monster's sign: a small letter for its kind, and its number, if it has one."""
    kinds = tuple(dict.fromkeys(monster.kind for monster in game.monsters.values()))
    names = tuple(speaker.name("monster", kind) for kind in kinds)
    by_kind = dict(zip(kinds, letters(names, string.ascii_lowercase, TAKEN), strict=True))
    signs: dict[str, Sign] = {}
    for piece, monster in game.monsters.items():
        name = speaker.monster(game, monster)
        has_number = name != speaker.name("monster", monster.kind)
        char = by_kind[monster.kind] + (str(monster.number) if has_number else "")
        char += WING if monster.is_flying else ""
        signs[piece] = Sign(char, "class:monster", "monster", piece, name)
    return signs


def signs_at(
    game: FirstEditionTable, speaker: FirstEditionSpeaker
) -> Mapping[str, tuple[Sign, ...]]:
    """Return the signs of all pieces, by space or door."""
    found: dict[str, tuple[Sign, ...]] = {}
    # Figures first: in a crowded space the signs that come last are only counted.
    for place, sign in _placed(game, speaker):
        found[place] = (*found.get(place, ()), sign)
    return found


def _placed(game: FirstEditionTable, speaker: FirstEditionSpeaker) -> Iterator[tuple[str, Sign]]:
    people, monsters = investigator_signs(game, speaker), monster_signs(game, speaker)
    for who in game.investigators.values():
        yield who.space, people[who.investigator_id]
    allies = ally_signs(game, speaker)
    for name, ally in game.allies.items():
        yield ally.space, allies[name]
    for monster in game.monsters.values():
        yield monster.space, monsters[monster.monster_id]
    for feature in game.features.values():
        style = f"class:feature.{feature.kind.value}"
        char, words = FEATURES[feature.kind], speaker.feature(feature)
        sign = Sign(char, style, "feature", feature.feature_id, words)
        for place in _places(game, feature):
            yield place, sign
    for number, link in enumerate(game.links):
        style, char = f"class:feature.{link.kind}", MARKERS[link.kind]
        for space in link.spaces:
            others = [speaker.space(game, one) for one in link.spaces if one != space]
            ends = speaker.locale.in_a_row(others)
            words = speaker.say("link.to", speaker.say(f"feature.{link.kind}"), ends)
            yield space, Sign(char, style, "link", f"{number}", words)
    for room, cards in game.laid.items():
        if cards:
            obstacle = cards[0].shown
            char = f"{PILE if obstacle is None else OBSTACLE}{len(cards)}"
            words = speaker.say("pile.cards", len(cards))
            words = words if obstacle is None else speaker.card(obstacle)
            yield from _in_room(game, room, Sign(char, "class:token", "room", room, words))
    for room, lying in story_in_rooms(game).items():
        words = ", ".join(dict.fromkeys(map(speaker.story_card, lying)))
        sign = Sign(f"{STORY}{len(lying)}", "class:token", "story_card", room, words)
        yield from _in_room(game, room, sign)
    for room in game.locks:
        words = speaker.say("pile.lock")
        yield from _in_room(game, room, Sign(LOCK, "class:token", "lock", room, words))
    for room, items in game.lying.items():
        words = ", ".join(speaker.card(item.card) for item in items)
        # A choice among cards on the floor leaves the map at the acting investigator.
        for item in items[:1]:
            sign = Sign(LYING, "class:token", "possession", item.piece, words, moves_map=False)
            yield from _in_room(game, room, sign)


def grounds(game: FirstEditionTable) -> Mapping[str, Ground]:
    """Return what spaces have at their sides: water, or the open air. W-OUT-4, W-WATER-1."""
    open_air = {space: OUTDOORS for space, room in game.map.rooms.items() if room in game.outdoor}
    return {**open_air, **{one: WATER for one in game.submerged if one in game.map.rooms}}


def _in_room(game: FirstEditionTable, room: str, sign: Sign) -> Iterator[tuple[str, Sign]]:
    """Yield the first space of a room with a sign for the whole room."""
    yield from ((space, sign) for space in game.map.spaces_of(room)[:1])


def _places(game: FirstEditionTable, feature: Feature) -> Iterator[str]:
    """Yield the spaces of a feature, and the door that it blocks."""
    if feature.kind.is_of_room:
        yield from game.map.spaces_of(feature.at)
        return
    yield feature.at
    for edge in game.map.edges_of(feature.at):
        if edge.door is not None and edge.across(feature.at) == feature.against:
            yield edge.door
