"""Trading: step 1 of the keeper's turn. K-KEEPER-2, K-KEEPER-3, K-DECIDE-41."""

import functools

from content.games.first_edition.schema.cards import Doing
from protocol.common.text import Text
from protocol.games.first_edition.events import ItemGiven, KeeperStepBegan
from protocol.games.first_edition.table import (
    Ally,
    CharacterId,
    InvestigatorId,
    KeeperStep,
    PieceId,
)
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
    """
    An item that one investigator gives another, whose player has to consent. K-DECIDE-41.

    A player who leads both is not asked. W-PLAYER-3.
    """

    giver: CharacterId
    receiver: CharacterId
    piece: PieceId


class Trade:
    """The trade of one round: who is done, and what is offered."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._done: set[int] = set()
        """Seats."""
        self._offered: list[Gift] = []
        self._had: set[tuple[PieceId, CharacterId]] = set()
        """Who gave an item away: it does not come back, or random players would never be done."""

    def prompts(self) -> dict[int, Prompt[PlayerAction]]:
        """
        Return the question to each seat that can offer or accept something.

        Whoever has nothing to offer and is offered nothing holds nobody up.
        """
        found = {}
        led: dict[int, list[InvestigatorId]] = {}
        for one in self._play.table.in_seat_order():
            led.setdefault(one.seat, []).append(one.investigator_id)
        for seat, people in led.items():
            options = [option for who in people for option in self._options(who)]
            if options and seat not in self._done:
                done = functools.partial(self._end, seat)
                options.append(Option(done, Text("choice/trade_done"), (), "rest", ends=True))
                last = len(options) - 1
                ask = Text("ask/trade", (people[0],)) if len(people) == 1 else Text("ask/trade_own")
                found[seat] = Prompt(ask, tuple(options), default=(last,))
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
                    options.append(self._gift(gift, item.card))
        for ally in table.allies.values():
            if ally.space == table.investigators[who].space and can_trade(self._play, who):
                options += self._with_ally(who, ally)
        return options

    def _gift(self, gift: Gift, card: str) -> Option[PlayerAction]:
        """Return the option to offer an item, or to hand it over within one seat."""
        points = (places.at_item(gift.piece), places.at_investigator(gift.receiver))
        if self._play.seat_of(gift.giver) == self._play.seat_of(gift.receiver):
            text = Text("choice/hand_over", (card, gift.receiver))
            return Option(functools.partial(self._accept, gift), text, points, "use")
        text = Text("choice/offer", (card, gift.receiver))
        return Option(functools.partial(self._offer, gift), text, points, "use")

    def _with_ally(self, who: InvestigatorId, ally: Ally) -> list[Option[PlayerAction]]:
        """Return what an investigator can give an ally, or take from it. W-DECIDE-31."""
        own = self._play.table.investigators[who].items
        gives = [(Gift(who, ally.ally_id, one.piece), one.card, "hand_over") for one in own]
        takes = [(Gift(ally.ally_id, who, one.piece), one.card, "take_from") for one in ally.items]
        return [
            Option(
                functools.partial(self._accept, gift),
                Text(f"choice/{word}", (card, ally.ally_id)),
                (places.at_item(gift.piece), places.at_investigator(ally.ally_id)),
                "use",
            )
            for gift, card, word in (*gives, *takes)
            if (gift.piece, gift.receiver) not in self._had
        ]

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
            and other.seat not in self._done
            and can_trade(self._play, other.investigator_id)
        ]

    async def _offer(self, gift: Gift) -> None:
        self._offered.append(gift)

    async def _accept(self, gift: Gift) -> None:
        self._play.emit(ItemGiven(gift.giver, gift.receiver, gift.piece))
        self._had.add((gift.piece, gift.giver))
        self._offered = [one for one in self._offered if one.piece != gift.piece]

    async def _end(self, seat: int) -> None:
        self._done.add(seat)
        self._offered = [
            one
            for one in self._offered
            if seat not in {self._play.seat_of(one.giver), self._play.seat_of(one.receiver)}
        ]


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
    play.emit(KeeperStepBegan(KeeperStep.ALLIES if play.table.allies else KeeperStep.STUN))
