"""
Component actions: actions that a card grants its holder.

Rules COMPONENT-1 and COMPONENT-2. `powers` lists the actions with their refusals; `turn` spends the
action.
"""

from content.games.second_edition.schema.scenario import Moment
from protocol.common.text import Text
from protocol.games.second_edition.table import InvestigatorId
from server.games.second_edition.rules import costs, possessions, stakes, triggers
from server.games.second_edition.rules.effects import resolve
from server.games.second_edition.rules.play import Outcome, Play, Source
from server.games.second_edition.rules.powers import Component


def _called(component: Component) -> str | Text:
    return component.origin.source if component.action.text is None else Text(component.action.text)


def named(play: Play, investigator: InvestigatorId, component: Component) -> Text:
    """Name a component action. The short text of its effect is added if there is one."""
    name, action = _called(component), component.action
    text = Text("choice/component", (name,))
    does = stakes.outcome_text(
        play, action.effect, Source(investigator, possession=component.origin.possession)
    )
    if component.refused is not None or action.text is not None or not stakes.is_telling(does):
        return text
    if action.discard:
        does = Text("stake/and", (does, Text("stake/this_discarded")))
    return stakes.detailed(play, text, does, field="does")


async def perform(play: Play, investigator: InvestigatorId, component: Component) -> Outcome:
    """
    Pay the costs of a component action, then resolve its effect.

    Rules COMPONENT-1, ACTION-8, SPEND-1.
    """
    origin = component.origin
    used = possessions.held(play, investigator, origin.possession or "")
    costs.pay(play, investigator, origin, component.action)
    source = Source(
        investigator,
        possession=origin.possession,
        condition=origin.condition,
        harm=origin.harm,
        handle=origin.handle,
    )
    # The bare name explains a question best; before version 3 it was the text of the choice.
    subject = "within/component" if play.version > 2 else "choice/component"
    with play.within(Text(subject, (_called(component),))):
        outcome = await resolve(play, component.action.effect, source)
    if used is not None:
        await triggers.run(play, Moment.ITEM_USED, investigator, about=(used.card,))
    return outcome
