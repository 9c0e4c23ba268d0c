"""
Bots: players without a person, on the same terms as everybody else.

If the settings of the table let bots wait, a bot acts only after all people have read the story so
far; the server reports their progress (`ReadSoFar`).

After each change of its model, a `BotPlayer` sends the next request through its port: the bot
claims its role and characters, writes the preparation that the rules demand, gets ready, and
answers. A bot works with any `ClientPort`, needs no reactor, and sends a request only after the
reply to the previous request.

`_may_try` counts every request that the server may refuse. Without this limit, a bot could repeat a
refused request endlessly and fill its connection and the server's log.
"""

import random
from collections import Counter

import attrs

from client.bots.brains import SENSIBLE
from client.model.model import ClientModel
from client.model.off_log import Stops
from client.model.tables import TableView
from client.net.client_port import ClientPort
from client.plugs.brains import Brain, pick_random, preparer_of, stops_of
from protocol.common import events
from protocol.common.asks import Question, Settle
from protocol.common.padded import Padded
from protocol.common.proposals import GiveSeat
from protocol.common.table import OpenAsk, Seat, Stage

TRIES = 3
"""
The number of answers to one question that the brain gives. After that the bot answers at random.
"""
GIVE_UP = 6
"""The number of refused answers after which a bot ignores a question."""
MAX_VOTES = 3
"""The number of a bot's votes on one question after which the bot calls for the tiebreak."""


@attrs.define(eq=False)
class BotPlayer:
    """A bot, which begins to play at the first change of its model."""

    port: ClientPort
    model: ClientModel
    brain: Brain = SENSIBLE
    rng: random.Random = attrs.field(factory=random.Random, repr=False)
    party: int = 0
    """For a bot that hosts: the number of seats that must be taken and ready before the bot starts
    the game; 0 if another player starts the game."""
    role: str = ""
    """The role that the bot claims before a game; empty to keep the role of its seat."""
    _tries: Counter[str] = attrs.field(factory=Counter, init=False)
    """Tries of each request, by a name that includes the table and the question or record."""
    _is_acting: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self.model.on_change.append(self.react)

    def stop(self) -> None:
        """Stop playing: ignore all further changes of the model."""
        if self.react in self.model.on_change:
            self.model.on_change.remove(self.react)

    @property
    def is_over(self) -> bool:
        """Whether the game at the bot's table is over."""
        view = self.model.view
        return view is not None and view.table.room.stage is Stage.OVER

    @property
    def is_refused_role(self) -> bool:
        """Whether the server has refused the wanted role as often as the bot asks for it."""
        view = self.model.view
        seat = None if view is None else view.my_seat
        if view is None or seat is None or not self.role or seat.role == self.role:
            return False
        return self._tries[_role_try(view)] >= TRIES and not self.model.sent

    def react(self) -> None:
        """Send the next request, unless one waits for its reply or the bot cannot act now."""
        view = self.model.view
        is_idle = self.model.is_online and not self.model.sent and not self._is_acting
        if view is None or view.my_seat is None or not is_idle:
            return
        if self.model.is_catching_up or self.model.fault:
            return
        if self.model.is_stopped:
            # Refusals of a stopped server say nothing about the requests.
            self._tries.clear()
            return
        # The port may change the model at once, which would call this again.
        self._is_acting = True
        try:
            self._act(view)
        finally:
            self._is_acting = False

    def _act(self, view: TableView) -> None:
        room = view.table.room
        seat, proposal = view.my_seat, room.proposal
        # Bots of the server and those who spoke already are not asked; nor is the seat that is
        # to be given away.
        if proposal is not None and seat is not None and not seat.is_bot:
            aim = proposal.aim
            has_voice = seat.seat not in {proposal.by, *proposal.consents} and not (
                isinstance(aim, GiveSeat) and seat.seat == aim.seat
            )
            if has_voice and self._may_try(f"consent {proposal.proposal_id}", 1):
                self.port.consent(proposal.proposal_id, is_agreed=True)
                return
        if self._asks_for_readers(view):
            self.port.await_readers()
        elif self._sets_stops(view):
            self.port.set_stops(Stops(stops_of(room.ruleset, view.role)))
        elif room.stage is Stage.LOBBY:
            self._get_ready(view)
        elif room.stage is Stage.PLAYING and not room.stands_still:
            self._play(view)

    def _asks_for_readers(self, view: TableView) -> bool:
        """
        Return whether to ask the server now how far the people at the table have read.

        The bot asks once per record until it is told, and only if people play and the settings let
        bots wait.
        """
        room = view.table.room
        if not room.settings.bots_wait or self.model.read_so_far is not None:
            return False
        has_people = any(not one.is_bot for one in room.seats.values() if one.seat != view.seat)
        # A refusal must not stop the game.
        return has_people and self._may_try(f"readers {view.room_id} {view.last}", 1)

    def _sets_stops(self, view: TableView) -> bool:
        """Return whether to tell the server now at which windows the bot stops the game."""
        room, seat = view.table.room, view.my_seat
        if not room.settings.stops or room.stage not in {Stage.LOBBY, Stage.PLAYING}:
            return False
        # Before the game once the role is final: the first window may open with the game.
        is_due = room.stage is Stage.PLAYING or (seat is not None and seat.is_ready)
        has_stops = is_due and bool(stops_of(room.ruleset, view.role))
        return has_stops and self._may_try(f"stops {view.room_id} {view.role}", 1)

    def _must_wait(self, view: TableView, ask: OpenAsk) -> bool:
        """Return whether somebody still reads the story that led to the open question."""
        read = self.model.read_so_far
        if read is None or read < 0 or not view.table.room.settings.bots_wait:
            return False
        # A question with seconds of its own would pass meanwhile.
        return read < view.last and not ask.seconds

    def _may_try(self, what: str, most: int) -> bool:
        """Count one more try of the request `what`; return True for up to `most` tries."""
        self._tries[what] += 1
        return self._tries[what] <= most

    # Before the game

    def _get_ready(self, view: TableView) -> None:
        seat, room = view.my_seat, view.table.room
        assert seat is not None
        if not self._has_role(view, seat):
            return
        # When a product is switched off, its characters are no longer offered.
        left = [one for one in seat.characters if one in self.model.characters(room)]
        wanted = self._count_wanted(view, seat)
        if wanted is None:
            return
        if len(left) != wanted:
            others = (one for one in room.seats.values() if one.seat != view.seat)
            taken = {character for other in others for character in other.characters}
            free = [one for one in self.model.characters(room) if one not in taken]
            if len(free) >= wanted and self._may_try(f"claim {view.room_id} {view.last}", 3):
                self.port.claim(tuple(self.rng.sample(free, wanted)))
        elif not seat.is_ready:
            # The number of the last record is in the name: after any event it may try again.
            is_sent = self._prepare(view)
            if not is_sent and self._may_try(f"ready {view.room_id} {view.last}", 2):
                if room.fixed_setup is not None and not seat.knows_setup:
                    # A bot remembers nothing, but its key may have played this setup before.
                    self.port.accept_setup(room.fixed_setup)
                self.port.set_ready(is_ready=True)
        elif room.host == seat.seat and self._is_complete(view):
            all_ready = all(other.is_ready for other in room.seats.values())
            if all_ready and self._may_try(f"start {view.room_id} {view.last}", 2):
                self.port.start()

    def _is_complete(self, view: TableView) -> bool:
        """Return whether this bot starts games, and its party or the whole table is here."""
        room = view.table.room
        roster = self.model.roster(room)
        most = self.party if roster is None else min(self.party, roster.most)
        return 0 < most <= len(room.seats)

    def _has_role(self, view: TableView, seat: Seat) -> bool:
        """Return whether the seat has its role; claim the role if it has not."""
        roster = self.model.roster(view.table.room)
        wanted = self.role or seat.role
        if not self.role and roster is not None and roster.role(seat.role) is None:
            # The host has chosen a scenario without the role of this seat.
            wanted = roster.roles[0].name
        if seat.role == wanted:
            return True
        if self._may_try(_role_try(view), TRIES):
            self.port.claim_role(wanted)
        return False

    def _prepare(self, view: TableView) -> bool:
        """Send a new preparation if the rules refused the last one; return whether it was sent."""
        preparer = preparer_of(view.table.room.ruleset, view.role)
        if preparer is None or self.model.unfit_here is None:
            return False
        if not self._may_try(f"prepare {view.room_id} {view.last}", TRIES):
            return False
        self.port.prepare(Padded.of(preparer(view, self.rng)))
        return True

    def _count_wanted(self, view: TableView, seat: Seat) -> int | None:
        """Return the number of characters to play; None while the scenario's roster is unknown."""
        roster = self.model.roster(view.table.room)
        role = roster.role(seat.role) if roster is not None else None
        if roster is None or role is None:
            return None
        # Without a party size, expect at least one other player.
        expected = max(len(view.table.room.seats), self.party or 2)
        return role.count_for(min(expected, roster.most))

    # In the game

    def _play(self, view: TableView) -> None:
        ask, question = view.ask, view.my_question()
        if ask is None or question is None or self.model.held_picks is not None:
            return
        if self._must_wait(view, ask):
            return
        if ask.has_open_votes:
            self._agree(view, ask, question)
            return
        if view.seat is not None and ask.may_interrupt(view.seat):
            self._interrupt_or_not(view, ask, question)
            return
        # A question for anyone is left to those who are offered to end it: anybody else would only
        # interrupt them.
        is_for_anyone = ask.settle is Settle.ANY_ONE and len(ask.questions) > 1
        is_ended_here = any(choice.ends for choice in question.choices)
        if not (is_for_anyone and question.may_wait and not is_ended_here):
            # After several refusals the answer is random: the brain would give a bad one again.
            tries = self._tries[f"ask {view.room_id} {ask.ask_id}"]
            brain = self.brain if tries < TRIES else pick_random
            if self._may_try(f"ask {view.room_id} {ask.ask_id}", GIVE_UP):
                # A bot never objects.
                if ask.settle is Settle.UNLESS_OBJECTED:
                    picks = question.passing
                else:
                    # A row of questions is answered as if each was asked alone.
                    rows = (brain(view, part, self.rng) for part in question.row)
                    picks = tuple(pick for row in rows for pick in row)
                self.port.answer(ask.ask_id, picks)

    def _interrupt_or_not(self, view: TableView, ask: OpenAsk, question: Question) -> None:
        """
        Interrupt the seat that decides if the brain wants to; else do nothing.

        The brain is asked once for each question: asked at every change of the model, a brain that
        leaves it to chance would interrupt sooner or later.
        """
        # A brain expects choices; a question has none where there is nothing to interrupt with.
        if question.choices and self._may_try(f"ask {view.room_id} {ask.ask_id}", 1):
            picks = self.brain(view, question, self.rng)
            # Nobody learns that a bot lets it be.
            if picks and question.faults(picks) is None:
                self.port.answer(ask.ask_id, picks)

    def _agree(self, view: TableView, ask: OpenAsk, question: Question) -> None:
        """Vote for the wanted choice; after `MAX_VOTES` votes, call a tiebreak if possible."""
        assert view.seat is not None
        mine = ask.votes.get(view.seat)
        # The seat of each vote on this question, oldest first.
        order: list[int] = []
        for record in reversed(view.records):
            event = record.event
            if isinstance(event, events.Asked):
                break
            if isinstance(event, events.Voted) and event.ask_id == ask.ask_id:
                order.insert(0, event.seat)
        wish = self._wish(view, ask, question, order)
        if wish is not None and wish != mine and order.count(view.seat) < MAX_VOTES:
            if self._may_try(f"vote {view.room_id} {ask.ask_id}", GIVE_UP):
                self.port.vote(ask.ask_id, wish)
        elif (
            view.can_call_tiebreak()
            and order.count(view.seat) >= MAX_VOTES
            and self._may_try(f"lot {view.room_id} {ask.ask_id}", 1)
        ):
            self.port.call_tiebreak(ask.ask_id)

    def _wish(
        self, view: TableView, ask: OpenAsk, question: Question, order: list[int]
    ) -> tuple[str, ...] | None:
        """
        Return the choices to vote for; None if people should vote first.

        A bot follows the seat that voted first. The seat that voted first gives in once if all
        others agree on something else.
        """
        assert view.seat is not None
        mine = ask.votes.get(view.seat)
        others = {vote for seat, vote in ask.votes.items() if seat != view.seat}
        if order and order[0] != view.seat:
            leading = ask.votes[order[0]]
            can_follow = question.faults(leading) is None
            return leading if can_follow else mine or self._own_wish(view, question)
        if mine is None:
            seats, me = view.table.room.seats, view.my_seat
            people = [seat for seat in ask.waiting_for if not seats[seat].is_bot]
            # A bot of the server lets people vote first.
            is_patient = me is not None and me.is_bot and bool(people)
            return None if is_patient else self._own_wish(view, question)
        if not ask.waiting_for and len(others) == 1 and order.count(view.seat) == 1:
            # All others agree: join them, but only once, or two bots would swap votes for ever.
            (theirs,) = others
            return theirs if question.faults(theirs) is None else mine
        return mine

    def _own_wish(self, view: TableView, question: Question) -> tuple[str, ...]:
        picks = self.brain(view, question, self.rng)
        return picks if question.faults(picks) is None else question.default


def _role_try(view: TableView) -> str:
    """Return the name of the bot's claim of a role, among its requests; see `_tries`."""
    return f"role {view.room_id} {view.table.room.scenario}"
