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
from protocol.common.chance import (
    SeededChance,
    Stream,
    commitment_of_setup,
    deal_key,
    play_key,
    play_key_1,
    salt_of_setup,
    salt_of_shares,
    setup_key,
    setup_key_1,
)
from protocol.common.table import FixedSetup, GameEvent, Table, fold
from protocol.errors import BadCommitment, ProtocolError
from protocol.event import Record, secrets_of


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
    version: int = 1
    setup: FixedSetup | None = None
    commitments: tuple[bytes, bytes] = (b"", b"")
    """To the seed of play and that of the house, in the last start."""
    chances: dict[Stream, SeededChance] = attrs.field(factory=dict)
    next_draw: dict[str, int] = attrs.field(factory=dict)
    """By row."""
    bound: dict[int, bytes] = attrs.field(factory=dict)
    """What each seat committed to in the last start."""
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
            pair = {"play": record.event.play_seed, "house": record.event.house_seed}
            refs = {sealed.ref: name for name, sealed in pair.items()}
            seeds = {name: sealed.value for name, sealed in pair.items() if sealed.is_open}
        if isinstance(record.event, on.RoomClosed):
            for opened in record.event.seeds:
                name = refs.get((opened.sequence, opened.slot))
                if name is not None:
                    seeds[name] = _seed(opened, record)
        if isinstance(record.event, on.SetupOpened):
            seeds["house"] = record.event.seed
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
        case on.RoomOpened():
            state.version = happened.version
        case on.SetupFixed():
            state.setup = happened.setup
        case on.SetupOpened():
            _audit_setup(state, happened, record.sequence)
        case on.SeedsCommitted():
            state.bound, state.shares = {}, {}
            state.commitments = (happened.play_seed.commitment, happened.house_seed.commitment)
        case on.ShareCommitted() | on.ShareOpened():
            _audit_share(state, happened, record.sequence)
        case on.GameStarted():
            state.chances = _chances(state, head)
        case on.RoomClosed():
            state.is_finished = True
        case on.Draw():
            _audit_draw(state, happened, record.sequence)
        case _:
            pass


def _audit_share(
    state: _Audit, happened: on.ShareCommitted | on.ShareOpened, sequence: int
) -> None:
    if isinstance(happened, on.ShareCommitted):
        state.bound[happened.seat] = happened.commitment
        return
    state.shares[happened.seat] = happened.share
    if hashlib.sha256(happened.share).digest() != state.bound.get(happened.seat):
        raise BadArchive("a share of chance is not the one bound before", sequence, "chance")


def _audit_setup(state: _Audit, opened: on.SetupOpened, sequence: int) -> None:
    commitment = commitment_of_setup(opened.salt, opened.seed)
    if state.setup is None or commitment != state.setup.commitment:
        raise BadArchive("it opens another setup than the one that was fixed", sequence, "chance")


def _chances(state: _Audit, head: bytes) -> dict[Stream, SeededChance]:
    """Return the chance of each stream whose seed is open. `head` is that of the log so far."""
    keys: dict[Stream, bytes] = {}
    play, house = state.seeds.get("play"), state.seeds.get("house")
    salt = salt_of_shares(state.archive.header.room_id, state.commitments, state.shares)
    is_old = state.version == 1
    if play is not None:
        keys[Stream.PLAY] = play_key_1(play, head) if is_old else play_key(play, salt)
    if house is not None and is_old:
        keys[Stream.SETUP] = setup_key_1(house)
    elif house:
        if state.setup is not None:
            salt = salt_of_setup(state.setup.commitment)
        keys[Stream.SETUP], keys[Stream.DEAL] = setup_key(house, salt), deal_key(house, salt)
    return {stream: SeededChance(key) for stream, key in keys.items()}


def _audit_draw(state: _Audit, happened: on.Draw, sequence: int) -> None:
    row = on.row_of(state.version, happened.drawn_from, happened.purpose)
    if happened.number != state.next_draw.get(row, 0):
        raise BadArchive(f"draw {happened.number} is out of its row", sequence, "chance")
    state.next_draw[row] = happened.number + 1
    chance = state.chances.get(happened.drawn_from)
    if chance is None:
        if state.archive.header.is_whole:
            raise BadArchive(f"draw {happened.number} comes from no seed", sequence, "chance")
        return
    try:
        is_fair = _is_fair(chance, happened, is_old=state.version == 1)
    except ValueError:
        # Bounds that no chance has.
        is_fair = False
    if not is_fair:
        raise BadArchive(f"draw {happened.number} is not what the seed says", sequence, "chance")
    state.draw_count += 1


def _is_fair(chance: SeededChance, happened: on.Draw, *, is_old: bool) -> bool:
    number, purpose = happened.number, happened.purpose
    match happened:
        case on.Rolled():
            count, sides = len(happened.faces), happened.sides
            return sides > 0 and chance.roll(number, purpose, count, sides) == happened.faces
        case on.Picked():
            bound = happened.bound
            return bound > 0 and chance.pick(number, purpose, bound) == happened.result
        case on.PickedSecretly() if happened.choice.is_open:
            pick = happened.choice.value
            return pick.bound > 0 and chance.pick(number, purpose, pick.bound) == pick.result
        case on.Dealt() if happened.choice.is_open:
            deal = happened.choice.value
            ranked = chance.rank(number, purpose, deal.options)
            return len(set(ranked)) == len(ranked) and ranked[:1] == (deal.result,)
        case on.Shuffled() if happened.order.is_open:
            is_drawn = is_old or happened.stream is Stream.PLAY
            mix = chance.shuffle if is_drawn else chance.rank
            return mix(number, purpose, happened.order.value) == happened.order.value
        case _:
            return True
