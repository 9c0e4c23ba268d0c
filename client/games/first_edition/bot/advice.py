"""
Advice: what bots know about the bundled cards and stories before they play.

A bot cannot read what a card or an objective says. A person who has played a story before knows
what it is about, and so do bots, by these tables. Without advice a bot plays by the board alone.
"""

from collections.abc import Mapping

import attrs

from protocol.games.first_edition.table import CardId, RoomId, SpaceId

OPENERS: Mapping[CardId, CardId] = {
    "lock/back-bedroom": "item/brass-key",
    "lock/vestry-door": "item/vestry-key",
    "obstacle/iron-box": "item/vat-crank",
}
"""Items that open locks and obstacles."""

HEALING: Mapping[CardId, tuple[int, int]] = {
    "item/nurses-bag": (1, 0),
    "item/smelling-salts": (0, 2),
    "item/pewter-flask": (2, 1),
    "item/funeral-port": (1, 2),
    "item/laudanum": (0, 4),
    "item/bandages": (3, 0),
    "trait/marrow-stubborn": (2, 0),
    "trait/voss-bedside": (0, 1),
    "trait/pell-steadfast": (0, 2),
    "trait/ashe-student": (3, 0),
    "spell/plain-speaking": (0, 2),
}
"""Damage and horror that a card heals. It is used when somebody near has them."""

AGAINST_MONSTERS = ("trait/tull-whistle", "item/cunning-mans-notes")
"""Cards that are used while a monster is in the room."""

AT_ONCE = ("trait/calloway-lucky", "item/visiting-book")
"""Cards that are worth using whenever they can be."""

SIDELINES = ("trait/thripp-curious", "trait/wynn-open-line")
"""Cards that are used when there is nothing better to do with an action."""


@attrs.frozen
class Goals:
    """What investigators should do for one objective, or while the objective is not known."""

    burns: bool = False
    """True if corpses are to be dragged to a hearth and burnt."""
    kills: Mapping[CardId, float] = attrs.field(factory=dict)
    """Points for attacking monsters of these kinds."""
    guards: Mapping[RoomId, float] = attrs.field(factory=dict)
    """Points for having somebody in a room."""
    deeds: Mapping[CardId, float] = attrs.field(factory=dict)
    """Points for actions of the story."""
    places: Mapping[CardId, RoomId] = attrs.field(factory=dict)
    """Rooms of those actions."""


@attrs.frozen
class Scheme:
    """What the keeper should do for one objective."""

    actions: Mapping[CardId, float] = attrs.field(factory=dict)
    """Points for keeper actions; others have their usual points."""
    leads: Mapping[CardId, SpaceId] = attrs.field(factory=dict)
    """Where monsters of these kinds are led; others hunt investigators."""
    enough: Mapping[CardId, tuple[str, int]] = attrs.field(factory=dict)
    """
    What a keeper action is used for, and how much of it is enough: a counter, or a kind of monster.
    """


@attrs.frozen
class Sign:
    """What lies open while an objective is hidden, and betrays it."""

    objective: CardId
    monsters: tuple[CardId, ...] = ()
    """Kinds of monster, of which one is or was on the board."""
    counter: str = ""
    at_least: int = 0
    """Amount of the counter."""


_PINCH = {"deed/pinch-out": 85.0}
_PARLOUR = {"deed/pinch-out": "room/best-parlour"}

GOALS: Mapping[CardId, Goals] = {
    "objective/waking": Goals(burns=True, deeds=_PINCH, places=_PARLOUR),
    "objective/sleeping": Goals(deeds=_PINCH, places=_PARLOUR),
    "objective/sitting-up": Goals(burns=True, deeds=_PINCH, places=_PARLOUR),
    "objective/notice-to-quit": Goals(
        kills={"monster/lodger": 95.0},
        guards={"room/scullery": 95.0},
    ),
}
"""Goals by objective, known or guessed."""

SCHEMES: Mapping[CardId, Scheme] = {
    "objective/waking": Scheme(actions={"action/light-a-candle": 60.0}),
    "objective/sleeping": Scheme(actions={"action/light-a-candle": 60.0}),
    "objective/sitting-up": Scheme(
        actions={"action/light-a-candle": 90.0, "action/call-a-lodger": 0.0},
    ),
    "objective/notice-to-quit": Scheme(
        actions={"action/call-a-lodger": 85.0, "action/light-a-candle": 70.0},
        leads={"monster/lodger": "scullery/a"},
        enough={
            "action/call-a-lodger": ("monster/lodger", 3),
            "action/light-a-candle": ("candle", 1),
        },
    ),
}
"""Schemes by objective."""

SIGNS: Mapping[str, tuple[Sign, ...]] = {
    "manor/six-rooms": (
        Sign("objective/notice-to-quit", monsters=("monster/lodger",)),
        Sign("objective/sitting-up", counter="candle", at_least=3),
    ),
}
"""Signs by story; the first that is seen counts."""

NOTHING_TO_DO = Goals()
NO_SCHEME = Scheme()
