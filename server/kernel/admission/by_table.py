"""
Checks of inputs against the table alone, one function per kind of input.

A check raises `Refused`, and runs before anything is written.
"""

from collections.abc import Callable, Iterable
from typing import Any

from protocol.common import events, standing
from protocol.common.absence import ABSENCE_MS, absentees
from protocol.common.asks import Settle
from protocol.common.chance import commitment_of_setup
from protocol.common.hosts import (
    HOSTS_VERSION,
    acts_as_host,
    is_host_away,
    people_present,
    successor,
)
from protocol.common.kept_apart import is_kept_out, needs_absent
from protocol.common.lots import COUNTED_VERSION, is_enough_for_lot
from protocol.common.observers import observer_of
from protocol.common.patience import away, is_due
from protocol.common.proposals import GiveSeat, TakeBack
from protocol.common.signed import (
    commitment_of_share,
    is_share_signed,
    is_stated,
    ready_statement,
    start_statement,
)
from protocol.common.table import (
    MAX_WITHHELD,
    SIGNED_VERSION,
    OpenAsk,
    RoomTable,
    Stage,
    Table,
)
from protocol.event import OPERATOR, Event, Record, hidden
from protocol.plain_text import is_plain, name_fault
from server.kernel.errors import Refused

Check = Callable[[Table, Any], None]
CHECKS: dict[type[Event], Check] = {}


def check(kind: type[Event]) -> Callable[[Check], Check]:
    """Register the decorated function as the check of this kind of input."""

    def declare(function: Check) -> Check:
        CHECKS[kind] = function
        return function

    return declare


def refuse_unless(condition: object, code: str) -> None:
    if not condition:
        raise Refused(code)


def _in_lobby(room: RoomTable) -> None:
    refuse_unless(room.stage is Stage.LOBBY, "table/already_started")


def _seated(room: RoomTable, seat: int) -> None:
    refuse_unless(seat in room.seats, "table/no_such_seat")


def _no_observer(room: RoomTable, key: bytes) -> None:
    """Refuse a seat to an observer of the table: observers see the secrets of all seats."""
    refuse_unless(observer_of(room.settings, key) is None, "table/observer")


def _not_kept_out(room: RoomTable, seat: int, key: bytes) -> None:
    """Refuse a seat to a key that had one of another role, in a game that keeps roles apart."""
    refuse_unless(not is_kept_out(room, seat, key), "table/role_apart")


@check(events.RoomOpened)
def _room_opened(_table: Table, opened: events.RoomOpened) -> None:
    observers = opened.settings.observers
    # A name with a slash could pass for a subject, whose words would be sent with it.
    is_named = all(name_fault(one.name) is None for one in observers)
    refuse_unless(is_named, "table/unfit_observers")
    fingerprints = {one.fingerprint for one in observers}
    refuse_unless(len(fingerprints) == len(observers), "table/unfit_observers")


@check(events.SeatTaken)
def _seat_taken(table: Table, taken: events.SeatTaken) -> None:
    _in_lobby(table.room)
    # Negative numbers are origins and audiences, not seats.
    refuse_unless(taken.seat >= 0, "table/no_such_seat")
    refuse_unless(taken.seat not in table.room.seats, "table/seat_taken")
    refuse_unless(table.room.seat_of(taken.key) is None, "table/already_seated")
    _no_observer(table.room, taken.key)


@check(events.SeatLeft)
def _seat_left(table: Table, left: events.SeatLeft) -> None:
    _in_lobby(table.room)
    _seated(table.room, left.seat)


@check(events.SeatEmptied)
def _seat_emptied(table: Table, emptied: events.SeatEmptied) -> None:
    _in_lobby(table.room)
    _seated(table.room, emptied.seat)
    refuse_unless(emptied.seat != table.room.host, "table/host_only")
    refuse_unless(table.room.seats[emptied.seat].withheld >= MAX_WITHHELD, "start/not_withheld")


@check(events.SetupFixed)
def _setup_fixed(table: Table, _fixed: events.SetupFixed) -> None:
    _in_lobby(table.room)
    refuse_unless(table.room.version > 1, "setup/old_table")
    # An observer would see secrets that other tables with the same setup still have ahead.
    refuse_unless(not table.room.settings.observers, "setup/observed")


@check(events.SetupAccepted)
def _setup_accepted(table: Table, accepted: events.SetupAccepted) -> None:
    _in_lobby(table.room)
    _seated(table.room, accepted.seat)
    refuse_unless(table.room.fixed_setup is not None, "setup/none")
    refuse_unless(not table.room.seats[accepted.seat].knows_setup, "setup/accepted")


@check(events.SetupOpened)
def _setup_opened(table: Table, opened: events.SetupOpened) -> None:
    room = table.room
    refuse_unless(room.stage is Stage.OVER and room.opened_setup is None, "setup/not_now")
    fits = room.fixed_setup is not None and (
        commitment_of_setup(opened.salt, opened.seed) == room.fixed_setup.commitment
    )
    refuse_unless(fits, "setup/not_the_one")


@check(events.ScenarioChosen)
def _scenario_chosen(table: Table, _chosen: events.ScenarioChosen) -> None:
    _in_lobby(table.room)


@check(events.CampaignContinued)
def _campaign_continued(table: Table, _continued: events.CampaignContinued) -> None:
    _in_lobby(table.room)


@check(events.Prepared)
def _prepared(table: Table, prepared: events.Prepared) -> None:
    _in_lobby(table.room)
    _seated(table.room, prepared.seat)


@check(events.BroughtAlong)
def _brought_along(table: Table, brought: events.BroughtAlong) -> None:
    _in_lobby(table.room)
    _seated(table.room, brought.seat)
    refuse_unless(table.room.legacy is not None, "table/no_campaign")


@check(events.ProductsSwitched)
def _products_switched(table: Table, _switched: events.ProductsSwitched) -> None:
    _in_lobby(table.room)


@check(events.CharactersClaimed)
def _characters_claimed(table: Table, claim: events.CharactersClaimed) -> None:
    _in_lobby(table.room)
    _seated(table.room, claim.seat)
    others = [c for s in table.room.seats.values() if s.seat != claim.seat for c in s.characters]
    claimed = [*claim.characters, *others]
    refuse_unless(len(set(claimed)) == len(claimed), "table/piece_taken")


@check(events.RoleClaimed)
def _role_claimed(table: Table, claim: events.RoleClaimed) -> None:
    _in_lobby(table.room)
    _seated(table.room, claim.seat)


@check(events.ReadySet)
def _ready_set(table: Table, ready: events.ReadySet) -> None:
    room = table.room
    _in_lobby(room)
    _seated(room, ready.seat)
    # The server may take readiness back, as from a seat that has come to know the fixed setup.
    if ready.is_ready or ready.signature:
        said = ready_statement(room.room_id, ready.seat, ready.number, is_ready=ready.is_ready)
        is_said = is_stated(room, ready.seat, said, ready.number, ready.signature)
        refuse_unless(is_said, "start/signature")


@check(events.PresenceChanged)
def _presence_changed(table: Table, change: events.PresenceChanged) -> None:
    _seated(table.room, change.seat)


@check(events.HostVoted)
def _host_voted(table: Table, voted: events.HostVoted) -> None:
    room = table.room
    _in_lobby(room)
    refuse_unless(room.version >= HOSTS_VERSION, "host/old_table")
    refuse_unless(is_host_away(room), "host/is_here")
    refuse_unless(voted.seat in {s.seat for s in people_present(room)}, "host/no_vote")
    refuse_unless(voted.seat not in room.host_votes, "host/voted")


@check(events.HostPassed)
def _host_passed(table: Table, passed: events.HostPassed) -> None:
    room = table.room
    _in_lobby(room)
    refuse_unless(room.version >= HOSTS_VERSION, "host/old_table")
    # Names the host it replaces, so that a late input cannot depose a newer host.
    refuse_unless(is_host_away(room) and passed.was == room.host, "host/is_here")
    refuse_unless(passed.seat == successor(room), "host/no_vote")


@check(events.Chatted)
def _chatted(table: Table, chat: events.Chatted) -> None:
    _seated(table.room, chat.seat)
    refuse_unless(table.is_chat_open, "chat/closed")
    # A character has at most four bytes in UTF-8.
    refuse_unless(0 < len(chat.words.value) <= 4 * events.MAX_CHAT, "chat/too_long")


@check(events.StartRequested)
def _start_requested(table: Table, start: events.StartRequested) -> None:
    room = table.room
    _in_lobby(room)
    refuse_unless(start.seat == room.host, "table/host_only")
    refuse_unless(all(seat.is_ready for seat in room.seats.values()), "table/not_all_ready")
    said = start_statement(room.room_id, start.seat, start.number)
    is_said = is_stated(room, start.seat, said, start.number, start.signature)
    refuse_unless(is_said, "start/signature")


@check(events.ShareCommitted)
def _share_committed(table: Table, share: events.ShareCommitted) -> None:
    ceremony = table.room.ceremony
    refuse_unless(ceremony is not None and share.seat in table.room.seats, "start/not_now")
    assert ceremony is not None
    refuse_unless(share.seat not in ceremony.commitments, "start/given_already")
    # One that is copied from another seat, which alone can open it.
    is_own = table.room.version < SIGNED_VERSION or (
        share.commitment not in ceremony.commitments.values()
    )
    refuse_unless(is_own, "start/copied")


@check(events.ShareOpened)
def _share_opened(table: Table, share: events.ShareOpened) -> None:
    room = table.room
    refuse_unless(room.ceremony is not None, "start/not_now")
    assert room.ceremony is not None
    # Not before all have committed: the last one could choose its share by the others.
    refuse_unless(len(room.ceremony.commitments) == len(room.seats), "start/not_now")
    refuse_unless(share.seat in room.seats, "start/not_now")
    refuse_unless(share.seat not in room.ceremony.shares, "start/given_already")
    own = share.seat, share.share, share.number, share.before
    fits = commitment_of_share(room, *own) == room.ceremony.commitments[share.seat]
    refuse_unless(fits, "start/not_what_was_committed")
    is_said = is_share_signed(room, *own, share.signature)
    refuse_unless(is_said, "start/signature")


@check(events.StartFailed)
def _start_failed(table: Table, _failed: events.StartFailed) -> None:
    refuse_unless(table.room.ceremony is not None, "start/not_now")


def open_ask(table: Table, ask_id: int) -> OpenAsk:
    """Return the open question. Refused: its id is not `ask_id`, or the game is paused."""
    ask = table.room.ask
    refuse_unless(ask is not None and ask.ask_id == ask_id, "answer/stale")
    refuse_unless(not table.room.is_paused_by_operator, "table/paused_by_operator")
    refuse_unless(not table.room.is_paused, "table/paused")
    assert ask is not None
    return ask


@check(events.Answered)
def _answered(table: Table, answer: events.Answered) -> None:
    ask = open_ask(table, answer.ask_id)
    refuse_unless(answer.seat in ask.questions, "answer/not_asked")
    refuse_unless(not ask.has_open_votes, "answer/vote_instead")
    refuse_unless(ask.settle is not Settle.WINDOW, "answer/in_window")
    refuse_unless(answer.seat not in ask.answered, "answer/given_already")
    question, picks = ask.questions[answer.seat].value, answer.picks.value
    fault = question.faults(picks)
    refuse_unless(fault is None, fault or "")
    # All seats may see who passes, so a pass must not be sealed like an answer.
    is_pass = ask.settle.can_pass and picks == question.passing
    refuse_unless(not is_pass, "answer/pass_instead")
    # Who lets it be says nothing, or all would see who considers to interrupt.
    refuse_unless(picks or not ask.may_interrupt(answer.seat), "answer/wrong_number")


def check_age(room: RoomTable, latest_first: Iterable[Record], seat: int, time: int) -> None:
    """
    Refuse the answer of a seat that decides while others may still interrupt it.

    A replay does not check this: the records tell their times to verifiers.

    Args:
        room: the room now.
        latest_first: its records, latest first; read lazily.
        seat: the seat that answers.
        time: milliseconds since 1970.
    """
    if room.ask is not None and room.ask.decides == seat:
        refuse_unless(is_due(room, latest_first, time), "answer/too_early")


@check(events.Passed)
def _passed(table: Table, passed: events.Passed) -> None:
    ask = open_ask(table, passed.ask_id)
    refuse_unless(passed.seat in ask.questions, "answer/not_asked")
    refuse_unless(ask.settle.can_pass, "answer/no_pass")
    refuse_unless(passed.seat not in ask.answered, "answer/given_already")


def check_in_window(table: Table, ask_id: int, seat: int, picks: tuple[str, ...]) -> None:
    """Refuse an answer unless the server holds answers to this question, which offers these."""
    ask = open_ask(table, ask_id)
    refuse_unless(seat in ask.questions, "answer/not_asked")
    refuse_unless(ask.is_held(seat), "answer/no_window")
    fault = ask.questions[seat].value.faults_in_window(picks)
    refuse_unless(fault is None, fault or "")


@check(events.AnsweredTogether)
def _answered_together(table: Table, closed: events.AnsweredTogether) -> None:
    ask = open_ask(table, closed.ask_id)
    refuse_unless(ask.settle is Settle.WINDOW, "answer/no_window")
    # For all asked seats, so that the record does not say who answered.
    refuse_unless(closed.answers.keys() == ask.questions.keys(), "answer/not_asked")
    for seat, held in closed.answers.items():
        check_in_window(table, closed.ask_id, seat, held.value.choice_ids)


@check(events.StandingSet)
def _standing_set(table: Table, said: events.StandingSet) -> None:
    room, passes = table.room, said.kinds.value
    ask = room.ask
    is_in_window = ask is not None and ask.settle is Settle.WINDOW and said.seat in ask.questions
    # The moment would reveal that they considered the window.
    refuse_unless(not is_in_window, "standing/window_open")
    _seated(room, said.seat)
    refuse_unless(room.stage is Stage.PLAYING, "table/not_playing")
    lapses = standing.lapses_of(room, table.game)
    is_known = standing.are_passes(passes, room.kinds) and standing.lapse_in(passes, lapses)
    refuse_unless(is_known, "standing/unknown_kind")
    refuse_unless(passes != standing.in_force(room, said.seat), "standing/as_it_is")


def answer_of(room: RoomTable, seat: int, ask_id: int, picks: tuple[str, ...]) -> Event:
    """Return the input for an answer. A pass becomes `Passed`, which all seats may see."""
    ask = room.ask
    if ask is not None and ask.ask_id == ask_id and ask.settle.can_pass:
        question = ask.questions.get(seat)
        if question is not None and picks == question.value.passing:
            return events.Passed(seat, ask_id)
    return events.Answered(seat, ask_id, hidden(picks))


@check(events.Voted)
def _voted(table: Table, vote: events.Voted) -> None:
    ask = open_ask(table, vote.ask_id)
    refuse_unless(vote.seat in ask.questions, "answer/not_asked")
    refuse_unless(ask.has_open_votes, "answer/no_vote")
    fault = ask.questions[vote.seat].value.faults(vote.picks)
    refuse_unless(fault is None, fault or "")


@check(events.TiebreakCalled)
def _tiebreak_called(table: Table, call: events.TiebreakCalled) -> None:
    ask = open_ask(table, call.ask_id)
    refuse_unless(call.seat in ask.questions, "answer/not_asked")
    refuse_unless(ask.has_open_votes, "answer/no_vote")
    refuse_unless(not ask.waiting_for, "answer/not_all_voted")
    is_counted = table.room.version >= COUNTED_VERSION
    is_enough = not is_counted or is_enough_for_lot(table.room, ask, call.seat)
    refuse_unless(is_enough, "answer/lot_wanted")


@check(events.LotWanted)
def _lot_wanted(table: Table, wanted: events.LotWanted) -> None:
    ask = open_ask(table, wanted.ask_id)
    refuse_unless(wanted.seat in ask.questions, "answer/not_asked")
    refuse_unless(ask.has_open_votes, "answer/no_vote")
    refuse_unless(not ask.waiting_for, "answer/not_all_voted")
    refuse_unless(wanted.seat not in ask.lot_wanted_by, "answer/lot_wanted")


@check(events.TimedOut)
def _timed_out(table: Table, out: events.TimedOut) -> None:
    ask = open_ask(table, out.ask_id)
    refuse_unless(ask.settle is not Settle.WINDOW, "answer/in_window")
    # An absent seat may still object, so the question does not time out.
    refuse_unless(not away(table.room), "answer/voter_away")


@check(events.PausedSet)
def _paused_set(table: Table, change: events.PausedSet) -> None:
    refuse_unless(table.room.stage is Stage.PLAYING, "table/not_playing")
    refuse_unless(table.room.is_paused != change.is_paused, "table/not_paused")


def _refuse_unfit_reason(reason: bytes) -> None:
    """Refuse an operator's reason that is empty, too long or not plain text."""
    try:
        text = reason.decode()
    except UnicodeDecodeError:
        raise Refused("operator/unfit_reason") from None
    # Terminals show it to everybody at the table, so it must not hold control characters.
    is_fit = text.strip() and len(text) <= events.MAX_REASON and is_plain(text)
    refuse_unless(is_fit, "operator/unfit_reason")


@check(events.OperatorPaused)
def _operator_paused(table: Table, paused: events.OperatorPaused) -> None:
    refuse_unless(table.room.stage is Stage.PLAYING, "table/not_playing")
    refuse_unless(not table.room.is_paused_by_operator, "operator/paused_already")
    _refuse_unfit_reason(paused.reason)


@check(events.OperatorResumed)
def _operator_resumed(table: Table, resumed: events.OperatorResumed) -> None:
    refuse_unless(table.room.stage is Stage.PLAYING, "table/not_playing")
    refuse_unless(table.room.is_paused_by_operator, "table/not_paused")
    _refuse_unfit_reason(resumed.reason)


@check(events.OperatorClosed)
def _operator_closed(table: Table, closed: events.OperatorClosed) -> None:
    refuse_unless(table.room.stage is Stage.PLAYING, "table/not_playing")
    _refuse_unfit_reason(closed.reason)


@check(events.Proposed)
def _proposed(table: Table, proposed: events.Proposed) -> None:
    proposal, room = proposed.proposal, table.room
    _seated(room, proposal.by)
    refuse_unless(room.stage is Stage.PLAYING, "table/not_playing")
    # Made from an older table if another proposal came first.
    refuse_unless(proposal.proposal_id == room.next_proposal_id, "proposal/stale")
    # A proposal must not bring consents of other seats.
    refuse_unless(not proposal.consents, "proposal/no_voice")
    match proposal.aim:
        case TakeBack(rest):
            refuse_unless(rest in table.checkpoints, "proposal/no_such_rest")
        case GiveSeat(seat, key=key):
            # One player has all seats of a branch.
            refuse_unless(room.source is None, "proposal/in_practice")
            refuse_unless(acts_as_host(room, proposal.by), "table/host_only")
            _seated(room, seat)
            refuse_unless(not key or room.seat_of(key) is None, "table/already_seated")
            _no_observer(room, key)
            _not_kept_out(room, seat, key)
        case None:
            raise Refused("proposal/unknown")


@check(events.SeatFilledKnowing)
def _seat_filled_knowing(table: Table, filled: events.SeatFilledKnowing) -> None:
    refuse_unless(table.room.stage is Stage.PLAYING, "table/not_playing")
    refuse_unless(table.room.fixed_setup is not None, "setup/none")
    _seat_filled(table, filled)


@check(events.SeatFilled)
def _seat_filled(table: Table, filled: events.SeatFilled | events.SeatFilledKnowing) -> None:
    _seated(table.room, filled.seat)
    refuse_unless(not table.room.seats[filled.seat].key, "table/seat_taken")
    refuse_unless(table.room.seat_of(filled.key) is None, "table/already_seated")
    # Else the table could give them a second seat by agreeing to an earlier proposal.
    aim = None if table.room.proposal is None else table.room.proposal.aim
    is_proposed = isinstance(aim, GiveSeat) and aim.key == filled.key
    refuse_unless(not is_proposed, "table/already_seated")
    _no_observer(table.room, filled.key)
    _not_kept_out(table.room, filled.seat, filled.key)


@check(events.Consented)
def _consented(table: Table, consent: events.Consented) -> None:
    proposal = table.room.proposal
    refuse_unless(
        proposal is not None and proposal.proposal_id == consent.proposal_id, "proposal/stale"
    )
    assert proposal is not None
    refuse_unless(consent.seat in voices(table.room), "proposal/no_voice")
    # The checkpoint may have been dropped since the proposal.
    is_back = isinstance(proposal.aim, TakeBack)
    is_forgotten = is_back and proposal.checkpoint not in table.checkpoints
    refuse_unless(not (is_forgotten and consent.is_agreed), "proposal/no_such_rest")


@check(events.AgreedForAbsent)
def _agreed_for_absent(table: Table, agreed_for: events.AgreedForAbsent) -> None:
    proposal = table.room.proposal
    is_open = proposal is not None and proposal.proposal_id == agreed_for.proposal_id
    refuse_unless(is_open, "proposal/stale")
    assert proposal is not None
    is_for_them = bool(agreed_for.seats) and agreed_for.seats == absentees(table.room)
    refuse_unless(is_for_them, "proposal/not_absent")
    is_back = isinstance(proposal.aim, TakeBack)
    refuse_unless(not is_back or proposal.checkpoint in table.checkpoints, "proposal/no_such_rest")


def check_for_absent(room: RoomTable, *, time: int, origin: int, is_halted: bool) -> None:
    """
    Refuse consent for absent players that is not possible yet, or not from there.

    The seat that agrees has to be present, and the proposal has to be `ABSENCE_MS` old. Going back
    is possible only if the game is halted, and the operator may agree to it at any time. A replay
    does not check this, since a later release may be able to continue the halted log.

    Args:
        room: the room now.
        time: milliseconds since 1970.
        origin: the seat that agrees, or OPERATOR.
        is_halted: whether the rules cannot continue the game.
    """
    is_back = room.proposal is not None and isinstance(room.proposal.aim, TakeBack)
    refuse_unless(is_halted or not is_back, "proposal/not_halted")
    refuse_unless(is_back or origin != OPERATOR, "proposal/no_voice")
    if origin != OPERATOR:
        seat = room.seats.get(origin)
        refuse_unless(seat is not None and seat.is_present, "proposal/no_voice")
        refuse_unless(time - room.proposed_at >= ABSENCE_MS, "proposal/too_early")


def voices(room: RoomTable) -> tuple[int, ...]:
    """
    Return the seats whose consent the open proposal needs; empty without a proposal.

    The seats of the proposing player and of bots are left out. Giving a seat away needs the consent
    of the people who are present, the owner of the seat among them: absent players may never come
    back. Every other proposal needs the consent of all people at the table, and so does that one
    where roles are kept apart.
    """
    proposal = room.proposal
    if proposal is None:
        return ()
    people = [s for s in room.seats.values() if s.key and not s.is_bot and s.seat != proposal.by]
    # One player may have several seats of a branch, and has consented by proposing.
    people = [s for s in people if s.key != room.seats[proposal.by].key]
    if not needs_absent(room):
        people = [s for s in people if s.is_present]
    return tuple(s.seat for s in people)
