"""Hiding spots. K-HIDE-1 to K-HIDE-6, K-DECIDE-85."""

import functools

from protocol.common.text import Text
from protocol.games.first_edition.events import Hid, StepSpent
from protocol.games.first_edition.table import FeatureId, InvestigatorId
from protocol.games.first_edition.words import FeatureKind
from server.games.first_edition.rules import evade, movement, places, turn
from server.games.first_edition.rules.play import Play
from server.kernel.asks import Option
from server.rulekit.offers import Offers, PlayerAction, refusal, together


def offers(play: Play, who: InvestigatorId) -> Offers:
    """Offer to hide in the own space, or to come out. K-HIDE-1, K-HIDE-5."""
    has = play.table.investigators[who]
    if has.hidden_in is not None:
        return _ways_out(play, who)
    spots = play.table.features_at(has.space, FeatureKind.HIDING_SPOT)
    return together(_offer(play, who, spot.feature_id) for spot in spots)


def _offer(play: Play, who: InvestigatorId, spot: FeatureId) -> Offers:
    text = Text("choice/hide")
    if not play.table.steps_left:
        return refusal(text, Text("refusal/no_steps"), "K-HIDE-1")
    if _is_taken(play, spot):
        return refusal(text, Text("refusal/spot_taken"), "K-DECIDE-85")
    hide_here = functools.partial(hide, play, who, spot)
    return Offers((Option(hide_here, text, (places.at_feature(spot),), "move"),))


def _ways_out(play: Play, who: InvestigatorId) -> Offers:
    """Offer to leave by a step or by the action, in a later turn only. K-HIDE-5, K-HIDE-6."""
    text = Text("choice/leave_by_step")
    if play.table.investigators[who].hid_this_turn:
        return refusal(text, Text("refusal/just_hid"), "K-HIDE-6")
    options: list[Option[PlayerAction]] = []
    if play.table.steps_left:
        options.append(Option(functools.partial(leave_by_step, play, who), text, (), "move"))
    if turn.lacks_action(play, "feature") is None:
        by_action = functools.partial(leave_by_action, play, who)
        options.append(Option(by_action, Text("choice/leave_by_action"), (), "use"))
    return Offers(tuple(options))


def _is_taken(play: Play, spot: FeatureId) -> bool:
    return any(one.hidden_in == spot for one in play.table.investigators.values())


async def hide(play: Play, who: InvestigatorId, spot: FeatureId) -> None:
    """Hide in a hiding spot, by a movement step. K-HIDE-1, K-DECIDE-30."""
    here = play.table.investigators[who].space
    if not await evade.before(play, who):
        return
    play.emit(StepSpent(who))
    if movement.is_at(play, who, here) and spot in play.table.features:
        play.emit(Hid(who, spot))


async def leave_by_step(play: Play, who: InvestigatorId) -> None:
    """Leave a hiding spot by a movement step. K-HIDE-5, K-DECIDE-30."""
    if await evade.before(play, who):
        play.emit(StepSpent(who))
        come_out(play, who)


async def leave_by_action(play: Play, who: InvestigatorId) -> None:
    """Leave a hiding spot by an action. K-HIDE-5."""
    if await turn.begin_action(play, who, "feature"):
        come_out(play, who)


def come_out(play: Play, who: InvestigatorId) -> None:
    """Have an investigator be hidden no more."""
    if play.table.investigators[who].hidden_in is not None:
        play.emit(Hid(who, None))
