"""Events of the end of a game: the result, the state for a campaign, backs of cards."""

from protocol import codec
from protocol.common.events import Disclosure
from protocol.common.table import Legacy
from protocol.errors import ImpossibleValue, are_laws_later
from protocol.event import EVERYBODY, event, upcast
from protocol.games.second_edition.carried import MAX_CARRIED
from protocol.games.second_edition.events.base import Game, SecondEditionEvent
from protocol.games.second_edition.table import CardId, Ending, InvestigatorId, Phase
from protocol.upcasts import Change, Packed
from protocol.values import evolve


@event("se/back_shown")
class BackShown(SecondEditionEvent):
    """The result is final, and an Insane back is shown to all. Rule DECIDE-64."""

    investigator: InvestigatorId
    back: Disclosure
    card: CardId
    """Back of the card, repeated as a public field, so that the server sends the words."""

    def __attrs_post_init__(self) -> None:
        # Else the words of another card could be shown to everybody.
        if not are_laws_later() and codec.encode(self.card, str) != self.back.value:
            raise ImpossibleValue("the card named is not the one disclosed")

    def fold(self, table: Game) -> Game:
        ref = (self.back.sequence, self.back.slot)
        value = codec.decode(self.back.value, str)
        has = tuple(
            evolve(c, back=c.back.opened(value).seen_by((EVERYBODY,)))
            if c.back is not None and c.back.ref == ref
            else c
            for c in table.investigators[self.investigator].conditions
        )
        return table.with_investigator(self.investigator, conditions=has)


@event("se/game_ended")
class GameEnded(SecondEditionEvent):
    """The investigators have won or lost. Rules WIN-3, WIN-5, DECIDE-71."""

    ending: Ending

    def fold(self, table: Game) -> Game:
        return evolve(
            table, ending=self.ending, phase=Phase.OVER, step=None, active=None, actions_left=0
        )


@event("se/campaign_kept/2")
class CampaignKept(SecondEditionEvent):
    """The public state with which the campaign continues."""

    legacy: Legacy

    def fold(self, table: Game) -> Game:
        return evolve(table, legacy=self.legacy)


upcast(
    "se/campaign_kept",
    "se/campaign_kept/2",
    Change(("legacy",), {"legacy": Packed("legacy", 1, MAX_CARRIED)}),
)
