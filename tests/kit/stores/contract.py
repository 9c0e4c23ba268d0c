"""Tests of the contract of `Store`, for each store to inherit.

A store's own test module subclasses `StoreContract` under a name that pytest collects, and defines
how to create the store.
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
    """Tests of what every store promises."""

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
        assert inbox.wait(store.read("a")) == []

    def test_batches_are_read_back_in_order(self, store: Store, inbox: Inbox) -> None:
        inbox.wait(store.append("a", 0, records("1", "2")))
        inbox.wait(store.append("a", 2, records("3")))

        assert inbox.wait(store.read("a")) == records("1", "2", "3")

    def test_bytes_come_back_as_they_are(self, store: Store, inbox: Inbox) -> None:
        odd = [Stored(b"", b""), Stored(bytes(range(256)) * 90, b"\0\xff" * 9000)]

        inbox.wait(store.append("a", 0, odd))

        assert inbox.wait(store.read("a")) == odd

    def test_reading_begins_where_asked(self, store: Store, inbox: Inbox) -> None:
        inbox.wait(store.append("a", 0, records("1", "2", "3")))

        assert inbox.wait(store.read("a", 2)) == records("3")

    @pytest.mark.parametrize("batches", [(10,), (3, 4, 3), (1,) * 10], ids=str)
    def test_every_part_of_a_log_is_read(
        self, store: Store, inbox: Inbox, batches: tuple[int, ...]
    ) -> None:
        log = records(*map(str, range(10)))
        for first, count in zip(accumulate(batches, initial=0), batches, strict=False):
            inbox.wait(store.append("a", first, log[first : first + count]))

        for first in range(11):
            for last in (*range(12), None):
                assert inbox.wait(store.read("a", first, last)) == log[first:last]

    def test_end_of_a_log_is_told(self, store: Store, inbox: Inbox) -> None:
        log = records("1", "2", "3")
        inbox.wait(store.append("a", 0, log[:2]))
        inbox.wait(store.append("a", 2, log[2:]))

        head = head_of("a", (record.public for record in log))
        assert inbox.wait(store.end("a")) == LogEnd(3, head)
        assert inbox.wait(store.end("b")) is None

    def test_head_of_every_beginning_of_a_log_is_told(self, store: Store, inbox: Inbox) -> None:
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
        inbox.wait(store.append("a", 0, records("1")))

        assert inbox.wait(store.read("a", first)) == records(*words)

    @pytest.mark.parametrize("first", [-1, 0, 1, 3])
    def test_batch_elsewhere_than_at_the_end_is_refused(
        self, store: Store, inbox: Inbox, first: int
    ) -> None:
        inbox.wait(store.append("a", 0, records("1", "2")))

        with pytest.raises(RevisionConflict) as caught:
            inbox.wait(store.append("a", first, records("other")))

        assert (caught.value.room_id, caught.value.expected) == ("a", 2)
        assert caught.value.offered == first
        assert inbox.wait(store.read("a")) == records("1", "2")

    def test_second_of_two_writers_gets_a_conflict(self, store: Store, inbox: Inbox) -> None:
        first = store.append("a", 0, records("1", "2"))
        second = store.append("a", 0, records("x"))

        inbox.wait(first)
        with pytest.raises(RevisionConflict):
            inbox.wait(second)
        assert inbox.wait(store.read("a")) == records("1", "2")

    def test_batches_on_their_way_may_follow_each_other(self, store: Store, inbox: Inbox) -> None:
        answers = [store.append("a", index, records(str(index))) for index in range(5)]

        for answer in answers:
            inbox.wait(answer)
        assert inbox.wait(store.read("a")) == records("0", "1", "2", "3", "4")

    def test_conflict_in_one_room_harms_no_other(self, store: Store, inbox: Inbox) -> None:
        before = store.append("a", 0, records("1"))
        wrong = store.append("b", 5, records("x"))
        after = store.append("c", 0, records("2"))

        inbox.wait(before)
        with pytest.raises(RevisionConflict):
            inbox.wait(wrong)
        inbox.wait(after)
        assert [room.room_id for room in inbox.wait(store.rooms())] == ["a", "c"]

    def test_read_sees_what_was_sent_before_it(self, store: Store, inbox: Inbox) -> None:
        appended = store.append("a", 0, records("1"))
        read = store.read("a")

        inbox.wait(appended)
        assert inbox.wait(read) == records("1")

    def test_empty_batch_stores_nothing(self, store: Store, inbox: Inbox) -> None:
        inbox.wait(store.append("a", 0, []))
        with pytest.raises(RevisionConflict):
            inbox.wait(store.append("a", 1, []))

        assert inbox.wait(store.rooms()) == []

    def test_caller_may_change_its_list_afterwards(self, store: Store, inbox: Inbox) -> None:
        batch = records("1")

        answer = store.append("a", 0, batch)
        batch.extend(records("2"))

        inbox.wait(answer)
        assert inbox.wait(store.read("a")) == records("1")

    def test_value_beside_a_batch_is_there_with_it(self, store: Store, inbox: Inbox) -> None:
        inbox.wait(store.put("kind", "a", b"old"))

        inbox.wait(store.append("a", 0, records("1"), StoreItem("kind", "a", b"new")))

        assert inbox.wait(store.get("kind", "a")) == b"new"
        assert inbox.wait(store.read("a")) == records("1")

    @pytest.mark.parametrize(("first", "words"), [(3, ("1",)), (0, ())])
    def test_value_beside_what_is_not_stored_is_not_either(
        self, store: Store, inbox: Inbox, first: int, words: tuple[str, ...]
    ) -> None:
        inbox.wait(store.put("kind", "a", b"old"))
        answer = store.append("a", first, records(*words), StoreItem("kind", "a", b"new"))

        if words:
            with pytest.raises(RevisionConflict):
                inbox.wait(answer)

        assert inbox.wait(store.get("kind", "a")) == b"old"

    def test_rooms_are_listed_by_id(self, store: Store, inbox: Inbox) -> None:
        for room_id, words in [("é", "1"), ("a", "12"), ("\U0001f56f", "1"), ("B", "123")]:
            inbox.wait(store.append(room_id, 0, records(*words)))

        listed = [RoomInfo("B", 3), RoomInfo("a", 2), RoomInfo("é", 1), RoomInfo("\U0001f56f", 1)]
        assert inbox.wait(store.rooms()) == listed

    def test_value_is_read_back(self, store: Store, inbox: Inbox) -> None:
        inbox.wait(store.put("account", "x", b"1"))
        inbox.wait(store.put("account", "x", b"\0 2"))
        inbox.wait(store.put("pin", "x", b"3"))

        assert inbox.wait(store.get("account", "x")) == b"\0 2"

    def test_missing_value_is_none(self, store: Store, inbox: Inbox) -> None:
        inbox.wait(store.put("account", "x", b""))

        assert inbox.wait(store.get("account", "x")) == b""
        assert inbox.wait(store.get("account", "y")) is None

    def test_scan_lists_one_kind_by_key(self, store: Store, inbox: Inbox) -> None:
        for kind, key in [("pin", "b"), ("pin", "a"), ("pint", "c")]:
            inbox.wait(store.put(kind, key, key.encode()))

        assert inbox.wait(store.scan("pin")) == [("a", b"a"), ("b", b"b")]

    def test_deleted_value_is_gone(self, store: Store, inbox: Inbox) -> None:
        inbox.wait(store.put("pin", "a", b"1"))

        inbox.wait(store.delete("pin", "a"))
        inbox.wait(store.delete("pin", "a"))

        assert inbox.wait(store.get("pin", "a")) is None

    def test_removed_room_is_gone_with_its_values(self, store: Store, inbox: Inbox) -> None:
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
        inbox.wait(store.append("a", 0, records("1", "2")))
        inbox.wait(store.remove("a"))

        inbox.wait(store.append("a", 0, records("3")))

        assert inbox.wait(store.read("a")) == records("3")

    def test_openings_are_never_printed(self) -> None:
        """Records end up in log lines and tracebacks."""
        assert "secret" not in repr(Stored(b"public", b"secret"))

    def test_closed_store_refuses_every_call(self, store: Store, inbox: Inbox) -> None:
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
