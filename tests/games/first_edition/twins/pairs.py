"""Pairs of evenings that differ in one secret of the keeper, and their comparison."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from tests.games.first_edition.house import outdoors
from tests.games.first_edition.twins.evenings import Evening, Order, evening, first_in
from tests.games.twins.compare import Difference, blanked, unlike

HALL_AND_BACK = {
    "ann": ["choice/move", "choice/run", "choice/move", "choice/move", "choice/explore"],
    "kim": ["choice/keeper_action ('action/they-walk'", "choice/lead"],
}
"""Ann goes about the house, and the keeper moves a monster."""


def differences(first: Evening, second: Evening) -> dict[str, Difference]:
    """Return the first difference that each viewer could see; viewers without one are left out."""
    assert set(first.heard) == set(second.heard)
    compared = {
        name: unlike(blanked(heard), blanked(second.heard[name]))
        for name, heard in first.heard.items()
    }
    return {name: found for name, found in compared.items() if found is not None}


def turned(purpose: str, mixed: Sequence[str]) -> Sequence[str]:
    """Return the decks of spells upside down, and others as chance has made them."""
    return mixed[::-1] if purpose.startswith("shuffle deck/spell") else mixed


@attrs.frozen
class Pair:
    """Two evenings, by the arguments of `evening`."""

    first: Mapping[str, Any]
    second: Mapping[str, Any]

    def play(self) -> tuple[Evening, Evening]:
        """Play both evenings."""
        return evening(**self.first), evening(**self.second)

    def both(self, **more: Any) -> "Pair":
        """Return the pair with further arguments of both evenings."""
        return Pair({**self.first, **more}, {**self.second, **more})


def on_top(*cards: str) -> Order:
    """Return the order in which some mythos cards lie on top of their deck."""

    def order(purpose: str, mixed: Sequence[str]) -> Sequence[str]:
        if purpose != "shuffle deck/mythos":
            return mixed
        return [*cards, *(other for other in mixed if other not in cards)]

    return order


def _pair(vary: Callable[[int], Mapping[str, Any]]) -> Pair:
    return Pair({"wishes": HALL_AND_BACK, **vary(0)}, {"wishes": HALL_AND_BACK, **vary(1)})


OBJECTIVES = _pair(
    lambda at: {"answers": ((("sitting-up", "notice-to-quit")[at]), "in-the-bedroom")}
)
CLUES = _pair(lambda at: {"answers": ("sitting-up", ("in-the-bedroom", "in-the-dipping-room")[at])})
HANDS = _pair(
    lambda at: {
        "order": first_in("deck/mythos", f"mythos/{('draught', 'hand-on-the-shoulder')[at]}")
    }
)
TRAUMAS = _pair(
    lambda at: {
        "order": first_in("deck/trauma", f"trauma/{('turned-ankle', 'wax-in-the-eyes')[at]}")
    }
)
BACKS = _pair(lambda at: {"places": {"token monster/mute": 2 * at}})
READER = {
    "people": ("investigator/edwin-thripp", "investigator/bram-marrow"),
    "wishes": {"ann": ["trait/thripp-reader", "choice/move"]},
}
SPELLS = Pair(READER, {**READER, "order": turned})
"""Ann has a spell."""
DRAWN = Pair(
    *(
        {
            "order": on_top(*cards),
            "wishes": {"kim": ["choice/keeper_action ('action/listen-at-doors'"]},
            "strikes": 2,
        }
        for cards in (
            ("mythos/draught", "mythos/chair-scrapes"),
            ("mythos/chair-scrapes", "mythos/draught"),
        )
    )
)
"""The keeper draws two cards in one order or the other, and plays one of them."""
STEPS = Pair({"wishes": HALL_AND_BACK}, {"wishes": {"kim": HALL_AND_BACK["kim"]}})
"""They differ in what Ann does, which everybody at the table sees at once."""
BOT = Pair(
    {**HANDS.first, "wishes": {"ann": ["choice/move"]}, "with_bot": True},
    {**HANDS.second, "wishes": {"ann": ["choice/move"]}, "with_bot": True},
)
FACE_DOWN = Pair(
    *(
        {
            "scenario": "manor/lot-forty",
            "answers": ("the-set", "his-hand", "the-foreman"),
            "order": first_in("deck/mythos", f"mythos/{card}"),
            "strikes": 1,
            "rounds": 1,
        }
        for card in ("ticket", "dust-sheet")
    )
)
"""The keeper lays a mythos card face down before Ann, who alone may look at it."""
VOTES = Pair(
    *(
        {
            "pack": outdoors(),
            "hears_keeper": True,
            "wishes": {
                "ann": [vote, *HALL_AND_BACK["ann"]],
                "ben": [vote],
                "kim": HALL_AND_BACK["kim"],
            },
        }
        for vote in ("six-rooms/sitting-up'", "six-rooms/notice-to-quit'")
    )
)
"""Ann and Ben choose one objective or the other, of which Kim knows nothing."""
VOTES_APART = Pair(
    *(
        {
            "pack": outdoors(),
            "hears_keeper": True,
            "wishes": {"ann": ["six-rooms/sitting-up'"], "ben": [f"six-rooms/{vote}'"]},
        }
        for vote in ("sitting-up", "notice-to-quit")
    )
)
"""Ann decides, and Ben answers as she does or otherwise."""
HIDDEN_ACTIONS = Pair(
    *(
        {
            "pack": outdoors(),
            "wishes": {
                "ann": ["six-rooms/sitting-up'", *HALL_AND_BACK["ann"]],
                "kim": [f"choice/take_action ('action/{action}'"],
            },
        }
        for action in ("light-a-candle", "call-a-lodger")
    )
)
"""Kim takes one hidden action or the other, and uses neither."""
DELAYED = STEPS.both(delay=3600)
"""Wat and Zoe see nothing of the game yet."""
