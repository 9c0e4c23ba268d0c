"""
Stealing: the rare action that takes another investigator's possessions.

Rules STEAL-1 to STEAL-6 and ACTION-3, DECIDE-38, DECIDE-42 and DECIDE-43.
"""

import functools

from protocol.common.text import Text
from protocol.games.second_edition.events import PossessionTaken
from protocol.games.second_edition.table import InvestigatorId, Skill
from server.games.second_edition.rules import actions, movement, naming, possessions
from server.games.second_edition.rules.play import Play, because
from server.games.second_edition.rules.skill_test import dice_pool, make_test, named
from server.games.second_edition.rules.stakes import Stakes
from server.kernel.asks import Option
from server.rulekit.offers import Offers, refusal

SKILLS = (Skill.STRENGTH, Skill.AGILITY, Skill.OBSERVATION)
"""Skills that a thief can choose. Rule STEAL-2."""


def menu(play: Play, investigator: InvestigatorId) -> Offers:
    """Offer to steal from each other investigator in the space. Rules STEAL-1 and ACTION-3."""
    offers = Offers()
    for victim in movement.others_here(play.table, investigator):
        text = Text("choice/steal", (victim,))
        if not play.table.investigators[victim].possessions:
            offers += refusal(text, Text("refusal/nothing_to_steal", (victim,)), "STEAL-6")
            continue
        action = functools.partial(steal, play, investigator, victim)
        offers += Offers((Option(action, text, (naming.at_investigator(victim),), "use"),))
    return offers


async def steal(play: Play, investigator: InvestigatorId, victim: InvestigatorId) -> None:
    """
    Perform a steal action.

    Rules STEAL-1 to STEAL-5: the thief tests first, then the victim (DECIDE-42). Only the thief
    evades (DECIDE-38); if the check separates the two, nothing is stolen. A thief without more
    successes than the victim forfeits the action.
    """
    if not await actions.begin(play, investigator, "steal"):
        return
    if victim not in movement.others_here(play.table, investigator):
        return
    skill = await _choose_skill(play, investigator, victim)
    about = Text("about/steal", (investigator, victim))
    at_stake = Text("stakes/steal", (investigator, victim))
    with because(play, about):
        mine = await make_test(play, investigator, skill, stakes=Stakes(at_stake, about))
        # A tie saves the victim, who gains nothing by more successes than the thief has.
        held = Stakes(at_stake, about, enough=mine)
        theirs = await make_test(play, victim, skill, stakes=held)
    if mine <= theirs:
        await actions.forfeit(play, investigator, "steal")
        return
    await _take_possessions(play, investigator, victim, mine - theirs)


async def _choose_skill(play: Play, investigator: InvestigatorId, victim: InvestigatorId) -> Skill:
    """Let the thief choose the skill. Rule STEAL-2."""
    return await play.choose(
        play.seat_of(investigator),
        [
            Option(
                skill,
                Text("choice/skill", (named(skill), dice_pool(play, investigator, skill, 0))),
                group="use",
            )
            for skill in SKILLS
        ],
        rule="STEAL-2",
        about=Text("about/steal", (investigator, victim)),
        prompt=Text("ask/steal_skill", (investigator, victim)),
    )


async def _take_possessions(
    play: Play, investigator: InvestigatorId, victim: InvestigatorId, excess: int
) -> None:
    """
    Let the thief take up to `excess` possessions, one for each success more than the victim has.

    Rules STEAL-4 and STEAL-6, DECIDE-43: the thief chooses, and gets no more possessions than the
    victim has.
    """
    loot = play.table.investigators[victim].possessions
    # The victim may have paid for a reroll with their last possession.
    if not loot:
        return
    taken = await play.choose_some(
        play.seat_of(investigator),
        [
            Option(
                has.possession_id,
                Text("choice/take", (has.face,)),
                (naming.at_possession(has.possession_id),),
                "use",
            )
            for has in loot
        ],
        rule="STEAL-4",
        about=Text("about/steal", (investigator, victim)),
        prompt=Text("ask/steal", (investigator, victim, min(excess, len(loot)))),
        at_least=0,
        at_most=min(excess, len(loot)),
    )
    for possession in taken:
        has = possessions.held(play, victim, possession)
        if has is not None:
            play.emit(PossessionTaken(victim, investigator, possession))
            await possessions.announce(play, investigator, has)
