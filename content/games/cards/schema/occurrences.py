"""
Occurrences: what abilities can answer, and the roles that each occurrence has.

In YAML a trigger names moment and occurrence, and then what must hold of the roles:
`on: {after: defeated, by: you, card: {traits: [beast]}}`.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from content.games.cards.schema.kinds import Deed
from content.games.cards.schema.targets import Filter
from protocol.games.cards.words import Phase, Skill, Word


class Moment(Word):
    """The moments of an occurrence, in the order in which abilities resolve. C-DECIDE-4."""

    WOULD = "would"
    WHEN = "when"
    AT = "at"
    AFTER = "after"


class Happening(Word):
    """The kinds of occurrence."""

    ROUND_BEGINS = "round-begins"
    ROUND_ENDS = "round-ends"
    PHASE_BEGINS = "phase-begins"
    PHASE_ENDS = "phase-ends"
    TURN_BEGINS = "turn-begins"
    TURN_ENDS = "turn-ends"
    CARD_PLAYED = "card-played"
    ENTERS_PLAY = "enters-play"
    LEAVES_PLAY = "leaves-play"
    DRAWN = "drawn"
    """Cards were drawn from a player deck; one occurrence for one draw."""
    ENCOUNTER_DRAWN = "encounter-drawn"
    REVELATION = "revelation"
    LEAVES = "leaves"
    """An investigator leaves a location."""
    ENTERS = "enters"
    """An investigator enters a location."""
    ENEMY_MOVES = "enemy-moves"
    LOCATION_REVEALED = "location-revealed"
    CLUE_DISCOVERED = "clue-discovered"
    ENGAGES = "engages"
    DISENGAGES = "disengages"
    ATTACKS = "attacks"
    DAMAGE_DEALT = "damage-dealt"
    """Harm is dealt to an investigator and not assigned yet."""
    HARM_ASSIGNED = "harm-assigned"
    """Damage or horror is assigned to a card and not placed yet."""
    HARM_PLACED = "harm-placed"
    DEFEATED = "defeated"
    EVADED = "evaded"
    EXHAUSTED = "exhausted"
    READIED = "readied"
    TEST_BEGINS = "test-begins"
    COMMITTED = "committed"
    REVEALING = "revealing"
    """A chaos token is about to be revealed, perhaps because another one says so."""
    TOKEN_REVEALED = "token-revealed"  # noqa: S105  # a piece of the game
    TEST_SUCCEEDS = "test-succeeds"
    TEST_FAILS = "test-fails"
    TEST_ENDS = "test-ends"
    HEALED = "healed"
    RESOURCES_GAINED = "resources-gained"
    DISCARDED = "discarded"
    ACT_ADVANCES = "act-advances"
    AGENDA_ADVANCES = "agenda-advances"
    DOOM_PLACED = "doom-placed"
    ELIMINATED = "eliminated"
    GAME_ENDS = "game-ends"
    SEARCHES = "searches"
    EXPLORED = "explored"
    """An exploration has found a location. C-BSPEC-1."""
    EXPLORATION_FAILED = "exploration-failed"
    """An exploration has found a treachery. C-BSPEC-2."""


ROLES: Mapping[Happening, frozenset[str]] = {
    Happening.ROUND_BEGINS: frozenset(),
    Happening.ROUND_ENDS: frozenset(),
    Happening.PHASE_BEGINS: frozenset(["phase"]),
    Happening.PHASE_ENDS: frozenset(["phase"]),
    Happening.TURN_BEGINS: frozenset(["who"]),
    Happening.TURN_ENDS: frozenset(["who"]),
    Happening.CARD_PLAYED: frozenset(["who", "card"]),
    Happening.ENTERS_PLAY: frozenset(["who", "card"]),
    Happening.LEAVES_PLAY: frozenset(["card"]),
    Happening.DRAWN: frozenset(["who", "least"]),
    Happening.ENCOUNTER_DRAWN: frozenset(["who", "card"]),
    Happening.REVELATION: frozenset(["who", "card"]),
    Happening.LEAVES: frozenset(["who", "at"]),
    Happening.ENTERS: frozenset(["who", "at"]),
    Happening.ENEMY_MOVES: frozenset(["card", "at"]),
    Happening.LOCATION_REVEALED: frozenset(["card"]),
    Happening.CLUE_DISCOVERED: frozenset(["who", "at", "least"]),
    Happening.ENGAGES: frozenset(["who", "card"]),
    Happening.DISENGAGES: frozenset(["who", "card"]),
    Happening.ATTACKS: frozenset(["who", "card"]),
    Happening.DAMAGE_DEALT: frozenset(["who", "cause", "least", "tokens"]),
    Happening.HARM_ASSIGNED: frozenset(["who", "card", "cause", "tokens"]),
    Happening.HARM_PLACED: frozenset(["who", "card", "cause", "token", "least", "tokens"]),
    Happening.DEFEATED: frozenset(["who", "by", "card", "at"]),
    Happening.EVADED: frozenset(["by", "card"]),
    Happening.EXHAUSTED: frozenset(["card"]),
    Happening.READIED: frozenset(["card"]),
    Happening.TEST_BEGINS: frozenset(["who", "deed", "skill", "card", "cause"]),
    Happening.COMMITTED: frozenset(["who", "card"]),
    Happening.REVEALING: frozenset(["who", "tokens"]),
    Happening.TOKEN_REVEALED: frozenset(["who", "tokens"]),
    Happening.TEST_SUCCEEDS: frozenset(["who", "deed", "skill", "card", "cause", "least"]),
    Happening.TEST_FAILS: frozenset(["who", "deed", "skill", "card", "cause", "least"]),
    Happening.TEST_ENDS: frozenset(["who", "deed", "skill", "card", "cause"]),
    Happening.HEALED: frozenset(["card", "cause", "token", "least"]),
    Happening.RESOURCES_GAINED: frozenset(["who", "least"]),
    Happening.DISCARDED: frozenset(["who", "card"]),
    Happening.ACT_ADVANCES: frozenset(["card"]),
    Happening.AGENDA_ADVANCES: frozenset(["card"]),
    Happening.DOOM_PLACED: frozenset(["card", "least"]),
    Happening.ELIMINATED: frozenset(["who"]),
    Happening.GAME_ENDS: frozenset(),
    Happening.SEARCHES: frozenset(["who"]),
    Happening.EXPLORED: frozenset(["who"]),
    Happening.EXPLORATION_FAILED: frozenset(["who"]),
}
"""The roles of each occurrence: what a trigger may ask about."""


class Person(Word):
    """The investigator who must have a role of an occurrence, seen from the ability's "you"."""

    YOU = "you"
    ANOTHER = "another"
    """Another investigator."""
    HERE = "here"
    """An investigator at your location, perhaps you."""
    ANOTHER_HERE = "another-here"
    ANYONE = "anyone"


@attrs.frozen
class On:
    """A trigger: moment, occurrence, and what must hold of its roles. C-NEST-1, C-TIME-1."""

    would: Happening | None = None
    when: Happening | None = None
    at: Happening | None = None
    after: Happening | None = None
    who: Person | None = None
    by: Person | None = None
    card: Filter | None = None
    """A demand on the card that it happens to, as it was just before. C-DECIDE-51."""
    cause: Filter | None = None
    """A demand on the card that brings it about, such as the attacking enemy; for a skill test, on
    the card that the test is on. C-TEST-14, C-TEST-15."""
    place: Filter | None = None
    """A demand on the location where it happens."""
    phase: Phase | None = None
    deed: Deed | None = None
    skill: Skill | None = None
    tokens: tuple[str, ...] = ()
    """Chaos tokens of which one must have been revealed (C-TOK-6), or orders the reveal; of harm,
    `attack`."""
    token: str = ""
    """Kind of token that is placed or removed."""
    least: int = 0
    is_first: bool = False
    """True for abilities "before enemies engage" of the entering of a location. C-BACT-21."""

    def parts(self) -> tuple[Moment, Happening]:
        """Return moment and occurrence. ValueError: none, or several, are given."""
        given: list[tuple[Moment, Any]] = [
            (moment, getattr(self, moment.value))
            for moment in Moment
            if getattr(self, moment.value) is not None
        ]
        ((moment, happening),) = given
        return moment, happening
