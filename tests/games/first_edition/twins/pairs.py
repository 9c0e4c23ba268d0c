"""Pairs of evenings that differ in one secret of the keeper, and their comparison."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from content.games.first_edition.schema.effects import Deal
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.story import (
    Deed,
    Knowers,
    LaidFeature,
    StoryCard,
    StoryCards,
    TokenRow,
)
from protocol.games.first_edition.table import PIT_SUPPLY, story_deck
from protocol.games.first_edition.words import FeatureKind, StoryDeck
from tests.games.first_edition.house import SCENARIO, outdoors
from tests.games.first_edition.outing_pack import BY_THE_LAKE, outing
from tests.games.first_edition.twins.evenings import Evening, Order, as_it_falls, evening, first_in
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


def on_top(*cards: str, pile: str = "deck/mythos") -> Order:
    """Return the order in which some cards lie on top of their pile."""

    def order(purpose: str, mixed: Sequence[str]) -> Sequence[str]:
        if purpose != f"shuffle {pile}":
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
ERRANDS = Pair(
    *(
        {
            "scenario": "manor/ninth-stone",
            "answers": ("in-the-barrow",),
            "hears_keeper": True,
            "wishes": {name: [f"ninth-stone/{errand}'"] for name in ("ann", "ben")},
        }
        for errand in ("to-carry-off", "to-break")
    )
)
"""The same in a story of the box."""
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


def upside_down(*piles: str) -> Order:
    """Return the order in which these piles lie upside down, and others as chance has made them."""

    def order(purpose: str, mixed: Sequence[str]) -> Sequence[str]:
        return mixed[::-1] if purpose.removeprefix("shuffle ") in piles else mixed

    return order


LEAD, FERRYMAN = "action/test-lead", "ally/test-ferryman"
"""The keeper moves the ferryman."""


@functools.cache
def by_the_lake(
    knowers: Knowers = Knowers.NOBODY,
    *,
    is_swapped: bool = False,
    is_open: bool = False,
    pit: str = "shore/d",
) -> Pack:
    """
    Return the outing with two cards in each deck of its story.

    The digest is that of the pack, so that two of these are twins.

    Args:
        knowers: who knows the cards of the story.
        is_swapped: True if the tales of the ferryman come in another order.
        is_open: True if the keeper knows the tales.
        pit: the space of the pit.
    """
    story = outing().scenarios[BY_THE_LAKE]
    decks = tuple(
        StoryCards(
            kind,
            (StoryCard(f"{kind.value}/test-one"), StoryCard(f"{kind.value}/test-other")),
            knowers,
            rooms=("room/test-hut",) if kind in {StoryDeck.TRAIL, StoryDeck.FIND} else (),
            each_ally=kind is StoryDeck.DELUSION,
        )
        for kind in StoryDeck
    )
    doubt = Deed("deed/test-doubt", (Deal(StoryDeck.MANIA),))
    ferryman, *others = story.allies
    tales = ferryman.tales[::-1] if is_swapped else ferryman.tales
    allies = (attrs.evolve(ferryman, tales=tales, open_to_keeper=is_open), *others)
    made = attrs.evolve(
        story,
        decks=decks,
        deeds=(doubt,),
        allies=allies,
        features=(LaidFeature(FeatureKind.PIT, pit),),
        actions=(LEAD,),
        hidden_actions=tuple(one for one in story.hidden_actions if one != LEAD),
    )
    return attrs.evolve(outing(), scenarios={BY_THE_LAKE: made})


def _by_the_lake(**given: Any) -> Mapping[str, Any]:
    usual = {"pack": by_the_lake(), "scenario": BY_THE_LAKE, "hears_keeper": True, "rounds": 1}
    return {**usual, **given}


def _with_a_token(answer: str) -> Mapping[str, Any]:
    """Return an evening in which one answer of the keeper names a token, and the other none."""
    found = outdoors()
    story = found.scenarios[SCENARIO]
    (mute,) = story.monsters
    rows = (TokenRow("token/mute-heavy", {"last-words": "in-the-bedroom"}),)
    made = attrs.evolve(story, monsters=(attrs.evolve(mute, tokens=rows),))
    return {
        "pack": attrs.evolve(found, scenarios={SCENARIO: made}),
        "answers": (answer,),
        "places": {"token monster/mute": 2},
        "rounds": 1,
    }


TOKENS = Pair(*map(_with_a_token, ("in-the-bedroom", "in-the-dipping-room")))
"""The keeper's answer names the token under a monster, or leaves it to the lot."""
PITS = Pair(_by_the_lake(), _by_the_lake(order=upside_down("supply/pits")))
"""Other pits lie on the board and in the supply, and nobody falls into one."""
FALLEN = Pair(
    *(
        _by_the_lake(
            pack=by_the_lake(pit="shore/b"),
            order=on_top(*pits, pile="supply/pits"),
            wishes={"kim": [f"choice/keeper_action ('{LEAD}'", "choice/lead_to"]},
        )
        for pits in (
            ("pit/test-shallow", "pit/test-deep", "pit/saw-pit"),
            ("pit/test-shallow", "pit/saw-pit", "pit/test-deep"),
        )
    )
)
"""An ally falls into a pit, and another one takes its place, into which nobody falls."""
USED_ACTION = Pair(
    *(
        {
            **_by_the_lake(places={"action": 3}, hears_keeper=False),
            "wishes": {
                "kim": [
                    *(f"choice/take_action ('action/test-{one}'" for one in taken),
                    "choice/keeper_action ('action/test-scare'",
                ]
            },
        }
        for taken in (("call", "dig", "doubt", "scare"), ("dig", "doubt", "drop", "scare"))
    )
)
"""Kim takes other hidden actions, and uses one that she took in both."""
TALES = Pair(_by_the_lake(), _by_the_lake(pack=by_the_lake(is_swapped=True)))
"""An ally has its tales in one order or the other, and tells none."""
OPEN_TALES = Pair(
    *(_by_the_lake(pack=by_the_lake(is_swapped=one, is_open=True)) for one in (False, True))
)
"""The same, and the keeper knows them."""
STORY_CARDS = {
    knowers: Pair(
        *(
            _by_the_lake(
                pack=by_the_lake(knowers), order=order, wishes={"ann": ["deed/test-doubt"]}
            )
            for order in (as_it_falls, upside_down(*map(story_deck, StoryDeck)))
        )
    )
    for knowers in Knowers
}
"""Other cards of the story lie in rooms, and before an ally and Ann, by who knows them."""
BY_LOW_WATER = Pair(
    *(
        {"scenario": "manor/low-water", "answers": (), "order": order}
        for order in (as_it_falls, upside_down(PIT_SUPPLY, story_deck(StoryDeck.TRAIL)))
    )
)
"""Other pits and trails lie on the board of a story of the box."""
DELAYED = STEPS.both(delay=3600)
"""Wat and Zoe see nothing of the game yet."""
