"""Rounds: the order of turns, and the steps of the keeper's turn. Sections 4 and 11."""

import functools

from content.games.first_edition.schema.cards import Trigger
from protocol.common.text import Text
from protocol.games.first_edition.events import (
    DealtWith,
    KeeperStepBegan,
    RoundBegan,
    ThreatChanged,
)
from protocol.games.first_edition.table import Investigator, KeeperStep, Waiting
from server.games.first_edition.rules import (
    burning,
    harm,
    laid_ready,
    mythos,
    newcomers,
    story,
    turn,
    water,
)
from server.games.first_edition.rules.play import Play
from server.kernel.asks import Option, Prompt
from server.rulekit.offers import PlayerAction


async def choose_turn(play: Play) -> None:
    """
    Let any player who has a turn left begin the next one. K-ROUND-1 to K-ROUND-3, K-DECIDE-12.

    A player who leads two investigators chooses between their turns, too (W-PLAYER-3).
    """
    options: dict[int, list[Option[PlayerAction]]] = {}
    left = play.table.to_act()
    for at, one in enumerate(left):
        # Two to come to one seat are alike.
        if one not in left[:at]:
            options.setdefault(one.seat, []).append(_turn_of(play, one))
    ((_, first), *more) = options.items()
    if not more and len(first) == 1:
        await first[0].value()
        return
    prompts = {seat: Prompt(Text("ask/turn"), tuple(turns)) for seat, turns in options.items()}
    _, (take,) = await play.any_one(prompts, rule="K-ROUND-2", about=Text("about/order"))
    await take()


def _turn_of(play: Play, one: Investigator | Waiting) -> Option[PlayerAction]:
    """Return the option to begin a turn: that of an investigator, or of one to come. K-NEW-1."""
    if isinstance(one, Waiting):
        arrive = functools.partial(newcomers.arrive, play, one.seat)
        return Option(arrive, Text("choice/new_investigator"))
    who = one.investigator_id

    async def take() -> None:
        turn.begin(play, who)
        await water.leave(play, who, one.seat)
        await mythos.triggered(play, who, Trigger.TURN_STARTS)

    return Option(take, Text("choice/take_turn", (who,)))


async def begin_keeper_turn(play: Play) -> None:
    """Begin the keeper's turn, and have monsters leave the water. K-KEEPER-1, W-DECIDE-6."""
    play.emit(KeeperStepBegan(KeeperStep.TRADE))
    await water.monsters_leave(play)


async def recover(play: Play) -> None:
    """Take one stun token from each stunned investigator. K-KEEPER-4."""
    for who in list(play.table.investigators):
        harm.unstun(play, who, 1)
    play.emit(KeeperStepBegan(KeeperStep.THREAT))


async def gain_threat(play: Play) -> None:
    """Give the keeper a threat for each investigator on the board. K-KEEPER-5, K-KEEPER-6."""
    # K-DECIDE-64: players who wait for a new investigator give none.
    if play.table.investigators:
        play.emit(ThreatChanged(len(play.table.investigators)))
    play.emit(KeeperStepBegan(KeeperStep.ACTIONS))


async def event_step(play: Play) -> None:
    """
    Put a time token on the event deck, then end the keeper's turn. K-EVENT-1 to K-EVENT-3.

    Where a story goes on without event cards, the step is skipped. W-EVENT-1 to W-EVENT-3.
    """
    if play.table.events and "time" not in play.table.done:
        play.emit(DealtWith("time"))
        if story.is_due(play):
            # The last event is late. K-VAR-9.
            await story.face_event(play)
        else:
            await story.add_time(play)
        return
    play.emit(KeeperStepBegan(KeeperStep.END))


async def end_round(play: Play) -> None:
    """End the keeper's turn and begin the next round. K-ROUND-1, K-DECIDE-80, K-DECIDE-107."""
    await burning.at_end_of_keeper_turn(play)
    await laid_ready.lay(play)
    play.emit(RoundBegan(play.table.round_number + 1))
