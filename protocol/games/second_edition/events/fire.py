"""Events of fighting Fire."""

from protocol.event import event
from protocol.games.second_edition.events.base import Game, SecondEditionEvent, without
from protocol.games.second_edition.table import FeatureId, InvestigatorId
from protocol.values import evolve


@event("se/fire_fought")
class FireFought(SecondEditionEvent):
    """An investigator may put out one more Fire for each success. Rules FIRE-4 and FIRE-5."""

    investigator: InvestigatorId
    successes: int

    def fold(self, table: Game) -> Game:
        quenches = table.investigators[self.investigator].quenches + self.successes
        return table.with_investigator(self.investigator, quenches=quenches)


@event("se/fire_put_out")
class FirePutOut(SecondEditionEvent):
    """A Fire was discarded for one of the successes at fighting it. Rules FIRE-5 and FIRE-6."""

    investigator: InvestigatorId
    feature: FeatureId

    def fold(self, table: Game) -> Game:
        table = evolve(table, features=without(table.features, self.feature))
        quenches = table.investigators[self.investigator].quenches - 1
        return table.with_investigator(self.investigator, quenches=quenches)
