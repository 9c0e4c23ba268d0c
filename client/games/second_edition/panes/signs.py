"""
Signs of the second edition: the letter or mark of each figure, token and feature on the map.

Each kind of piece has its own sign, so that players can tell the kinds apart without colours.
"""

import string
from collections.abc import Mapping

from client.boards.signs import Sign, letters
from client.games.second_edition.speaker import in_game
from client.locale.speaker import Speaker
from client.widgets.looks import FIGURES
from protocol.games.second_edition.table import FeatureKind, SecondEditionTable, TokenKind

TOKENS: Mapping[TokenKind, str] = {
    TokenKind.EXPLORE: "?",
    TokenKind.SEARCH: "*",
    TokenKind.INTERACT: "!",
    TokenKind.SIGHT: "o",
    TokenKind.PERSON: "@",
}
ANYBODY = '"'
"""A person without a name. Rule TOKEN-6."""
FEATURES: Mapping[FeatureKind, str] = {
    FeatureKind.BARRICADE: "/",
    FeatureKind.DARKNESS: "&",
    FeatureKind.FIRE: "^",
    FeatureKind.SECRET_PASSAGE: "<",
}
LYING = "%"
"""A possession without an owner, in a space."""


def investigator_signs(game: SecondEditionTable, speaker: Speaker) -> Mapping[str, Sign]:
    """Return the sign of each investigator, a unique capital letter."""
    people = tuple(game.investigators)
    names = tuple(speaker.name("investigator", character) for character in people)
    named = zip(people, letters(names, string.ascii_uppercase), names, strict=True)
    return {
        character: Sign(letter, f"class:figure.{at % FIGURES}", "investigator", character, name)
        for at, (character, letter, name) in enumerate(named)
    }


def monster_signs(game: SecondEditionTable, speaker: Speaker) -> Mapping[str, Sign]:
    """Return each monster's sign: a small letter for its kind, and its number, if any."""
    kinds = tuple(dict.fromkeys(monster.kind for monster in game.monsters.values()))
    names = tuple(speaker.name("monster", kind) for kind in kinds)
    # `o` stands for a sight token, so no monster takes it.
    by_kind = dict(zip(kinds, letters(names, string.ascii_lowercase, "o"), strict=True))
    return {
        piece: Sign(
            by_kind[monster.kind] + (str(monster.number) if monster.number else ""),
            "class:monster",
            "monster",
            piece,
            speaker.name("monster", monster.kind),
        )
        for piece, monster in game.monsters.items()
    }


def signs_at(game: SecondEditionTable, speaker: Speaker) -> Mapping[str, tuple[Sign, ...]]:
    """Return the signs of all pieces, by space or door."""
    found: dict[str, tuple[Sign, ...]] = {}
    people, monsters = investigator_signs(game, speaker), monster_signs(game, speaker)
    doors = game.map.doors

    def put(place: str, sign: Sign) -> None:
        found[place] = (*found.get(place, ()), sign)

    # Figures first: in a crowded space the signs that come last are only counted.
    for investigator in game.investigators.values():
        if investigator.space is not None:
            put(investigator.space, people[investigator.investigator_id])
    for monster in game.monsters.values():
        put(monster.space, monsters[monster.monster_id])
    for token in game.tokens.values():
        char = ANYBODY if token.is_anonymous else TOKENS[token.kind]
        words, hurt = in_game(speaker).token(token), game.persons.get(token.token_id)
        if hurt is not None:
            words = f"{in_game(speaker).person(token)} {hurt.damage}/{hurt.health}"
        put(token.at, Sign(char, "class:token", "token", token.token_id, words))
    for feature in game.features.values():
        style = f"class:feature.{feature.kind.value}"
        words = speaker.say(f"feature.{feature.kind.value}")
        sign = Sign(FEATURES[feature.kind], style, "feature", feature.feature_id, words)
        put(feature.space, sign)
        if feature.against is not None and feature.against in doors:
            # A second time on the door that it blocks.
            put(feature.against, sign)
    for space, lying in game.lying.items():
        for possession in lying:
            lies, words = possession.possession_id, speaker.say("token.lying")
            # A choice among cards on the floor leaves the map at the acting investigator.
            sign = Sign(LYING, "class:token", "possession", lies, words, moves_map=False)
            put(space, sign)
    return found
