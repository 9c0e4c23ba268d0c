"""
Persons who can be hurt: damage to somebody whose token lies on the board.

Rules TOKEN-6 and DISCARD-3. Their health and damage are public.
"""

from content.games.second_edition.schema.scenario import Moment
from protocol.games.second_edition.events import PersonHealth
from protocol.games.second_edition.table import InvestigatorId, TokenId
from server.games.second_edition.rules import board, triggers
from server.games.second_edition.rules.play import Play


async def hurt(play: Play, token: TokenId, amount: int, actor: InvestigatorId) -> None:
    """
    Deal damage to a person on the board; with no health left they die. Rule DISCARD-3.

    Damage beyond their health is lost. The triggers of the death concern the actor.
    """
    person = play.table.persons.get(token)
    if person is None or amount <= 0:
        return
    damage = min(person.health, person.damage + amount)
    play.emit(PersonHealth(token, person.health, damage))
    if damage == person.health:
        board.remove_token(play, token)
        await triggers.run(play, Moment.PERSON_DIED, actor, about=(token,))


def heal(play: Play, token: TokenId, amount: int) -> None:
    """Remove up to `amount` damage from a person on the board."""
    person = play.table.persons.get(token)
    if person is not None and amount > 0 and person.damage:
        play.emit(PersonHealth(token, person.health, max(0, person.damage - amount)))
