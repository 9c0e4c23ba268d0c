"""
Descriptions of keys that mean the same in every class, for the reference and for editors.

A description below the field of a class takes precedence.
"""

from collections.abc import Mapping

from content.language.sentences import Sentences

SENTENCES: Mapping[str, str] = {
    "id": "The id by which others name it, and the words know it.",
    # Cards
    "health": "Damage that it can bear.",
    "copies": "Number of copies.",
    "traits": "The sorts it belongs to, as requirements, steps and rules ask for them.",
    "attack": "Its attack; without one it is no weapon.",
    "powers": "What it does for its holder.",
    "minimum_players": "With fewer players it is not used.",
    "once_per_round": "Whether it can be used only once in each round.",
    # Scenarios
    "options": "The choices that are offered.",
    "seconds": "Seconds that an attempt lasts at most; without them it lasts as long as it takes.",
    "rows": "Number of rows.",
    "of": "What it belongs to.",
    # Steps
    "text": "The subject of the text.",
    "effect": "The steps that are resolved.",
    "skill": "The skill that is tested.",
    "modifier": "Dice added to the test, or taken from it.",
    "damage": "How much Damage.",
    "horror": "How much Horror.",
    "facedown": "Whether it comes facedown, without effect.",
    "who": "Whom it concerns; the actor, if left out.",
    "which": "Which monsters it concerns; the one that is dealt with, if left out.",
    "harm": "Damage or Horror.",
    "count": "How many.",
    "amount": "How much.",
    "spaces": "How many spaces.",
    "item": "The Item.",
    "spell": "The Spell.",
    "trait": "The trait that is asked for.",
    "condition": "The Condition.",
    "feature": "The square token.",
    "kind": "Its kind.",
    "counter": "The counter of the scenario.",
    "puzzle": "The puzzle.",
    "won": "Whether it is a win.",
    "tile": "The tile of the scenario.",
    "token": "The token of the scenario.",
    "space": "The space, the room, or a word for a space.",
    # Requirements
    "name": "Its name in the scenario.",
    "at_least": "The least number for which it holds.",
    "at_most": "The greatest number for which it holds.",
    "when": "It counts only if this holds.",
}
"""Sentences by key, as authors write the key."""

WORDS: Mapping[str, Mapping[str, str]] = {
    "TokenKind": {
        "explore": "A door or a way to what is not yet on the board.",
        "search": "Something to be looked through.",
        "interact": "Something to be handled.",
        "sight": "Something to be looked at.",
        "person": "Somebody to talk to.",
    },
    "Skill": {
        "strength": "Force.",
        "agility": "Quickness.",
        "observation": "A good eye.",
        "lore": "Knowledge.",
        "influence": "A way with people.",
        "will": "Nerve.",
    },
    "Harm": {"damage": "What hurts the body.", "horror": "What hurts the mind."},
    "FeatureKind": {
        "barricade": "Something heavy that can block a door.",
        "darkness": "A space without light.",
        "fire": "A space that burns.",
        "secret_passage": "A hidden way between spaces that have one.",
    },
}
"""Sentences by enumeration and word, for words without documentation."""

ALL = Sentences(SENTENCES, WORDS)
