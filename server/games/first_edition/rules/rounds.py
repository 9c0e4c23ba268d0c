"""Rounds: the order of turns, and the steps of the keeper's turn. Sections 4 and 11."""

import functools

from protocol.common.text import Text
from protocol.games.first_edition.events import (
    DealtWith,
    KeeperActed,
    KeeperStepBegan,
    RoundBegan,
    ThreatChanged,
)
from protocol.games.first_edition.table import KeeperAction, KeeperStep
from server.games.first_edition.rules import (
    burning,
    effects,
    harm,
    newcomers,
    requirements,
    story,
    turn,
)
from server.games.first_edition.rules.play import Play, Source, keeper
from server.kernel.asks import Option, Prompt
from server.rulekit.offers import Offers, PlayerAction, refusal, together


def to_act(play: Play) -> tuple[int, ...]:
    """Return the seats that have not had their turn in this round, ascending. K-ROUND-1."""
    table = play.table
    seats = {one.seat for one in table.investigators.values()} | set(table.waiting)
    return tuple(sorted(seats - set(table.acted)))


async def choose_turn(play: Play) -> None:
    """Let any seat that has not acted begin the next turn. K-ROUND-2, K-ROUND-3, K-DECIDE-12."""
    seats = to_act(play)
    takes: dict[int, PlayerAction] = {}
    prompts: dict[int, Prompt[PlayerAction]] = {}
    for seat in seats:
        takes[seat], text = _turn_of(play, seat)
        prompts[seat] = Prompt(Text("ask/turn"), (Option(takes[seat], text),))
    if len(seats) == 1:
        await takes[seats[0]]()
        return
    _, (take,) = await play.any_one(prompts, rule="K-ROUND-2", about=Text("about/order"))
    await take()


def _turn_of(play: Play, seat: int) -> tuple[PlayerAction, Text]:
    """Return what the turn of a seat begins with, and its words. K-NEW-1."""
    if seat in play.table.waiting:
        return functools.partial(newcomers.arrive, play, seat), Text("choice/new_investigator")
    who = next(one.investigator_id for one in play.table.investigators.values() if one.seat == seat)

    async def take() -> None:
        turn.begin(play, who)

    return take, Text("choice/take_turn", (who,))


async def begin_keeper_turn(play: Play) -> None:
    """Begin the keeper's turn. K-KEEPER-1."""
    play.emit(KeeperStepBegan(KeeperStep.TRADE))


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


async def use_actions(play: Play) -> None:
    """Ask the keeper for one keeper action, or to go on. K-KEEPER-7 to K-KEEPER-9."""
    found = together([*(action_offers(play, one) for one in play.table.actions)])

    async def go_on() -> None:
        play.emit(KeeperStepBegan(KeeperStep.ATTACKS))

    done = Option[PlayerAction](go_on, Text("choice/end_actions"), (), "rest", ends=True)
    perform = await play.choose(
        keeper(play),
        (done, *found.options),
        rule="K-KEEPER-7",
        about=Text("about/keeper_actions"),
        prompt=Text("ask/keeper_action", (play.table.threat,)),
        refused=found.refused,
    )
    await perform()


def action_offers(play: Play, action: KeeperAction) -> Offers:
    """Offer a keeper action, or say why not. K-KEEPER-8, K-KEEPER-9, K-DECIDE-105."""
    table, card = play.table, play.content.pack.actions[action.card]
    text = Text("choice/keeper_action", (action.card, action.threat))
    if action.is_once and action.uses:
        return refusal(text, Text("refusal/once"), "K-KEEPER-9")
    if table.threat < action.threat:
        reason = Text("refusal/threat", (action.threat, table.threat))
        return refusal(text, reason, "K-KEEPER-8")
    for name, cost in action.tokens:
        if table.counters[name].amount < cost:
            reason = Text("refusal/tokens", (cost, play.content.story.subject_of(name)))
            return refusal(text, reason, "K-DECIDE-105")
    if not requirements.holds(play, card.requires, Source(card.id)):
        return refusal(text, Text("refusal/condition", (card.id,)), "K-CARD-3")
    return Offers((Option(functools.partial(use_action, play, action.card), text, (), "keeper"),))


async def use_action(play: Play, card_id: str) -> None:
    """Pay for a keeper action and resolve it. K-KEEPER-7, K-KEEPER-8."""
    card = play.content.pack.actions[card_id]
    play.emit(KeeperActed(card_id))
    await effects.resolve(play, card.effect, Source(card_id))


async def event_step(play: Play) -> None:
    """Put a time token on the event deck, then end the keeper's turn. K-EVENT-1 to K-EVENT-3."""
    if "time" not in play.table.done:
        play.emit(DealtWith("time"))
        await story.add_time(play)
        return
    play.emit(KeeperStepBegan(KeeperStep.END))


async def end_round(play: Play) -> None:
    """End the keeper's turn and begin the next round. K-ROUND-1, K-DECIDE-80."""
    await burning.at_end_of_keeper_turn(play)
    play.emit(RoundBegan(play.table.round_number + 1))
