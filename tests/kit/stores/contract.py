"""
The contract of `Store`, as tests that every store inherits.

A store's own test module subclasses `StoreContract`, under a name that pytest collects, and says
how to create one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pytest
from twisted.internet.defer import Deferred

from protocol.commitments import head_of
from protocol.event import Stored
from server.storage import LogEnd, RevisionConflict, RoomInfo, Store, StoreClosed, StoreItem
from tests.kit.stores.waiting import Inbox


def records(*words: str) -> list[Stored]:
    """Return records whose bytes contain the given words."""
    return [Stored(f"public {word}".encode(), f"openings {word}".encode()) for word in words]


class StoreContract(ABC):
    """What every store promises."""

    @abstractmethod
    def create_store(self, folder: Path, inbox: Inbox) -> Store:
        """Return an empty store that answers through `inbox`; `folder` is empty, too."""

    @pytest.fixture
    def inbox(self) -> Inbox:
        """Return the inbox for the store's answers."""
        return Inbox()

    @pytest.fixture
    def store(self, tmp_path: Path, inbox: Inbox) -> Iterator[Store]:
        """Yield an empty store, and close it at the end."""
        store = self.create_store(tmp_path, inbox)
        yield store
        inbox.wait(store.close())

    def test_unknown_room_reads_empty(self, store: Store, inbox: Inbox) -> None:
        """A room that nobody wrote to has an empty log, not an error."""
        assert inbox.wait(store.read("a")) == []

    def test_batches_are_read_back_in_order(self, store: Store, inbox: Inbox) -> None:
        """Two batches make one log."""
        inbox.wait(store.append("a", 0, records("1", "2")))
        inbox.wait(store.append("a", 2, records("3")))

        assert inbox.wait(store.read("a")) == records("1", "2", "3")

    def test_bytes_come_back_as_they_are(self, store: Store, inbox: Inbox) -> None:
        """Nothing about a record is interpreted: empty, zero bytes, longer than a page."""
        odd = [Stored(b"", b""), Stored(bytes(range(256)) * 90, b"\0\xff" * 9000)]

        inbox.wait(store.append("a", 0, odd))

        assert inbox.wait(store.read("a")) == odd

    def test_reading_begins_where_asked(self, store: Store, inbox: Inbox) -> None:
        """A reader that holds the first two records asks for the rest."""
        inbox.wait(store.append("a", 0, records("1", "2", "3")))

        assert inbox.wait(store.read("a", 2)) == records("3")

    @pytest.mark.parametrize("batches", [(10,), (3, 4, 3), (1,) * 10], ids=str)
    def test_every_part_of_a_log_is_read(
        self, store: Store, inbox: Inbox, batches: tuple[int, ...]
    ) -> None:
        """Wherever it begins and ends, within batches too."""
        log = records(*map(str, range(10)))
        for first, count in zip(accumulate(batches, initial=0), batches, strict=False):
            inbox.wait(store.append("a", first, log[first : first + count]))

        for first in range(11):
            for last in (*range(12), None):
                assert inbox.wait(store.read("a", first, last)) == log[first:last]

    def test_end_of_a_log_is_told(self, store: Store, inbox: Inbox) -> None:
        """With the head of its chain; nothing is told of a room that there is not."""
        log = records("1", "2", "3")
        inbox.wait(store.append("a", 0, log[:2]))
        inbox.wait(store.append("a", 2, log[2:]))

        head = head_of("a", (record.public for record in log))
        assert inbox.wait(store.end("a")) == LogEnd(3, head)
        assert inbox.wait(store.end("b")) is None

    def test_head_of_every_beginning_of_a_log_is_told(self, store: Store, inbox: Inbox) -> None:
        """Also in the middle of a batch; of more records than there are, nothing is told."""
        log = records("1", "2", "3", "4", "5")
        inbox.wait(store.append("a", 0, log[:3]))
        inbox.wait(store.append("a", 3, log[3:]))

        for count in range(6):
            head = head_of("a", (record.public for record in log[:count]))
            assert inbox.wait(store.head("a", count)) == head
        assert inbox.wait(store.head("a", 6)) is None
        assert inbox.wait(store.head("b", 0)) is None

    @pytest.mark.parametrize(("first", "words"), [(1, ()), (9, ()), (-1, ("1",))])
    def test_reading_outside_the_log_is_no_error(
        self, store: Store, inbox: Inbox, first: int, words: tuple[str, ...]
    ) -> None:
        """Past the end is nothing; before the beginning is the beginning."""
        inbox.wait(store.append("a", 0, records("1")))

        assert inbox.wait(store.read("a", first)) == records(*words)

    @pytest.mark.parametrize("first", [-1, 0, 1, 3])
    def test_batch_elsewhere_than_at_the_end_is_refused(
        self, store: Store, inbox: Inbox, first: int
    ) -> None:
        """Whoever wrote second learns where the log ends, and the log stays as it was."""
        inbox.wait(store.append("a", 0, records("1", "2")))

        with pytest.raises(RevisionConflict) as caught:
            inbox.wait(store.append("a", first, records("other")))

        assert (caught.value.room_id, caught.value.expected) == ("a", 2)
        assert caught.value.offered == first
        assert inbox.wait(store.read("a")) == records("1", "2")

    def test_second_of_two_writers_gets_a_conflict(self, store: Store, inbox: Inbox) -> None:
        """Two batches for the same place never merge, also when both are on their way."""
        first = store.append("a", 0, records("1", "2"))
        second = store.append("a", 0, records("x"))

        inbox.wait(first)
        with pytest.raises(RevisionConflict):
            inbox.wait(second)
        assert inbox.wait(store.read("a")) == records("1", "2")

    def test_batches_on_their_way_may_follow_each_other(self, store: Store, inbox: Inbox) -> None:
        """A room need not wait for one answer before it sends the next batch."""
        answers = [store.append("a", index, records(str(index))) for index in range(5)]

        for answer in answers:
            inbox.wait(answer)
        assert inbox.wait(store.read("a")) == records("0", "1", "2", "3", "4")

    def test_conflict_in_one_room_harms_no_other(self, store: Store, inbox: Inbox) -> None:
        """Rooms share a disk and nothing else."""
        before = store.append("a", 0, records("1"))
        wrong = store.append("b", 5, records("x"))
        after = store.append("c", 0, records("2"))

        inbox.wait(before)
        with pytest.raises(RevisionConflict):
            inbox.wait(wrong)
        inbox.wait(after)
        assert [room.room_id for room in inbox.wait(store.rooms())] == ["a", "c"]

    def test_read_sees_what_was_sent_before_it(self, store: Store, inbox: Inbox) -> None:
        """A read that follows an append finds the batch."""
        appended = store.append("a", 0, records("1"))
        read = store.read("a")

        inbox.wait(appended)
        assert inbox.wait(read) == records("1")

    def test_empty_batch_stores_nothing(self, store: Store, inbox: Inbox) -> None:
        """It is checked like any other and makes no room."""
        inbox.wait(store.append("a", 0, []))
        with pytest.raises(RevisionConflict):
            inbox.wait(store.append("a", 1, []))

        assert inbox.wait(store.rooms()) == []

    def test_caller_may_change_its_list_afterwards(self, store: Store, inbox: Inbox) -> None:
        """A batch is what it was when it was handed over."""
        batch = records("1")

        answer = store.append("a", 0, batch)
        batch.extend(records("2"))

        inbox.wait(answer)
        assert inbox.wait(store.read("a")) == records("1")

    def test_value_beside_a_batch_is_there_with_it(self, store: Store, inbox: Inbox) -> None:
        """A value that is stored together with a batch takes the place of the one before."""
        inbox.wait(store.put("kind", "a", b"old"))

        inbox.wait(store.append("a", 0, records("1"), StoreItem("kind", "a", b"new")))

        assert inbox.wait(store.get("kind", "a")) == b"new"
        assert inbox.wait(store.read("a")) == records("1")

    @pytest.mark.parametrize(("first", "words"), [(3, ("1",)), (0, ())])
    def test_value_beside_what_is_not_stored_is_not_either(
        self, store: Store, inbox: Inbox, first: int, words: tuple[str, ...]
    ) -> None:
        """A batch that is refused, or empty, leaves the value as it was."""
        inbox.wait(store.put("kind", "a", b"old"))
        answer = store.append("a", first, records(*words), StoreItem("kind", "a", b"new"))

        if words:
            with pytest.raises(RevisionConflict):
                inbox.wait(answer)

        assert inbox.wait(store.get("kind", "a")) == b"old"

    def test_rooms_are_listed_by_id(self, store: Store, inbox: Inbox) -> None:
        """With the place where each continues; ids are compared by code point."""
        for room_id, words in [("é", "1"), ("a", "12"), ("\U0001f56f", "1"), ("B", "123")]:
            inbox.wait(store.append(room_id, 0, records(*words)))

        listed = [RoomInfo("B", 3), RoomInfo("a", 2), RoomInfo("é", 1), RoomInfo("\U0001f56f", 1)]
        assert inbox.wait(store.rooms()) == listed

    def test_value_is_read_back(self, store: Store, inbox: Inbox) -> None:
        """The last one put counts; a kind is a namespace."""
        inbox.wait(store.put("account", "x", b"1"))
        inbox.wait(store.put("account", "x", b"\0 2"))
        inbox.wait(store.put("pin", "x", b"3"))

        assert inbox.wait(store.get("account", "x")) == b"\0 2"

    def test_missing_value_is_none(self, store: Store, inbox: Inbox) -> None:
        """None is not the empty value."""
        inbox.wait(store.put("account", "x", b""))

        assert inbox.wait(store.get("account", "x")) == b""
        assert inbox.wait(store.get("account", "y")) is None

    def test_scan_lists_one_kind_by_key(self, store: Store, inbox: Inbox) -> None:
        """And no other kind's."""
        for kind, key in [("pin", "b"), ("pin", "a"), ("pint", "c")]:
            inbox.wait(store.put(kind, key, key.encode()))

        assert inbox.wait(store.scan("pin")) == [("a", b"a"), ("b", b"b")]

    def test_deleted_value_is_gone(self, store: Store, inbox: Inbox) -> None:
        """Deleting what is not there is harmless."""
        inbox.wait(store.put("pin", "a", b"1"))

        inbox.wait(store.delete("pin", "a"))
        inbox.wait(store.delete("pin", "a"))

        assert inbox.wait(store.get("pin", "a")) is None

    def test_removed_room_is_gone_with_its_values(self, store: Store, inbox: Inbox) -> None:
        """Other rooms and values stay; removing what is not there is harmless."""
        inbox.wait(store.append("a", 0, records("1", "2")))
        inbox.wait(store.append("b", 0, records("3")))
        inbox.wait(store.put("pin", "a", b"1"))
        inbox.wait(store.put("pin", "b", b"2"))

        for _ in range(2):
            inbox.wait(store.remove("a", [("pin", "a")]))

        assert inbox.wait(store.read("a")) == []
        assert inbox.wait(store.end("a")) is None
        assert [room.room_id for room in inbox.wait(store.rooms())] == ["b"]
        assert inbox.wait(store.scan("pin")) == [("b", b"2")]
        assert inbox.wait(store.read("b")) == records("3")

    def test_removed_room_can_be_made_again(self, store: Store, inbox: Inbox) -> None:
        """From its first record."""
        inbox.wait(store.append("a", 0, records("1", "2")))
        inbox.wait(store.remove("a"))

        inbox.wait(store.append("a", 0, records("3")))

        assert inbox.wait(store.read("a")) == records("3")

    def test_openings_are_never_printed(self) -> None:
        """A record in a log line or a traceback tells no secret."""
        assert "secret" not in repr(Stored(b"public", b"secret"))

    def test_closed_store_refuses_every_call(self, store: Store, inbox: Inbox) -> None:
        """A call after `close` gets an answer and never hangs; closing again is harmless."""
        inbox.wait(store.close())
        inbox.wait(store.close())

        calls: list[Deferred[object]] = [
            call.addCallback(lambda value: value)
            for call in (
                store.append("a", 0, records("1")),
                store.put("pin", "a", b"1"),
                store.delete("pin", "a"),
                store.read("a"),
                store.end("a"),
                store.rooms(),
                store.get("pin", "a"),
                store.scan("pin"),
            )
        ]
        for call in calls:
            with pytest.raises(StoreClosed):
                inbox.wait(call)
