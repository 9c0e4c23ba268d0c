"""
The audit of an archive: was every draw what the seeds say, and is every secret there?

`protocol.archive.load` has shown before that the records hang together and that each opening fits
its commitment. Here the seeds are joined with everybody's shares, and every roll, pick and shuffle
is computed again. The table is folded along, so that every card that an event names can be looked
up in the order that was committed to when its pile was mixed.
"""

import hashlib
from collections.abc import Iterator

import attrs

from protocol import codec
from protocol.archive import Archive, BadArchive
from protocol.commitments import Opening, check, first_head, next_head
from protocol.common import events as on
from protocol.common.chance import Chance, SeededChance, play_key, setup_key
from protocol.common.table import GameEvent, Table, fold
from protocol.errors import BadCommitment, ProtocolError
from protocol.event import Record, Sealed, secrets_of


@attrs.frozen
class Report:
    """What was checked."""

    is_whole: bool
    record_count: int
    draw_count: int
    """Draws computed again; 0 where the seeds are not known yet."""
    is_finished: bool
    """Whether the game in it is over."""


@attrs.define
class _Audit:
    """What is known so far, on the way through the records."""

    archive: Archive
    seeds: dict[str, bytes] = attrs.field(factory=dict)
    chances: dict[bool, Chance] = attrs.field(factory=dict)
    """By whether it is the setup's."""
    next_draw: dict[bool, int] = attrs.field(factory=lambda: {False: 0, True: 0})
    shares: dict[int, bytes] = attrs.field(factory=dict)
    draw_count: int = 0
    is_finished: bool = False


def audit(archive: Archive) -> Report:
    """
    Check all of chance that can be checked.

    Raises:
        BadArchive: at the first event that is not what it should be.
    """
    state = _Audit(archive)
    state.seeds = _disclosed_seeds(archive)
    head, table = first_head(archive.header.room_id), Table()
    for cut, record in zip(archive.cuts, archive.records, strict=True):
        if archive.header.is_whole:
            _check_all_open(record)
            table = _fold_and_look(table, record)
        _check_disclosures(archive, record)
        _audit_event(state, record, head)
        head = next_head(head, cut.public)
    return Report(
        archive.header.is_whole, len(archive.records), state.draw_count, state.is_finished
    )


def _disclosed_seeds(archive: Archive) -> dict[str, bytes]:
    """Return the seeds of the last start, from its own openings or from the end of the log."""
    seeds: dict[str, bytes] = {}
    refs: dict[tuple[int, int], str] = {}
    for record in archive.records:
        if isinstance(record.event, on.SeedsCommitted):
            pair = {"play": record.event.seed, "setup": record.event.setup_seed}
            refs = {sealed.ref: name for name, sealed in pair.items()}
            seeds = {name: sealed.value for name, sealed in pair.items() if sealed.is_open}
        if isinstance(record.event, on.RoomClosed):
            for opened in record.event.seeds:
                name = refs.get((opened.sequence, opened.slot))
                if name is not None:
                    seeds[name] = _seed(opened, record)
    return seeds


def _seed(opened: on.Disclosure, record: Record) -> bytes:
    try:
        seed: bytes = codec.decode(opened.value, bytes)
    except ProtocolError as error:
        raise BadArchive("it opens a seed that is none", record.sequence, "chance") from error
    return seed


def _check_all_open(record: Record) -> None:
    if isinstance(record.event, on.Chatted):
        # Words of the table's talk may be erased; nothing depends on them.
        return
    for sealed in secrets_of(record.event):
        if not sealed.is_open:
            raise BadArchive("a whole log hides one of its secrets", record.sequence, "secret")


def _fold_and_look(table: Table, record: Record) -> Table:
    """Fold a record, and look whether the cards that it names are those that lay there."""
    happened = record.event
    try:
        claims = happened.claims() if isinstance(happened, GameEvent) else ()
        for handle, card in claims:
            if table.game is None or table.game.card_of(handle) != card:
                raise BadArchive(
                    "a card that it names is not the one that lay there",
                    record.sequence,
                    "impossible",
                )
        return fold(table, record)
    except (AssertionError, AttributeError, LookupError, StopIteration, TypeError) as error:
        raise BadArchive(
            "it does not fit what happened before", record.sequence, "impossible"
        ) from error


def _check_disclosures(archive: Archive, record: Record) -> None:
    for opened in _disclosures(record):
        if not 0 <= opened.sequence < record.sequence:
            raise BadArchive("it opens a secret of the future", record.sequence, "secret")
        secrets = list(secrets_of(archive.records[opened.sequence].event))
        if not 0 <= opened.slot < len(secrets):
            raise BadArchive("it opens a secret that is none", record.sequence, "secret")
        opening = Opening(opened.salt, opened.value)
        commitment = secrets[opened.slot].commitment
        room_id = archive.header.room_id
        try:
            check(commitment, room_id, opened.sequence, opened.slot, opening)
        except BadCommitment as error:
            raise BadArchive(str(error), record.sequence, "secret") from error


def _disclosures(record: Record) -> Iterator[on.Disclosure]:
    for field in attrs.fields(type(record.event)):  # type: ignore[arg-type]  # Events are attrs
        value = getattr(record.event, field.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, on.Disclosure):
                yield item


def _audit_event(state: _Audit, record: Record, head: bytes) -> None:
    happened = record.event
    match happened:
        case on.SeedsCommitted():
            state.shares = {}
        case on.ShareCommitted():
            state.shares[happened.seat] = happened.commitment
        case on.ShareOpened():
            if hashlib.sha256(happened.share).digest() != state.shares.get(happened.seat):
                raise BadArchive(
                    "a share of chance is not the one bound before", record.sequence, "chance"
                )
        case on.GameStarted():
            if "play" in state.seeds:
                state.chances[False] = SeededChance(play_key(state.seeds["play"], head))
            if "setup" in state.seeds:
                state.chances[True] = SeededChance(setup_key(state.seeds["setup"]))
        case on.RoomClosed():
            state.is_finished = True
        case on.Rolled() | on.Picked() | on.Shuffled():
            _audit_draw(state, happened, record.sequence)
        case _:
            pass


def _audit_draw(
    state: _Audit, happened: on.Rolled | on.Picked | on.Shuffled, sequence: int
) -> None:
    if happened.draw != state.next_draw[happened.is_setup]:
        raise BadArchive(f"draw {happened.draw} is out of its row", sequence, "chance")
    state.next_draw[happened.is_setup] += 1
    chance = state.chances.get(happened.is_setup)
    if chance is None:
        if state.archive.header.is_whole:
            raise BadArchive(f"draw {happened.draw} comes from no seed", sequence, "chance")
        return
    try:
        is_fair = _is_fair(chance, happened)
    except ValueError:
        # Bounds that no chance has.
        is_fair = False
    if not is_fair:
        raise BadArchive(f"draw {happened.draw} is not what the seed says", sequence, "chance")
    state.draw_count += 1


def _is_fair(chance: Chance, happened: on.Rolled | on.Picked | on.Shuffled) -> bool:
    draw, purpose = happened.draw, happened.purpose
    if isinstance(happened, on.Rolled):
        if not happened.sides > 0:
            return False
        return chance.roll(draw, purpose, len(happened.faces), happened.sides) == happened.faces
    if isinstance(happened, on.Picked):
        return happened.bound > 0 and chance.pick(draw, purpose, happened.bound) == happened.result
    order: Sealed[tuple[str, ...]] = happened.order
    if not order.is_open:
        return True
    return chance.shuffle(draw, purpose, order.value) == order.value
