"""Messages of a running game that become inputs of their room unchanged."""

from protocol import messages
from protocol.common import events
from protocol.common.lots import is_enough_for_lot
from protocol.common.proposals import Aim, Correct, GiveUp, TakeBack
from protocol.common.table import Proposal, RoomTable
from protocol.event import Event, hidden
from server.kernel.admission.by_table import answer_of
from server.kernel.errors import Refused
from server.lobby.requests.handlers import ANSWERED, Needs, Reply, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.visitor import SeatHolder


@handles(messages.CommitShare, needs=Needs.SEAT)
async def commit_share(holder: SeatHolder, message: messages.CommitShare) -> None:
    await holder.submit(events.ShareCommitted(holder.seat, message.commitment))


@handles(messages.OpenShare, needs=Needs.SEAT)
async def open_share(holder: SeatHolder, message: messages.OpenShare) -> None:
    signed = message.number, message.before, message.signature
    await holder.submit(events.ShareOpened(holder.seat, message.share, *signed))


@handles(messages.Answer, needs=Needs.SEAT)
async def answer(holder: SeatHolder, message: messages.Answer) -> None:
    await holder.submit(lambda room: answer_of(room, holder.seat, message.ask_id, message.picks))


@handles(messages.AnswerInWindow, needs=Needs.SEAT, is_private=True)
async def answer_in_window(holder: SeatHolder, message: messages.AnswerInWindow) -> Reply:
    """
    Hold an answer until its window closes, or nobody may interrupt it any more.

    There is no reply, which would reveal who has decided, unless the answer is refused.
    """
    # It does not go through the queue, which would refuse it.
    if holder.host.stopped:
        raise Refused("table/stopped")
    room, is_done = holder.host.room, message.is_done
    room.hold(message.ask_id, holder.seat, message.picks, is_done=is_done)
    holder.host.watch_clock()
    holder.host.clock.close_if_all_done()
    return ANSWERED


@handles(messages.SetStops, needs=Needs.SEAT, is_private=True)
async def set_stops(holder: SeatHolder, message: messages.SetStops) -> None:
    """Set the windows at which a seat stops the game. Stops are secret and on no log."""
    kinds = frozenset(message.kinds)
    holder.host.room.stop_at(holder.seat, kinds, is_everywhere=message.is_everywhere)


@handles(messages.SetStanding, needs=Needs.SEAT)
async def set_standing(holder: SeatHolder, message: messages.SetStanding) -> None:
    await holder.submit(events.StandingSet(holder.seat, hidden(message.kinds)))


@handles(messages.Vote, needs=Needs.SEAT)
async def vote(holder: SeatHolder, message: messages.Vote) -> None:
    await holder.submit(events.Voted(holder.seat, message.ask_id, message.picks))


@handles(messages.CallTiebreak, needs=Needs.SEAT)
async def call_tiebreak(holder: SeatHolder, message: messages.CallTiebreak) -> None:
    """Request a lot, which is drawn as soon as enough seats request one."""

    def decide(room: RoomTable) -> Event:
        # Decided when the input leaves the queue, so that simultaneous calls count each other.
        ask = room.ask
        is_open = ask is not None and ask.ask_id == message.ask_id
        if ask is not None and is_open and not is_enough_for_lot(room, ask, holder.seat):
            return events.LotWanted(holder.seat, message.ask_id)
        return events.TiebreakCalled(holder.seat, message.ask_id)

    await holder.submit(decide)


@handles(messages.Chat, needs=Needs.SEAT, cost=Cost.STORED)
async def chat(holder: SeatHolder, message: messages.Chat) -> None:
    await holder.submit(events.Chatted(holder.seat, hidden(message.words.encode())))


@handles(messages.ProposeTakeBack, needs=Needs.SEAT, cost=Cost.STORED)
async def propose_take_back(holder: SeatHolder, message: messages.ProposeTakeBack) -> None:
    await _propose(holder, TakeBack(message.checkpoint))


@handles(messages.ProposeGiveUp, needs=Needs.SEAT, cost=Cost.STORED)
async def propose_give_up(holder: SeatHolder, _: messages.ProposeGiveUp) -> None:
    await _propose(holder, GiveUp())


@handles(messages.ProposeCorrection, needs=Needs.SEAT, cost=Cost.STORED)
async def propose_correction(holder: SeatHolder, message: messages.ProposeCorrection) -> None:
    await _propose(holder, Correct(message.piece, message.amount))


async def _propose(holder: SeatHolder, aim: Aim) -> None:
    await holder.submit(
        lambda room: events.Proposed(Proposal.of(aim, room.next_proposal_id, holder.seat))
    )


@handles(messages.Resume, needs=Needs.SEAT)
async def resume(holder: SeatHolder, _: messages.Resume) -> None:
    await holder.submit(events.PausedSet(is_paused=False))
