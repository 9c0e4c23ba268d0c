"""
Audits a branch against its source: does it repeat the records of the other log?

Each log is valid by itself (`protocol.audit`). A branch alone cannot prove that its source exists:
that the repeated records are those of the source, and that the seeds which it opens are those that
the source committed to.
"""

from collections.abc import Iterator
from typing import Any

from protocol.archive import Archive, BadArchive
from protocol.commitments import Opening, commit, head_of
from protocol.common import events
from protocol.common.disclosure import Disclosure
from protocol.common.table import Branch
from protocol.event import Event, Record, declared_fields
from protocol.event_contents import secrets_of
from protocol.values import evolve


def source_of(archive: Archive) -> Branch | None:
    """Return the point of another log that a log branches from; None if it is no branch."""
    first = archive.records[0].event if archive.records else None
    return first.source if isinstance(first, events.RoomOpened) else None


def compare(archive: Archive, source: Archive) -> int:
    """
    Compare a branch with its source, by all fields that are open in both.

    Args:
        archive: the branch. Both files must have been audited.
        source: the log that it branches from.

    Returns:
        The sequence of the last record that the branch repeats.

    Raises:
        BadArchive: `archive` is no branch, or a branch of another log; or a record, which the error
            names, differs from its source.
    """
    branch = source_of(archive)
    if branch is None:
        raise BadArchive("it is no practice game", kind="no_source")
    if branch.room_id != source.header.room_id or branch.sequence >= len(source.records):
        raise BadArchive("it was begun from another game", kind="other_source")
    # The head covers all records up to the branching point, so the source cannot be another log.
    public = [cut.public for cut in source.cuts[: branch.sequence + 1]]
    if head_of(branch.room_id, public) != branch.head:
        raise BadArchive("it was begun from another game", kind="other_source")
    for mine, theirs in zip(archive.records[: branch.sequence + 1], source.records, strict=False):
        if _said(mine) != _said(theirs) or not _have_same_secrets(mine.event, theirs.event):
            reason = "it says something else than its source"
            raise BadArchive(reason, mine.sequence, "other_source")
    # The seeds that the branch opens must be those that the source committed to: with others the
    # server could have chosen the chance of the repeated part.
    at = branch.sequence + 1
    branched = archive.records[at].event
    assert isinstance(branched, events.Branched), "the file was audited"
    for seed in branched.seeds:
        secrets = list(secrets_of(source.records[seed.sequence].event))
        opening = Opening(seed.salt, seed.value)
        commitment = commit(branch.room_id, seed.sequence, seed.slot, opening)
        if secrets[seed.slot].commitment != commitment:
            raise BadArchive("it opens a seed that its source was not bound to", at, "other_source")
    return branch.sequence


def _said(record: Record) -> object:
    """Return the public content of a record, without its room, its source and its salts."""
    return (record.time, record.origin, record.event.tag, tuple(_public(record.event)))


def _public(event: Event) -> Iterator[object]:
    # Room and source differ by nature, as do the salts of disclosed values.
    opened = isinstance(event, events.RoomOpened)
    for field in declared_fields(type(event)):
        if field.to is None and not (opened and field.name in {"room_id", "source"}):
            yield _unsalted(getattr(event, field.name))


def _unsalted(value: Any) -> Any:
    if isinstance(value, Disclosure):
        return evolve(value, salt=b"")
    return tuple(map(_unsalted, value)) if isinstance(value, tuple) else value


def _have_same_secrets(mine: Event, theirs: Event) -> bool:
    # Not strict: a forged record may have fewer secrets; the numbers are compared below.
    pairs = list(zip(secrets_of(mine), secrets_of(theirs), strict=False))
    if [one.audience for one, _ in pairs] != [other.audience for _, other in pairs]:
        return False
    if isinstance(mine, events.Chatted):
        # The words are left out of a branch.
        return True
    return all(
        one.value == other.value for one, other in pairs if one.is_open and other.is_open
    ) and len(list(secrets_of(mine))) == len(list(secrets_of(theirs)))
