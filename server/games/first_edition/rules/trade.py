"""Trading: step 1 of the keeper's turn. K-KEEPER-2, K-KEEPER-3, K-DECIDE-41."""

import functools

from content.games.first_edition.schema.cards import Doing
from protocol.common.text import Text
from protocol.games.first_edition.events import ItemGiven, KeeperStepBegan
from protocol.games.first_edition.table import InvestigatorId, KeeperStep, PieceId
from protocol.values import frozen
from server.games.first_edition.rules import places
from server.games.first_edition.rules.play import Play
from server.games.first_edition.rules.tests import forbids
from server.kernel.asks import Option, Prompt
from server.rulekit.offers import PlayerAction

SECONDS = 60
"""Length of the trade. K-DECIDE-41."""


@frozen
class Gift:
    """An item that one investigator offers another, who has to consent. K-DECIDE-41."""

    giver: InvestigatorId
    receiver: InvestigatorId
    piece: PieceId


class Trade:
    """The trade of one round: who is done, and what is offered."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._done: set[InvestigatorId] = set()
        self._offered: list[Gift] = []
        self._had: set[tuple[PieceId, InvestigatorId]] = set()
        """Who gave an item away: it does not come back, or random players would never be done."""

    def prompts(self) -> dict[int, Prompt[PlayerAction]]:
        """
        Return the question to each seat that can offer or accept something.

        Whoever has nothing to offer and is offered nothing holds nobody up.
        """
        found = {}
        for who in sorted(self._play.table.investigators, key=self._play.seat_of):
            options = [] if who in self._done else self._options(who)
            if options:
                done = functools.partial(self._end, who)
                options.append(Option(done, Text("choice/trade_done"), (), "rest", ends=True))
                last = len(options) - 1
                prompt = Prompt(Text("ask/trade", (who,)), tuple(options), default=(last,))
                found[self._play.seat_of(who)] = prompt
        return found

    def _options(self, who: InvestigatorId) -> list[Option[PlayerAction]]:
        """Return what an investigator can accept, then what he or she can offer. K-KEEPER-2."""
        options: list[Option[PlayerAction]] = []
        table = self._play.table
        for gift in self._offered:
            if gift.receiver == who:
                items = table.investigators[gift.giver].items
                card = next(item.card for item in items if item.piece == gift.piece)
                text = Text("choice/accept", (card, gift.giver))
                points = (places.at_item(gift.piece), places.at_investigator(gift.giver))
                accept = functools.partial(self._accept, gift)
                options.append(Option(accept, text, points, "use"))
        for item in table.investigators[who].items:
            for other in self._partners(who):
                gift = Gift(who, other, item.piece)
                if gift not in self._offered and (item.piece, other) not in self._had:
                    text = Text("choice/offer", (item.card, other))
                    points = (places.at_item(item.piece), places.at_investigator(other))
                    offer = functools.partial(self._offer, gift)
                    options.append(Option(offer, text, points, "use"))
        return options

    def _partners(self, who: InvestigatorId) -> list[InvestigatorId]:
        """Return those in the same space who still trade. K-KEEPER-3."""
        if not can_trade(self._play, who):
            return []
        space = self._play.table.investigators[who].space
        return [
            other.investigator_id
            for other in self._play.table.investigators.values()
            if other.space == space
            and other.investigator_id != who
            and other.investigator_id not in self._done
            and can_trade(self._play, other.investigator_id)
        ]

    async def _offer(self, gift: Gift) -> None:
        self._offered.append(gift)

    async def _accept(self, gift: Gift) -> None:
        self._play.emit(ItemGiven(gift.giver, gift.receiver, gift.piece))
        self._had.add((gift.piece, gift.giver))
        self._offered = [one for one in self._offered if one.piece != gift.piece]

    async def _end(self, who: InvestigatorId) -> None:
        self._done.add(who)
        self._offered = [one for one in self._offered if who not in {one.giver, one.receiver}]


def can_trade(play: Play, who: InvestigatorId) -> bool:
    """Return whether no card forbids an investigator to trade."""
    return not forbids(play, who, Doing.TRADE)


async def step(play: Play) -> None:
    """
    Let investigators in one space give each other items. K-KEEPER-2, K-KEEPER-3, K-DECIDE-41.

    Offers need the consent of both. The trade is over when nobody has anything left to say, or
    with its time; there is none if nobody could give anything.
    """
    trade = Trade(play)
    if trade.prompts():
        with play.timer(Text("about/trade"), SECONDS) as timer:
            while (prompts := trade.prompts()) and not timer.is_over:
                about = Text("about/trade")
                _, (act,) = await play.any_one(prompts, rule="K-KEEPER-2", about=about)
                await act()
    play.emit(KeeperStepBegan(KeeperStep.STUN))
