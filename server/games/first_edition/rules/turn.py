"""
The turn of an investigator: two movement steps and one action, in any order. Sections 5 and 7.

Each procedure is one question for the next step, beside which the keeper may strike, and what
follows from the answer.
"""

import functools

from content.games.first_edition.schema.cards import Doing
from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.first_edition.events import (
    ActionTaken,
    StepGained,
    TurnBegan,
    TurnEnded,
    TurnWithdrawn,
)
from protocol.games.first_edition.table import STEPS, TRAUMA_HAND, InvestigatorId
from server.games.first_edition.rules import (
    abilities,
    attacks,
    boat,
    burning,
    deeds,
    drop,
    evade,
    exploring,
    gear,
    hiding,
    laid_ready,
    movement,
    mythos,
    spells,
    trauma,
)
from server.games.first_edition.rules.play import Play, Refusal, keeper
from server.games.first_edition.rules.tests import forbids, modifiers
from server.kernel.asking import Interruption
from server.kernel.asks import Ask, Option, Prompt
from server.rulekit.offers import Offers, PlayerAction, refusal, together


def begin(play: Play, who: InvestigatorId) -> None:
    """Begin a turn with two steps, or one if stunned, and an action. K-TURN-1, K-STUN-2."""
    has = play.table.investigators[who]
    steps = STEPS - (1 if has.stun else 0)
    steps += sum(one.steps for one in modifiers(play, has))
    play.emit(TurnBegan(who, max(0, steps)))


async def take_step(play: Play) -> None:
    """
    Ask the active investigator for the next step, and resolve it or the keeper's card.

    K-TURN-2, K-DECIDE-13 to K-DECIDE-16. A card is resolved at once; then the investigator is asked
    anew, by the next procedure.
    """
    who = play.table.active
    assert who is not None
    if laid_ready.is_on(play) and await laid_ready.play_due(play, who):
        return
    if is_over(play, who):
        await end(play, who)
        return
    perform = await _ask(play, who)
    await perform()


def offers(play: Play, who: InvestigatorId) -> Offers:
    """Return everything that the investigator can do now."""
    return together([*_doings(play, who), end_offers(play, who)])


def _doings(play: Play, who: InvestigatorId) -> list[Offers]:
    """Return the steps and the actions of all seven types. K-TURN-1, K-ACT-2."""
    return [
        movement.offers(play, who),
        boat.offers(play, who),
        attacks.offers(play, who),
        spells.offers(play, who),
        hiding.offers(play, who),
        exploring.offers(play, who),
        abilities.offers(play, who),
        deeds.offers(play, who),
        gear.offers(play, who),
        run_offers(play, who),
        drop.offers(play, who),
    ]


def is_over(play: Play, who: InvestigatorId) -> bool:
    """Return whether nothing at all is left to do in a turn, which then ends by itself."""
    if play.table.steps_left or play.table.has_action:
        return False
    return not any(offered.options for offered in _doings(play, who))


async def _ask(play: Play, who: InvestigatorId) -> PlayerAction:
    """
    Ask for the next step, and the keeper beside it where he may strike. K-DECIDE-16.

    Where a time limit ends, the turn does. K-DECIDE-98.
    """
    found = offers(play, who)
    last = len(found.options) - 1
    prompt = Prompt(Text("ask/step", (who,)), found.options, found.refused, default=(last,))
    about, seat = Text("about/turn", (who,)), play.seat_of(who)
    if not is_beside(play):
        asked = Ask("K-TURN-2", about, {seat: prompt})
        return (await play.ask(asked))[seat][0]
    strikes: list[Option[PlayerAction]] = []
    refused: list[RefusedChoice]
    if mythos.is_moment(play):
        cards, refused = mythos.options(play, who)
        strikes += [
            one.with_value(functools.partial(mythos.play_card, play, who, one.value))
            for one in cards
        ]
    else:
        refused = mythos.refused_once_struck(play, who)
    if is_trauma_moment(play):
        strikes += [
            one.with_value(functools.partial(trauma.play_on, play, *one.value))
            for one in trauma.options(play)
        ]
        refused += trauma.refused(play)
    beside = Prompt(Text("ask/strike", (who,)), tuple(strikes), tuple(refused))
    picked = await play.beside(
        seat, prompt, {keeper(play): beside}, rule="K-DECIDE-16", about=about
    )
    if isinstance(picked, Interruption):
        return picked.value
    trauma.passed(play)
    return picked


def is_beside(play: Play) -> bool:
    """
    Return whether the keeper is asked beside the step question. K-DECIDE-14 to K-DECIDE-16.

    It follows from public facts alone: whether cards are left in the keeper's hands, whether one
    was played in this turn, and whether there is a trigger.
    """
    if laid_ready.replaces_asking(play):
        return False
    return mythos.is_moment(play) or is_trauma_moment(play)


def is_trauma_moment(play: Play) -> bool:
    """Return whether the step question asks the keeper for a trauma card, too. K-DECIDE-15."""
    table = play.table
    if laid_ready.replaces_asking(play) or not mythos.is_step_left(play):
        return False
    return bool(table.triggers) and bool(table.hand(TRAUMA_HAND))


def end_offers(play: Play, who: InvestigatorId) -> Offers:
    """Offer to end the turn, or to give it back while nothing was done. K-DECIDE-12, 13."""
    options: list[Option[PlayerAction]] = []
    if not play.table.is_committed and _others_wait(play, who):
        withdraw = functools.partial(give_back, play, who)
        options.append(Option(withdraw, Text("choice/withdraw"), (), "rest"))
    finish = functools.partial(end, play, who)
    options.append(Option(finish, Text("choice/end_turn"), (), "rest", ends=True))
    return Offers(tuple(options))


def _others_wait(play: Play, who: InvestigatorId) -> bool:
    return any(one != play.table.investigators[who] for one in play.table.to_act())


async def give_back(play: Play, who: InvestigatorId) -> None:
    """Give the turn back before the first step. K-DECIDE-12."""
    play.emit(TurnWithdrawn(who))


async def end(play: Play, who: InvestigatorId) -> None:
    """End the turn; unused steps are lost, and fire burns. K-DECIDE-13, K-DECIDE-80."""
    await burning.at_end_of_turn(play, who)
    await trauma.settle(play)
    if who in play.table.investigators:
        play.emit(TurnEnded(play.table.investigators[who].seat))


def run_offers(play: Play, who: InvestigatorId) -> Offers:
    """Offer the Run action. K-DECIDE-34, K-ACT-1, K-ACT-2."""
    text = Text("choice/run")
    if barred := no_action(play, text, "run"):
        return barred
    has = play.table.investigators[who]
    if forbids(play, who, Doing.RUNNING):
        return refusal(text, Text("refusal/by_card"), "K-CARD-5")
    if has.hidden_in is not None:
        return refusal(text, Text("refusal/hidden"), "K-HIDE-2")
    return Offers((Option(functools.partial(run, play, who), text, (), "use"),))


def no_action(play: Play, text: Text, action: str) -> Offers | None:
    """Refuse an action of a type if there is none of it; None if there is. K-ACT-1."""
    reason = lacks_action(play, action)
    return None if reason is None else refusal(text, *reason)


def lacks_action(play: Play, action: str) -> Refusal | None:
    """
    Return why an action of a type is not left: it is taken, or was given for other types.

    K-ACT-1, W-SPELL-2.
    """
    table = play.table
    if not table.has_action:
        return Text("refusal/no_action"), "K-ACT-1"
    if table.action_types and action not in table.action_types:
        names = [Text(f"needs/action_{one}") for one in table.action_types]
        either = functools.reduce(lambda some, one: Text("needs/or", (some, one)), names)
        return Text("refusal/action_type", (either,)), "W-SPELL-2"
    return None


async def run(play: Play, who: InvestigatorId) -> None:
    """Take the Run action: one more movement step. K-DECIDE-34."""
    if await begin_action(play, who, "run"):
        play.emit(StepGained(who))


async def begin_action(play: Play, who: InvestigatorId, action: str) -> bool:
    """
    Take the evade tests before an action that is no attack, and spend the action.

    K-ACT-1, K-EVADE-2, K-EVADE-3. False if the investigator was killed.
    """
    if action != "attack" and not await evade.before(play, who):
        return False
    play.emit(ActionTaken(who, action))
    return True
