"""
Counted costs of an answer: bytes, packed and unpacked values, commits.

Four sensible bots play one scenario after another on the server of `bench.within`. The numbers
depend on the code alone, so a test can limit them (`tests/project/test_costs.py`).
"""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import attrs
import msgpack
from twisted.internet.defer import Deferred

from bench.lines import Line
from bench.players import SEATS, Numbers, PlayedTable, Table, with_one_role
from bench.within import Within, within
from protocol import messages, sealing
from protocol.common.table import Settings
from protocol.encoding import packing
from protocol.event import Event
from protocol.keys import SigningKey

ANSWERS: Final = 60
"""The number of counted answers at the table of each scenario."""


@attrs.define
class Counter:
    """Counts packed and unpacked values and sealed events while it is active."""

    packs: int = 0
    unpacks: int = 0
    is_looking: bool = False
    longest_part: int = 0
    """The largest number of events that were sealed in one part of the work."""
    _in_part: int = 0

    def parted(self) -> None:
        """End a part of the work, in which nothing else could run, and begin the next."""
        self.longest_part = max(self.longest_part, self._in_part)
        self._in_part = 0

    def _sealed(self, *_: object) -> None:
        self._in_part += 1

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count during the block; blocks may be nested."""
        before, self.is_looking = self.is_looking, True
        try:
            yield
        finally:
            self.is_looking = before
            if not before:
                self.parted()

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Wrap msgpack's functions wherever our code calls them."""
        own_pack, own_unpack, strict = packing._pack, packing._unpack, msgpack.unpackb  # noqa: SLF001 (what packs is counted where it packs)
        read_back = sealing.after_seal
        # The tests install a hook there that reads records back, which no server does.
        sealing.after_seal = self._sealed
        packing._pack = self._counted(own_pack, "packs")  # noqa: SLF001 (as above)
        packing._unpack = self._counted(own_unpack, "unpacks")  # type: ignore[assignment]  # noqa: SLF001 (as above)
        msgpack.unpackb = self._counted(strict, "unpacks")
        try:
            yield
        finally:
            packing._pack, packing._unpack, msgpack.unpackb = own_pack, own_unpack, strict  # noqa: SLF001 (as above)
            sealing.after_seal = read_back

    def _counted(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        def counted(*args: Any, **options: Any) -> Any:
            if self.is_looking:
                setattr(self, name, getattr(self, name) + 1)
            return function(*args, **options)

        return counted


@attrs.frozen
class Counts:
    """Totals of one run, counted from its first question on."""

    answers: int
    events: int
    sent_bytes: int
    """Bytes sent to all seats, without TLS."""
    log_bytes: int
    """Bytes in the store, including the openings of secrets."""
    packs: int
    unpacks: int
    commits: int
    longest_part: int = 0
    """The largest number of events sealed in one part of the work, over all games."""

    def minus(self, other: "Counts") -> "Counts":
        """Return the difference from an earlier total."""
        mine, theirs = attrs.astuple(self), attrs.astuple(other)
        return Counts(*(a - b for a, b in zip(mine, theirs, strict=True)))

    def by_name(self) -> dict[str, float]:
        """Return the rounded figures that `test_costs` limits."""
        events = self.events
        return {
            "log_bytes_event": round(self.log_bytes / events, 1),
            "sent_bytes_seat_event": round(self.sent_bytes / events / SEATS, 1),
            "packs_event": round(self.packs / events, 2),
            "unpacks_event": round(self.unpacks / events, 2),
            "commits_answer": round(self.commits / self.answers, 2),
            "events_part": self.longest_part,
        }


def count(answers: int = ANSWERS, scenarios: int | None = None) -> Counts:
    """
    Play, and count.

    Args:
        answers: the number of answers at each table.
        scenarios: the number of scenarios, from the first on; None for all.
    """
    counter = Counter()
    with (
        TemporaryDirectory(prefix="manse-bench-") as name,
        counter.installed(),
        within(Path(name), counter.counting, counter.parted) as server,
    ):
        numbers = Numbers()
        lines = scenarios_of(server)[:scenarios]
        counted = [played(server, numbers, line, counter, answers) for line in lines]
    summed = Counts(*(sum(column) for column in zip(*map(attrs.astuple, counted), strict=True)))
    return attrs.evolve(summed, longest_part=max(one.longest_part for one in counted))


def scenarios_of(server: Within) -> tuple[messages.ScenarioLine, ...]:
    """Return the scenarios that a server offers, each with a roster of one role."""
    line = Line(server.outside, "Ann", SigningKey.from_seed(bytes(32)))
    server.wait(line.connect(server, 0))
    told = server.wait(line.ask(messages.ListScenarios))
    line.close()
    assert isinstance(told, messages.Scenarios)
    return with_one_role(told.lines)


def played(
    server: Within,
    numbers: Numbers,
    scenario: messages.ScenarioLine,
    counter: Counter,
    count_of: int,
    on_event: Callable[[Event], None] = lambda _: None,
) -> Counts:
    """Give a number of answers at a table of a scenario; return what they cost."""
    # The time that others have to interrupt changes no record.
    settings = Settings(least_seconds=0)
    table = PlayedTable(
        server.outside, server, numbers, scenario=scenario, settings=settings, on_event=on_event
    )
    server.wait(Deferred.fromCoroutine(table.open()))
    before = _so_far(server, table, counter, 0)
    counter.longest_part = 0
    answers = itertools.count(1)
    done: Deferred[int] = Deferred()

    def shown(_: Table, __: float) -> None:
        given = next(answers)
        if given == count_of:
            done.callback(given)
        else:
            server.outside.callLater(0, table.answer)

    table.when_shown = shown
    table.answer()
    given = server.wait(done)
    after = _so_far(server, table, counter, given)
    table.close()
    server.turn()
    return attrs.evolve(after.minus(before), longest_part=counter.longest_part)


def _so_far(server: Within, table: PlayedTable, counter: Counter, answers: int) -> Counts:
    return Counts(
        answers=answers,
        events=table.events,
        sent_bytes=table.bytes_received(),
        log_bytes=server.store.log_bytes,
        packs=counter.packs,
        unpacks=counter.unpacks,
        commits=server.store.commit_count,
    )
