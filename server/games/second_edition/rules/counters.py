"""
Counters: numbers that the scenario keeps, sealed to everybody.

The log numbers counters by their position in the scenario, since a name could reveal their purpose.
A personal counter has one number for each investigator; the name of each number ends in the
investigator's id.
"""

from collections.abc import Sequence

from content.games.second_edition.schema.counters import Counter, Scope
from protocol.common.table import Legacy
from protocol.games.second_edition.carried import packed
from protocol.games.second_edition.table import CardId, InvestigatorId
from server.games.second_edition.rules import draws, memory
from server.games.second_edition.rules.play import Play

BLANK = "-"
"""Placeholder for a dealt number in a pile of numbers, in logs of version 1."""


def declared(play: Play, counter: str) -> Counter:
    """Return the scenario's declaration of a counter."""
    return play.content.scenario.counters[counter]


def opaque_name(play: Play, counter: str, investigator: InvestigatorId | None = None) -> str:
    """Return the name of a counter on the log, such as `c1`, or `c1/NAME` for a personal one."""
    scenario = play.content.scenario
    number = scenario.numbers_of_counters[counter]
    if scenario.counters[counter].of is Scope.INVESTIGATOR:
        # Nothing is ever set for nobody, so that reading it gives the initial value.
        return f"c{number}/{investigator or 'nobody'}"
    return f"c{number}"


def value(play: Play, counter: str, investigator: InvestigatorId | None = None) -> int:
    """
    Return the value of a counter: its initial value until it is first set.

    Args:
        play: the game.
        counter: its name in the scenario.
        investigator: owner of a personal counter; without an owner its initial value is returned.
    """
    kept = memory.number(play, opaque_name(play, counter, investigator))
    if kept is not None:
        return kept
    made = declared(play, counter)
    if made.of is Scope.CAMPAIGN:
        # Another chapter may have other bounds than the one that left this number.
        return made.within(play.content.carried.get(counter, made.first))
    return made.first


def left_over(play: Play) -> Legacy | None:
    """
    Return the legacy for the next scenario of a campaign; None outside a campaign.

    The numbers are in the order in which the campaign declares its counters.
    """
    campaign = play.content.pack.campaign_of(play.content.scenario.id)
    if campaign is None:
        return None
    own, carried = play.content.scenario.counters, play.content.carried
    numbers = tuple(
        value(play, name)
        if name in own and own[name].of is Scope.CAMPAIGN
        else carried.get(name, made.first)
        for name, made in campaign.counters.items()
    )
    return Legacy(campaign.id, packed(numbers))


def put(play: Play, counter: str, to: int, investigator: InvestigatorId | None = None) -> None:
    """
    Set a counter to a number, clamped to the counter's bounds.

    Without an investigator, a personal counter stays unchanged.
    """
    made = declared(play, counter)
    if made.of is Scope.INVESTIGATOR and investigator is None:
        return
    memory.remember(play, opaque_name(play, counter, investigator), made.within(to))


def change(
    play: Play,
    counter: str,
    *,
    add: int,
    to: int | None = None,
    investigator: InvestigatorId | None = None,
) -> None:
    """
    Set a counter to `to`, unless it is None, then add `add`.

    The result is clamped to the counter's bounds. Without an investigator, a personal counter stays
    unchanged.
    """
    start = value(play, counter, investigator) if to is None else to
    put(play, counter, start + add, investigator)


def deal(
    play: Play,
    counter: str,
    numbers: Sequence[int],
    investigator: InvestigatorId | None,
    *,
    is_fresh: bool,
) -> None:
    """
    Set a counter to one of these numbers, which nobody learns. Rule RANDOM-1.

    If `is_fresh`, numbers that were dealt to the counter before are left out until all have been
    dealt; then all of them are possible again.
    """
    # Later versions deal sealed: a pile of their own would show the counters that are dealt.
    if play.version == 1:
        _deal_from_pile(play, counter, numbers, investigator, is_fresh=is_fresh)
        return
    name = opaque_name(play, counter, investigator)
    left = [number for number in numbers if not (is_fresh and _was_dealt(play, name, number))]
    dealt = draws.deal(play, f"counter {name}", left or numbers)
    assert dealt is not None
    if not is_fresh or not left:
        for number in numbers:
            _note_dealt(play, name, number, was_dealt=False)
    _note_dealt(play, name, dealt, was_dealt=True)
    put(play, counter, dealt, investigator)


def _was_dealt(play: Play, name: str, number: int) -> bool:
    return bool(memory.number(play, f"{name}={number}"))


def _note_dealt(play: Play, name: str, number: int, *, was_dealt: bool) -> None:
    if was_dealt is not _was_dealt(play, name, number):
        memory.remember(play, f"{name}={number}", int(was_dealt))


def _deal_from_pile(
    play: Play,
    counter: str,
    numbers: Sequence[int],
    investigator: InvestigatorId | None,
    *,
    is_fresh: bool,
) -> None:
    """
    Deal as in logs of version 1: mix the numbers facedown and take the top one.

    The others stay in the pile. Numbers dealt before are replaced by blanks, which are skipped: a
    pile that shrinks would show how many are left.
    """
    pile = f"deal/{opaque_name(play, counter, investigator)}"
    lying = _cards(play, pile) if is_fresh else []
    rest = [int(card) for card in lying if card != BLANK]
    left = [number for number in rest if number in numbers]
    _mix(play, pile, left or numbers, len(numbers))
    dealt = int(next(card for card in _cards(play, pile) if card != BLANK))
    others = [number for number in (rest if left else numbers) if number != dealt]
    _mix(play, pile, others, max(len(numbers), len(lying)) - 1)
    put(play, counter, dealt, investigator)


def _cards(play: Play, pile: str) -> list[CardId]:
    return [play.table.card_of(handle) for handle in play.table.piles.get(pile, ())]


def _mix(play: Play, pile: str, numbers: Sequence[int], size: int) -> None:
    """Mix numbers with blanks into a pile of `size` cards. The size is public."""
    play.shuffle(pile, [*map(str, numbers), *[BLANK] * (size - len(numbers))])


def begin_round(play: Play) -> None:
    """
    Set each counter that lasts for one round to its initial value, even if it has that value.

    In a log of version 1, resetting only the changed counters would reveal which had changed.
    """
    for name, counter in play.content.scenario.counters.items():
        if counter.of is Scope.ROUND:
            put(play, name, counter.first)
