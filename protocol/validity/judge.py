"""Judges a log: checks each record against the rules of its kind, in order."""

import contextlib
from collections.abc import Iterator

from protocol.archive import Archive, BadArchive
from protocol.commitments import first_head, next_head
from protocol.common import events
from protocol.common.chance import commitment_of_setup, seed_in
from protocol.common.table import GameEvent, GameTable, Stage, Table, fold
from protocol.event import Record
from protocol.validity import form, order
from protocol.validity.branching import check_end
from protocol.validity.counting import count
from protocol.validity.state import EFFECTS, LOG_RULES, TABLE_RULES, Invalid, State, need
from protocol.values import evolve


def judge(archive: Archive) -> State:
    """
    Judge a loaded file by the rules of all games: the rules of the log, then those of the table.

    Returns:
        The state at the end of the log.

    Raises:
        BadArchive: names the first invalid record; if the log ends too early, the sequence of the
            missing one.
    """
    # Two passes, as the second relies on the first: seats exist, draws are fair, seeds are known.
    state = judge_log(archive)
    table = State(archive.header, archive.records, counts=state.counts)
    for record in archive.records:
        with _blaming(record.sequence):
            order.check_table_order(table, record)
            TABLE_RULES.get(type(record.event), _no_rule)(table, record, record.event)
        count(table, record)
        table.table = _folded(table.table, record)
        # What was due has come; the effect of this record may make the next one due.
        table.due = None
        EFFECTS.get(type(record.event), _no_rule)(table, record, record.event)
        table.last = record
    with _blaming(len(archive.records)):
        need(table.last is None or order.waits(table), "the log ends inside a batch", "unfinished")
    return table


def judge_log(archive: Archive) -> State:
    """
    Judge a log by the rules of the log, which need no game and only a part of the table.

    They concern form, seats, ceremony, draws, piles and disclosures. `docs/verify/verify.py` judges
    exactly the same. Returns and raises as `judge`.
    """
    state = State(archive.header, archive.records, head=first_head(archive.header.room_id))
    _take_open_seeds(state)
    for cut, record in zip(archive.cuts, archive.records, strict=True):
        with _blaming(record.sequence):
            form.check_record(state, record, cut)
            order.check_log_order(state, record)
            LOG_RULES.get(type(record.event), _no_rule)(state, record, record.event)
        place = order.LEADS_TO.get(type(record.event), order.place_of(state))
        if type(record.event) in _MOVES_THE_LOG:
            state.table = _folded(state.table, record)
        state.due = None
        if isinstance(record.event, _CEREMONY):
            EFFECTS[type(record.event)](state, record, record.event)
        state.last, state.head = record, next_head(state.head, cut.public)
        # `types.json` lists the places; folding must agree, except for the last share.
        assert order.place_of(state) in {place, events.GameStarted, events.BranchStarted}
    with _blaming(len(archive.records)):
        need(state.due is None, "the log ends inside a batch", "unfinished")
        check_end(state)
        if state.header.is_whole:
            is_over = state.room.stage is Stage.OVER and state.room.settings.publish
            need(is_over, "a whole log is that of a game that is over and published", "unfinished")
            is_open = state.room.fixed_setup is None or state.room.opened_setup is not None
            need(is_open, "a whole log has the seed of its setup", "unfinished")
    return state


_CEREMONY = (events.StartRequested, events.ShareOpened, events.Branched)
_MOVES_THE_LOG = frozenset(
    (
        *(
            events.RoomOpened,
            events.SeatTaken,
            events.SeatLeft,
            events.SeatEmptied,
            events.SetupFixed,
        ),
        *(
            events.ReadySet,
            events.CharactersClaimed,
            events.RoleClaimed,
            events.StartRequested,
            events.SeedsCommitted,
        ),
        events.ShareCommitted,
        *(events.ShareOpened, events.StartFailed, events.GameStarted, events.Rolled, events.Picked),
        *(events.PickedSecretly, events.Dealt, events.Shuffled, events.ShuffledSome),
        *(events.RoomClosed, events.SetupOpened, events.Branched, events.BranchStarted),
    )
)
"""Kinds of events that are folded even when only the rules of the log are checked."""


@contextlib.contextmanager
def _blaming(sequence: int) -> Iterator[None]:
    try:
        yield
    except Invalid as wrong:
        raise BadArchive(wrong.reason, sequence, wrong.kind) from wrong


def _no_rule(state: State, record: Record, event: object) -> None:
    """Accept kinds of events without a rule, such as the events of a game."""


def _folded(table: Table, record: Record) -> Table:
    """Fold a record into the room alone: skip the events of the game and its table."""
    if isinstance(record.event, GameEvent):
        return table
    if isinstance(record.event, events.GameStarted):
        # The common part of a game's table is enough here; its laws fold the rest.
        begun = evolve(table, game=GameTable())
        return record.event.begun(begun).with_checkpoint(record.sequence)
    return fold(table, record)


def _take_open_seeds(state: State) -> None:
    """Collect the seeds that the file opens; the rules of the records with seeds check them."""
    own: dict[tuple[int, int], bytes] = {}
    is_closed = False
    for record in state.records:
        match record.event:
            case events.SeedsCommitted() as seeds:
                both = (seeds.play_seed, seeds.house_seed)
                own |= {sealed.ref: sealed.value for sealed in both if sealed.is_open}
            # Only the first: a forged log may close twice, with other seeds.
            case events.RoomClosed() as closed if not is_closed:
                is_closed = True
                for told in closed.seeds:
                    if (seed := seed_in(told.value)) is not None:
                        state.seeds[told.sequence, told.slot] = seed
            case events.SetupOpened() as setup:
                commitment = commitment_of_setup(setup.salt, setup.seed)
                state.setups.setdefault(commitment, setup.seed)
    # Last: the opening of a seed in its own record has been checked, the others not yet.
    state.seeds |= own
