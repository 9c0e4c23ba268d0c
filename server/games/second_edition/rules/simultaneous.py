"""
Simultaneous effects: the investigators decide in which order they are resolved.

Rules CONFLICT-2 and DECIDE-142. A usual order is proposed: it stands where nobody wants another,
and whoever does not care can pass on such questions for good. Else the group agrees on a list, or
the lot falls (CONFLICT-3). Nothing is asked where the order changes nothing, as far as all can
know: an answer that rested on what is hidden would tell it.
"""

from collections.abc import Sequence
from typing import TypeVar

from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema.effects import Effect, Step, Who
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.walk import parts_in
from protocol.boards.kept import KeptFacts
from protocol.common.text import Text
from protocol.games.second_edition.table import CardId, Harm, InvestigatorId, deck
from server.games.second_edition.rules import naming
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Option, Prompt

T = TypeVar("T")

KIND = "order/same_time"
"""What a seat may pass on for good: it has no wish for another order."""

_OWN = (
    *(schema.Say, schema.SkillTest, schema.Negate, schema.Suffer, schema.Heal, schema.When),
    *(schema.TurnFacedown, schema.TurnFaceup, schema.TurnThisFacedown, schema.DiscardThis),
    *(schema.GainClues, schema.SpendClues, schema.LoseActions, schema.Become, schema.Recover),
    *(schema.Forfeit, schema.DropRandomItem, schema.Deal, schema.LookAtFacedown),
)
"""The steps that touch nobody but whom they concern, if that is the actor."""


async def in_order(play: Play, things: Sequence[Option[T]]) -> tuple[T, ...]:
    """
    Return things that happen at one moment in the order in which they are resolved.

    Args:
        play: the game.
        things: each as it is offered, in the usual order, which games of version 1 keep to.
    """
    usual = tuple(thing.value for thing in things)
    if len(things) < 2 or play.version == 1 or not play.table.standing():
        return usual
    if not await _is_another_wanted(play, things):
        return usual
    return await play.agree_on_list(
        play.table.standing(),
        things,
        rule="CONFLICT-2",
        about=Text("about/same_time"),
        prompt=Text("ask/order"),
        at_least=len(things),
        at_most=len(things),
    )


async def _is_another_wanted(play: Play, things: Sequence[Option[T]]) -> bool:
    """Ask whether the usual order will do: it does when all pass."""
    usual = Text("choice/usual_order", (_listed([thing.text for thing in things]),))
    prompt = Prompt(
        Text("ask/usual_order"),
        (
            Option(value=False, text=usual, group="proposed", ends=True),
            Option(value=True, text=Text("choice/another_order")),
        ),
    )
    seats = dict.fromkeys(play.seat_of(who) for who in play.table.standing())
    acted = await play.first_to_act(
        dict.fromkeys(sorted(seats), prompt),
        rule="CONFLICT-2",
        about=Text("about/same_time"),
        kind=KIND,
    )
    return acted is not None


def _listed(texts: Sequence[Text]) -> Text:
    """Return what comes one after another, as far as texts may stand in texts."""
    first, *others = texts[:_MOST_LISTED]
    for text in others:
        first = Text("choice/then", (first, text))
    return first if len(texts) <= _MOST_LISTED else Text("choice/then_others", (first,))


_MOST_LISTED = 5
"""As many as there are investigators; each stands one deeper in the text."""


# Investigators -------------------------------------------------------------------------------


async def each_in_order(
    play: Play, people: Sequence[InvestigatorId], *, matters: bool
) -> tuple[InvestigatorId, ...]:
    """Return those whom one effect concerns in the order in which it comes to them."""
    if not matters:
        return tuple(people)
    return await in_order(
        play,
        [Option(who, Text("choice/who", (who,)), (naming.at_investigator(who),)) for who in people],
    )


# Whether it matters --------------------------------------------------------------------------


def effect_reaches_others(play: Play, effect: Effect) -> bool:
    """
    Return whether an effect can change what the same effect then does to somebody else.

    By what it says alone, whatever of it comes to pass.
    """
    return any(
        _step_reaches_others(play, part) for part in parts_in(effect) if isinstance(part, Step)
    )


def _step_reaches_others(play: Play, step: Step) -> bool:
    if not _is_own(step):
        return True
    if isinstance(step, schema.TurnFaceup):
        return texts_reach_others(play, step.harm)
    if isinstance(step, schema.Suffer | schema.Negate) and not step.facedown:
        kinds = {Harm.DAMAGE: step.damage, Harm.HORROR: step.horror}
        return any(texts_reach_others(play, harm) for harm, count in kinds.items() if count != 0)
    return False


def harm_reaches_others(
    play: Play, people: int, *, damage: int, horror: int, facedown: bool
) -> bool:
    """
    Return whether it matters in which order several suffer the same.

    It does where too few cards are left for all (DECIDE-55), and where a text that is resolved at
    once may concern more than its owner.
    """
    counts = {Harm.DAMAGE: damage, Harm.HORROR: horror}
    return any(
        len(play.table.piles.get(deck(harm), ())) < count * people
        or (not facedown and texts_reach_others(play, harm))
        for harm, count in counts.items()
        if count
    )


def texts_reach_others(play: Play, harm: Harm) -> bool:
    """Return whether a card of a kind has a text to resolve that may concern others."""
    return harm in _harms_that_reach_others(play.content.pack)


def _by_harm(pack: Pack) -> tuple[Harm, ...]:
    """Return the kinds of which a card has such a text."""
    reaching = (
        card.harm
        for card in pack.harms.values()
        if any(not _is_own(part) for part in parts_in(card.resolve) if isinstance(part, Step))
    )
    return tuple(dict.fromkeys(reaching))


_harms_that_reach_others = KeptFacts(_by_harm)


def _is_own(step: Step) -> bool:
    """Return whether a step touches the actor alone, apart from the cards that it may bring."""
    return isinstance(step, _OWN) and getattr(step, "who", Who.ACTOR) is Who.ACTOR


def is_short(play: Play, card: CardId, people: int) -> bool:
    """Return whether fewer copies of a card are left than would be gained, but not none."""
    return 0 < play.table.supply.get(card, 0) < people
