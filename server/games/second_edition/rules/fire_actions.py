"""
Fire as an action: setting it, and fighting it.

Rules SETFIRE-1 to SETFIRE-5, FIRE-4, FIRE-5, ACTION-3, COMPONENT-3, COMPONENT-5, DECIDE-83. The
consequences of Fire are in `fire`. Nobody has to report Fire, since the server places it
(DECIDE-14).
"""

import functools

from protocol.common.text import Text
from protocol.games.second_edition.events import FireFought
from protocol.games.second_edition.table import FeatureKind, InvestigatorId, Skill, SpaceId
from server.games.second_edition.rules import actions, adjacency, darkness, features, fire, naming
from server.games.second_edition.rules.play import Play, because
from server.games.second_edition.rules.skill_test import make_test
from server.games.second_edition.rules.stakes import Stakes
from server.kernel.asks import Option
from server.rulekit.offers import RISK, Offers

# Setting -------------------------------------------------------------------------------------


def inflammable(play: Play, investigator: InvestigatorId) -> tuple[SpaceId, ...]:
    """
    Return the spaces in which an investigator can set a fire.

    Rules SETFIRE-1, SETFIRE-5 and FIRE-11: the investigator's own space and the adjacent ones,
    unless they burn.
    """
    space = play.table.investigators[investigator].space
    if space is None:
        return ()
    near = (space, *adjacency.reached(play.table, space))
    return tuple(at for at in near if not fire.burns(play.table, at))


def set_menu(play: Play, investigator: InvestigatorId) -> Offers:
    """Offer setting a fire to an investigator with a Light Source. Rules ACTION-3 and SETFIRE-2."""
    if not _can_set(play, investigator):
        return Offers()
    action = functools.partial(set_fire, play, investigator)
    at_home = inflammable(play, investigator) == (play.table.investigators[investigator].space,)
    return Offers((Option(action, Text("choice/set_fire"), (), _group(play, is_own=at_home)),))


def _group(play: Play, *, is_own: bool) -> str:
    """Return the group of an option to set a fire: `RISK` if it would hurt the investigator."""
    # FIRE-2: a fire in one's own space hurts after this very action, so the client asks again.
    return RISK if is_own and play.version > 1 else "use"


def _can_set(play: Play, investigator: InvestigatorId) -> bool:
    has_light = darkness.has_light_source(play, investigator)
    return has_light and bool(inflammable(play, investigator))


async def set_fire(play: Play, investigator: InvestigatorId) -> None:
    """
    Perform the set fire action. Rules SETFIRE-1 to SETFIRE-3 and SETFIRE-5.

    If the investigator lost the Light Source in the evade check, no fire is set.
    """
    if not await actions.begin(play, investigator, "set_fire") or not _can_set(play, investigator):
        return
    spaces = inflammable(play, investigator)
    space = spaces[0]
    if len(spaces) > 1:
        here = play.table.investigators[investigator].space
        options = [
            Option(
                space,
                Text("choice/burn", (naming.space(play.table, space),)),
                (naming.at_space(space),),
                _group(play, is_own=space == here),
            )
            for space in spaces
        ]
        space = await play.choose(
            play.seat_of(investigator),
            options,
            rule="SETFIRE-1",
            about=Text("about/set_fire", (investigator,)),
            prompt=Text("ask/set_fire", (investigator,)),
        )
    features.place(play, FeatureKind.FIRE, space)


# Fighting ------------------------------------------------------------------------------------


def fight_menu(play: Play, investigator: InvestigatorId) -> Offers:
    """Offer to fight Fire, if any space of the board burns. Rules FIRE-4 and DECIDE-83."""
    burning = play.table.spaces_with(FeatureKind.FIRE)
    if not burning or play.table.investigators[investigator].space is None:
        return Offers()
    action = functools.partial(fight, play, investigator)
    return Offers((Option(action, Text("choice/fight_fire"), (), "use"),))


async def fight(play: Play, investigator: InvestigatorId) -> None:
    """
    Perform the component action of Fire: an Agility test. Rules FIRE-4, COMPONENT-3, COMPONENT-5.

    Each success can put out one Fire: in this space now, or until the end of the round in a space
    entered later (FIRE-5, DECIDE-6).
    """
    if not await actions.begin(play, investigator, "component"):
        return
    about = Text("about/fight_fire", (investigator,))
    at_stake = Stakes(Text("stakes/fight_fire"))
    with because(play, about):
        successes = await make_test(play, investigator, Skill.AGILITY, about=about, stakes=at_stake)
    play.emit(FireFought(investigator, successes))
    await fire.may_put_out(play, investigator)
