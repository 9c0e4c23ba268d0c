"""
Timers: effects after a number of rounds or turns.

A visible timer is on the table with its text. A hidden timer is a sealed counter. Once started, the
counter is written again at each end of a round or turn, so that a log of version 1 does not reveal
when the timer was stopped. The log has a number in place of a timer's name, which would reveal the
script.
"""

from content.games.second_edition.schema.timers import Timer as Card
from protocol.common.text import Text
from protocol.games.second_edition.events import TimerRemoved, TimerSet
from protocol.games.second_edition.table import InvestigatorId, RunningTimer, TimerUnit
from server.games.second_edition.rules import effects, interplay, memory, simultaneous
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.play import Outcome, Play, Source, because
from server.kernel.asks import Option


def left(play: Play, name: str) -> int:
    """Return the rounds or turns that a timer has left; 0 if it does not run."""
    seen = play.table.timers.get(_seen_as(play, name))
    if seen is not None:
        return seen.left
    return memory.number(play, _kept_as(play, name)) or 0


def start(play: Play, name: str, source: Source, so_far: Outcome) -> None:
    """Start or restart a timer, with at least one round or turn."""
    card = play.content.scenario.timers[name]
    number = card.rounds if card.rounds is not None else card.turns
    assert number is not None, "the loader sees to it"
    _put(play, name, max(1, scaled(play, number, source, so_far)))


def stop(play: Play, name: str) -> None:
    """Stop a timer if it runs."""
    if not play.content.scenario.timers[name].seen:
        _put(play, name, 0)
    elif _seen_as(play, name) in play.table.timers:
        play.emit(TimerRemoved(_seen_as(play, name), has_run_out=False))


async def end_round(play: Play) -> None:
    """Reduce every timer that counts rounds by one, and resolve the timers that run out."""
    await _tick(play, TimerUnit.ROUNDS, None)


async def end_turn(play: Play, investigator: InvestigatorId) -> None:
    """Reduce every timer that counts turns by one, and resolve the timers that run out."""
    await _tick(play, TimerUnit.TURNS, investigator)


async def _tick(play: Play, unit: TimerUnit, investigator: InvestigatorId | None) -> None:
    """
    Reduce all running timers of a unit by one, then resolve those at 0. Rule CONFLICT-2.

    The investigators put the visible timers in order; the hidden ones keep their positions.
    """
    due = []
    for name, card in play.content.scenario.timers.items():
        is_kept = memory.number(play, _kept_as(play, name)) is not None
        was_started = is_kept or _seen_as(play, name) in play.table.timers
        if _unit(card) is unit and was_started:
            before = left(play, name)
            # A hidden timer that was stopped stays at 0, and is written all the same.
            _put(play, name, max(0, before - 1))
            due += [card] if before == 1 else []
    seen = [card for card in due if card.text is not None and card.seen]
    if any(interplay.effect_reaches_others(play, card.effect) for card in seen):
        options = [Option(card, Text(card.text or "")) for card in seen]
        with because(play, Text("within/timers")):
            ordered = iter(await simultaneous.in_order(play, options))
        due = [next(ordered) if card in seen else card for card in due]
    # Only after all are reduced: an effect may start a timer, which must not lose a round at once.
    for card in due:
        standing = play.table.standing()
        if standing:
            actor = investigator if investigator in standing else standing[0]
            with because(play, Text((card.text if card.seen else None) or "within/story")):
                await effects.resolve(play, card.effect, Source(actor or standing[0]))


def _unit(card: Card) -> TimerUnit:
    return TimerUnit.ROUNDS if card.rounds is not None else TimerUnit.TURNS


def _put(play: Play, name: str, to: int) -> None:
    card = play.content.scenario.timers[name]
    if not card.seen:
        memory.remember(play, _kept_as(play, name), to)
    elif to:
        assert card.text is not None, "the loader sees to it"
        play.emit(TimerSet(RunningTimer(_seen_as(play, name), Text(card.text), _unit(card), to)))
    else:
        play.emit(TimerRemoved(_seen_as(play, name), has_run_out=True))


def _number(play: Play, name: str) -> int:
    return list(play.content.scenario.timers).index(name) + 1


def _seen_as(play: Play, name: str) -> str:
    return f"timer{_number(play, name)}"


def _kept_as(play: Play, name: str) -> str:
    return f"w{_number(play, name)}"
