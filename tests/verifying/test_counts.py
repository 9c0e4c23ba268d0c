"""Audits count draws by stream, and events that a server can cause."""

import pytest

import protocol.games.second_edition.laws  # noqa: F401 (registers them)
from client.commands.verify import Verdict
from client.locale import load as load_words
from protocol.archive import load
from protocol.audit import AuditReport, SetupSource, audit
from protocol.common import events
from protocol.common.chance import Stream
from protocol.event import CLOCK
from tests.kit.tables.playing import Recording, committed, opened, ready, seated, share_of, started
from tests.protocol.archives import Log, archive, finished_log
from tests.protocol.test_archive import changing
from tests.verifying.dealt import dealt_log
from tests.verifying.logs import GOLDEN, file_of

pytestmark = pytest.mark.issue(10)


def report_of(log: Log, *, seat: int | None = None, is_whole: bool = False) -> AuditReport:
    """Return the audit's report on a handmade log."""
    return audit(load(archive(log, seat=seat, is_whole=is_whole)))


def test_a_whole_log_has_every_draw_computed() -> None:
    counts = report_of(dealt_log(is_fixed=False), is_whole=True).counts

    assert counts.computed == {Stream.SETUP: 2, Stream.DEAL: 6, Stream.PLAY: 6}
    assert not counts.sealed
    assert not counts.pending


def test_what_is_sealed_for_a_viewer_is_counted_apart() -> None:
    mine = report_of(dealt_log(is_fixed=False), seat=1).counts
    watched = report_of(dealt_log(is_fixed=False)).counts

    assert mine.computed == {Stream.DEAL: 4, Stream.PLAY: 2}
    assert mine.sealed == {Stream.SETUP: 2, Stream.DEAL: 2, Stream.PLAY: 4}
    assert watched.computed == {Stream.PLAY: 2}
    assert watched.sealed == {Stream.SETUP: 2, Stream.DEAL: 6, Stream.PLAY: 4}


def test_a_fixed_setup_is_pending_until_it_is_opened() -> None:
    log = dealt_log(is_fixed=True)
    opened_at_last = report_of(log, is_whole=True)
    del log.stored[-1]
    pending = report_of(log)

    assert opened_at_last.setup is SetupSource.OPENED
    assert opened_at_last.counts.computed[Stream.SETUP] == 2
    assert pending.setup is SetupSource.PENDING
    assert pending.counts.computed == {Stream.PLAY: 2}
    assert pending.counts.pending == {Stream.SETUP: 2, Stream.DEAL: 6}


@pytest.mark.issue(36)
@pytest.mark.parametrize("is_fixed", [False, True])
def test_a_fixed_setup_is_said_to_have_no_share_in_it(*, is_fixed: bool) -> None:
    """A server could write a fixed setup alone, even if its draws can be computed."""
    file = load(archive(dealt_log(is_fixed=is_fixed), is_whole=True))
    lines = Verdict(file, audit(file)).lines("it", load_words("en"))

    assert any("no share of chance is in it" in line for line in lines) is is_fixed


def test_starts_that_failed_after_a_share_was_opened_are_counted() -> None:
    """A start that failed earlier told the server nothing."""
    recording = ready(seated(opened(Recording()), 2))
    committed(recording, attempt=1)
    recording.give(events.StartFailed((0, 1)), CLOCK)
    committed(ready(recording), attempt=2)
    recording.give(events.ShareOpened(0, share_of(0, 2)), 0)
    recording.give(events.StartFailed((1,)), CLOCK)
    started(ready(recording), attempt=3)

    assert audit(load(file_of(recording.room, seat=0))).counts.starts_failed == 1


def test_returns_and_time_outs_are_counted() -> None:
    times = audit(load((GOLDEN / "time-outs.manse").read_bytes()))
    back = audit(load((GOLDEN / "went-back.manse").read_bytes()))

    assert times.counts.time_outs == 10
    assert back.counts.take_backs == 2
    assert times.version == 1


def test_shares_of_the_servers_own_seats_are_counted() -> None:
    people = report_of(finished_log(), is_whole=True)
    alone = report_of(finished_log(changing(events.SeatTaken, is_bot=True)), is_whole=True)

    assert (people.counts.shares, people.counts.shares_of_bots) == (2, 0)
    assert people.has_foreign_share
    assert (alone.counts.shares, alone.counts.shares_of_bots) == (2, 2)
    assert not alone.has_foreign_share
