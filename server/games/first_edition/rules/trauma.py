"""
Trauma cards: triggers, and when the keeper may play them. Section 13.

Whether and when the keeper is asked follows from public facts alone: that somebody took harm, and
that the keeper has trauma cards. What the cards are never matters, or being asked would tell it.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from content.games.first_edition.schema.cards import TraumaCard
from protocol.common.asks import Point, RefusedChoice
from protocol.common.table import Handle
from protocol.common.text import Text
from protocol.games.first_edition.events import (
    HandCardDiscarded,
    TraumaLost,
    TraumaPlayed,
    TraumaTriggered,
    TriggersPassed,
)
from protocol.games.first_edition.table import (
    TRAUMA_DECK,
    TRAUMA_HAND,
    CharacterId,
    InvestigatorId,
    Phase,
)
from protocol.games.first_edition.table import TraumaTrigger as Trigger
from protocol.games.first_edition.words import TraumaKind
from server.games.first_edition.rules import decks, effects, places
from server.games.first_edition.rules.play import Play, Source, keeper
from server.kernel.asks import Option, Prompt

T = TypeVar("T")
Played = tuple[Trigger, Handle]
"""A trigger, and the card that the keeper plays on it."""
WINDOW = "kind/trauma"
"""Kind of the timed windows for trauma cards. K-DECIDE-17."""
_HELD_BACK = "trauma held back"


def trigger(play: Play, who: CharacterId, kind: TraumaKind) -> None:
    """Note that the keeper may now play a card of one kind on an investigator. K-TRAUMA-3."""
    one, is_open = Trigger(who, kind), bool(play.table.hand(TRAUMA_HAND))
    # W-DECIDE-27: none on an ally.
    if is_open and who in play.table.investigators and one not in play.table.triggers:
        play.emit(TraumaTriggered(who, kind))


def can_play(play: Play, who: InvestigatorId, card: TraumaCard, *, damage: int = 0) -> bool:
    """
    Return whether the threshold of a card allows it. K-TRAUMA-8 to K-TRAUMA-11.

    `damage` is what the investigator is about to take.
    """
    has = play.table.investigators[who]
    left = has.health_left - damage if card.kind is TraumaKind.INJURY else has.sanity_left
    return card.threshold is None or left <= card.threshold


def in_hand(play: Play) -> Mapping[Handle, TraumaCard]:
    """Return the trauma cards of the keeper, by handle."""
    cards = play.content.pack.traumas
    return {handle: cards[play.table.card_of(handle)] for handle in play.table.hand(TRAUMA_HAND)}


def options(play: Play) -> list[Option[Played]]:
    """
    Return each card that can be played on an open trigger. K-TRAUMA-6, K-TRAUMA-7, K-TRAUMA-13.

    Nobody who was killed is offered (K-DECIDE-73).
    """
    return [
        Option(
            (one, handle),
            Text("choice/trauma", (card.id, who)),
            (places.at_investigator(who), Point("card", handle)),
            "trauma",
        )
        for one in play.table.triggers
        if (who := one.investigator) in play.table.investigators
        for handle, card in in_hand(play).items()
        if card.kind is one.kind and can_play(play, who, card)
    ]


def refused(play: Play) -> tuple[RefusedChoice, ...]:
    """Return why the other cards of the hand fit no open trigger. K-TRAUMA-6 to K-TRAUMA-10."""
    offered = {one.value[1] for one in options(play)}
    found = []
    for handle, card in in_hand(play).items():
        harmed = [
            one.investigator
            for one in play.table.triggers
            if one.kind is card.kind and one.investigator in play.table.investigators
        ]
        if handle in offered:
            continue
        if harmed:
            reason = Text("refusal/threshold", (card.threshold or 0, harmed[0]))
        else:
            reason = Text(f"refusal/no_harm_{card.kind.value}")
        found.append(RefusedChoice(Text("choice/card", (card.id,)), reason, "K-TRAUMA-8"))
    return tuple(found)


async def settle(play: Play) -> None:
    """
    Ask the keeper about the open triggers, all at once. K-DECIDE-15, K-DECIDE-17, K-DECIDE-27.

    The keeper is simply asked in the own turn, and where cards laid ready replace the questions at
    a table by calendar (K-DECIDE-107).
    Otherwise a timed window opens, in which silence is no card. Nothing is asked without a trauma
    card, which is public, nor inside `held_back`. What the cards are never matters (K-SECRET-20).
    """
    if not play.table.triggers or _HELD_BACK in play.under_way:
        return
    played: list[Played] = []
    if play.table.hand(TRAUMA_HAND):
        played = await (_ask(play) if is_simply_asked(play) else _open_window(play))
    passed(play)
    for on, handle in played:
        await play_on(play, on, handle)


def is_simply_asked(play: Play) -> bool:
    """Return whether the keeper is asked without a timed window. K-DECIDE-17, K-DECIDE-107."""
    return play.table.phase is Phase.KEEPER or (play.lays_ready and play.is_by_calendar)


async def ask_keeper(
    play: Play, options: Sequence[Option[T]], *, rule: str, about: Text, prompt: Text, kind: str
) -> T:
    """
    Have the keeper choose one option, in a timed window or without one. K-DECIDE-17, K-DECIDE-107.

    The first option is the one that silence chooses. `kind` is that of the window.
    """
    seat = keeper(play)
    if is_simply_asked(play):
        return await play.choose(seat, options, rule=rule, about=about, prompt=prompt)
    prompts = {seat: Prompt(prompt, tuple(options))}
    picks = await play.window(prompts, rule=rule, about=about, kind=kind)
    return next(iter(picks.get(seat, ())), options[0].value)


async def _ask(play: Play) -> list[Played]:
    """Ask for a card in each line, one after the other; no card fits into two lines."""
    played: list[Played] = []
    for on in play.table.triggers:
        used = {handle for _, handle in played}
        cards = [one for one in options(play) if one.value[0] == on and one.value[1] not in used]
        lines: list[Option[Played | None]] = [Option(None, Text("choice/no_trauma"), ends=True)]
        lines += [one.with_value(one.value) for one in cards]
        card = await play.choose(
            keeper(play),
            lines,
            rule="K-TRAUMA-3",
            about=Text("about/trauma", (on.investigator,)),
            prompt=Text(f"ask/{on.kind.value}", (on.investigator,)),
            refused=refused(play),
        )
        if card is not None:
            played.append(card)
    return played


async def _open_window(play: Play) -> list[Played]:
    """
    Open a window with a line for each investigator who took harm. K-DECIDE-27, K-DECIDE-72.

    Somebody who took damage and horror can be dealt an injury, an insanity, or both at once. No
    window takes two choices that point at the same investigator or card, so each line has one card
    at most, and a card has one line.
    """
    singles = options(play)
    lines: list[Option[tuple[Played, ...]]] = [Option((), Text("choice/no_trauma"), ends=True)]
    lines += [one.with_value((one.value,)) for one in singles]
    lines += [
        Option[tuple[Played, ...]](
            (one.value, other.value),
            Text("choice/both_traumas", (*one.text.params[:1], *other.text.params)),
            tuple(dict.fromkeys((*one.points, *other.points))),
            "trauma",
        )
        for at, one in enumerate(singles)
        for other in singles[at + 1 :]
        if one.value[0].investigator == other.value[0].investigator
        and one.value[0].kind is not other.value[0].kind
    ]
    people = tuple(dict.fromkeys(one.investigator for one in play.table.triggers))
    if len(people) == 1:
        about, ask = Text("about/trauma", people), Text("ask/trauma")
    else:
        about, ask = Text("about/traumas"), Text("ask/traumas", (len(people),))
    seat = keeper(play)
    picks = await play.window(
        {seat: Prompt(ask, tuple(lines), refused(play))},
        rule="K-TRAUMA-3",
        about=about,
        kind=WINDOW,
        at_most=len(people),
    )
    return [played for picked in picks.get(seat, ()) for played in picked]


@contextlib.contextmanager
def held_back(play: Play) -> Iterator[None]:
    """Put off all questions about harm until the block is done. K-DECIDE-27."""
    if _HELD_BACK in play.under_way:
        yield
        return
    play.under_way.add(_HELD_BACK)
    try:
        yield
    finally:
        play.under_way.discard(_HELD_BACK)


def passed(play: Play) -> None:
    """Note that the keeper was asked about all open triggers. K-DECIDE-17."""
    if play.table.triggers:
        play.emit(TriggersPassed())


async def play_on(play: Play, on: Trigger, handle: Handle, *, is_action: bool = False) -> None:
    """
    Play a trauma card on an investigator. K-TRAUMA-1, K-TRAUMA-2, K-TRAUMA-13, K-DECIDE-73.

    A card of the same kind is discarded before the new one takes effect (K-DECIDE-75); an instant
    card replaces none (K-DECIDE-76).
    """
    who = on.investigator
    if who not in play.table.investigators or handle not in play.table.hand(TRAUMA_HAND):
        return
    card = in_hand(play)[handle]
    play.emit(TraumaPlayed(who, handle, card.id, card.kind, card.instant, is_action))
    await effects.resolve(play, card.effect, Source(card.id, who))


def cure(play: Play, who: InvestigatorId, kind: TraumaKind | None) -> None:
    """Discard the trauma cards of an investigator, of one kind or both. K-TRAUMA-14."""
    for one in TraumaKind if kind is None else (kind,):
        if play.table.investigators[who].trauma(one) is not None:
            play.emit(TraumaLost(who, one))


def discard_those_for_several(play: Play) -> None:
    """
    Exchange the keeper's cards for several investigators when one player is left. K-TRAUMA-17.

    K-DECIDE-64 counts the players who are not eliminated, W-DECIDE-51 each investigator of a player
    who leads two. Everybody sees the cards that go.
    """
    if len(play.table.investigators) + len(play.table.waiting) != 1:
        return
    gone = [handle for handle, card in in_hand(play).items() if card.several]
    for handle in gone:
        card = play.table.card_of(handle)
        play.emit(HandCardDiscarded(TRAUMA_DECK, TRAUMA_HAND, handle, card))
    for _ in gone:
        decks.draw_trauma(play)
