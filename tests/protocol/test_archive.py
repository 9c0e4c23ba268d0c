"""Archives: an untouched file loads, and any change is found at the event that has it."""

from collections.abc import Callable

import attrs
import pytest

from protocol import codec
from protocol.archive import BadArchive, WordsOf, load, write
from protocol.audit import audit
from protocol.common import events
from protocol.common.chance import Stream
from protocol.event import Cut, Event, everything
from protocol.frames import LENGTH_BYTES, encode_frame
from tests.protocol.archives import (
    ASKED,
    CLOSED,
    PICKED,
    ROLLED,
    SEEDS_AT,
    SERVER,
    SHUFFLED,
    STRANGER,
    WORDS,
    Log,
    archive,
    finished_log,
    frames_of,
)

WHOLE = archive(finished_log())
"""A file without a mistake."""


def wrong_at(data: bytes) -> int | None:
    """Return the first wrong sequence of a file that an audit must refuse with BadArchive."""
    with pytest.raises(BadArchive) as caught:
        audit(load(data))
    return caught.value.sequence


def changing(kind: type[Event], **changes: object) -> Callable[[Event], Event]:
    """Return a forger that changes fields of every event of a kind."""
    return lambda e: attrs.evolve(e, **changes) if isinstance(e, kind) else e  # type: ignore[misc]  # events are attrs


def test_a_whole_game_is_checked_with_all_of_its_chance() -> None:
    report = audit(load(WHOLE))

    assert report.is_whole
    assert report.is_finished
    assert report.counts.computed.total() == 3


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_cut_is_checked_as_far_as_its_viewer_can(seat: int | None) -> None:
    found = load(archive(finished_log(), seat=seat, is_whole=False))

    report = audit(found)

    assert not report.is_whole
    assert found.header.seat == (-1 if seat is None else seat)
    assert report.counts.computed.total() == 2
    assert report.counts.sealed == {Stream.SETUP: 1}


def test_a_game_that_goes_on_has_no_seed_to_compute_with() -> None:
    log = finished_log()
    log.stored = log.stored[: ASKED + 1]

    report = audit(load(archive(log, seat=0, is_whole=False)))

    assert report.counts.computed.total() == 0
    assert not report.is_finished


@pytest.mark.long
def test_a_flipped_bit_is_found_in_every_byte() -> None:
    frames = frames_of(WHOLE)
    record_count = load(WHOLE).header.record_count

    for number, (start, end) in enumerate(frames):
        for at in range(start, end):
            data = bytearray(WHOLE)
            data[at] ^= 1 << at % 8

            sequence = wrong_at(bytes(data))

            if 1 <= number <= record_count:
                assert sequence == number - 1, (at, sequence)


def test_every_truncation_is_found() -> None:
    for length in range(0, len(WHOLE), 5):
        wrong_at(WHOLE[:length])


@pytest.mark.parametrize("more", [b"\0", b"\0\0\0\1\xc0", WHOLE])
def test_nothing_may_follow_the_seal(more: bytes) -> None:
    assert wrong_at(WHOLE + more) == load(WHOLE).header.record_count


@pytest.mark.parametrize("dropped", [0, ROLLED, 18])
def test_a_dropped_event_is_missed(dropped: int) -> None:
    frames = frames_of(WHOLE)
    start, end = frames[dropped + 1]

    assert wrong_at(WHOLE[:start] + WHOLE[end:]) == dropped


def test_a_dropped_event_is_missed_where_all_heads_were_computed_again() -> None:
    log = finished_log()
    cuts = [everything(stored) for stored in log.stored]
    del cuts[ROLLED]

    assert wrong_at(archive(log, cuts=cuts, key=STRANGER)) == ROLLED


def test_a_file_cut_short_and_chained_again_lacks_the_signature() -> None:
    """The forger drops the last event and recomputes heads and header, but lacks the key."""
    log = finished_log()
    log.stored = log.stored[:-1]
    forged = archive(log, key=STRANGER).replace(STRANGER.public, SERVER.public)

    with pytest.raises(BadArchive, match="signature"):
        load(forged)


def test_a_changed_die_is_found_even_if_all_was_signed_again() -> None:
    log = finished_log(changing(events.Rolled, faces=(0, 0, 0, 0)))

    assert wrong_at(archive(log, key=STRANGER)) == ROLLED


def picking_the_next(happened: Event) -> Event:
    """Return a pick with the next result; other events unchanged."""
    if not isinstance(happened, events.Picked):
        return happened
    result = (happened.result + 1) % happened.bound
    return attrs.evolve(happened, result=result)  # type: ignore[misc]  # events are attrs


@pytest.mark.parametrize(
    ("lie", "sequence"),
    [
        (changing(events.Rolled, sides=1 << 40), ROLLED),
        (changing(events.Rolled, sides=0), ROLLED),
        (changing(events.Rolled, number=5), ROLLED),
        (picking_the_next, PICKED),
        (changing(events.Picked, bound=0), PICKED),
        (changing(events.Picked, purpose="another"), PICKED),
        (changing(events.ShareOpened, share=b"?" * 32), 12),
    ],
)
def test_a_lie_about_chance_is_found(lie: Callable[[Event], Event], sequence: int) -> None:
    log = finished_log(lie)

    assert wrong_at(archive(log, key=STRANGER)) == sequence


@pytest.mark.issue(14)
def test_a_game_that_nobody_agreed_to_give_up_was_not_given_up() -> None:
    log = finished_log(changing(events.RoomClosed, how=events.HowClosed.GIVEN_UP))

    assert wrong_at(archive(log, key=STRANGER)) is not None


def test_a_stacked_deck_is_found() -> None:

    def stack(happened: Event) -> Event:
        if not isinstance(happened, events.Shuffled):
            return happened
        order = attrs.evolve(happened.order, value=tuple(reversed(happened.order.value)))
        return attrs.evolve(happened, order=order)  # type: ignore[misc]  # events are attrs

    assert wrong_at(archive(finished_log(stack), key=STRANGER)) == SHUFFLED


def test_a_draw_from_no_seed_is_no_part_of_a_whole_game() -> None:
    """A roll before the seeds are joined could be anything."""
    log = Log()
    log.add(events.Rolled(Stream.PLAY, 0, "test", sides=8, faces=(0,)))

    assert wrong_at(archive(log)) == 0


@pytest.mark.parametrize(
    "opened",
    [
        events.Disclosure(SEEDS_AT, 0, b"0" * 32, b"nothing"),
        events.Disclosure(SEEDS_AT, -1, b"0" * 32, b"nothing"),
        events.Disclosure(SEEDS_AT, 9, b"0" * 32, b"nothing"),
        events.Disclosure(400, 0, b"0" * 32, b"nothing"),
        events.Disclosure(-3, 0, b"0" * 32, b"nothing"),
    ],
)
def test_an_opening_of_another_secret_is_found(opened: events.Disclosure) -> None:
    log = finished_log(changing(events.RoomClosed, seeds=(opened,)))

    assert wrong_at(archive(log)) == CLOSED


def test_a_whole_game_hides_nothing_but_talk() -> None:
    log = finished_log()
    cuts = [everything(stored) for stored in log.stored]
    without_talk = [Cut(c.public, ()) if at == 3 else c for at, c in enumerate(cuts)]
    without_deck = [Cut(c.public, ()) if at == SHUFFLED else c for at, c in enumerate(cuts)]

    assert audit(load(archive(log, cuts=without_talk))).counts.computed.total() == 3
    assert wrong_at(archive(log, cuts=without_deck)) == SHUFFLED


def test_changed_words_lack_the_signature() -> None:
    data = WHOLE.replace(b"Which?", b"Where?")

    assert data != WHOLE
    with pytest.raises(BadArchive, match="signature"):
        load(data)


def test_words_of_another_server_do_not_fit() -> None:
    seal = frames_of(WHOLE)[-1][0]
    slipped = encode_frame(codec.encode(WordsOf("fr", WORDS[0].subjects), WordsOf))

    with pytest.raises(BadArchive, match="signature"):
        load(WHOLE[:seal] + slipped + WHOLE[seal:])


@pytest.mark.issue(17)
def test_a_header_of_a_newer_version_is_said_to_be_one() -> None:
    """A newer header may have more fields."""
    start, end = frames_of(WHOLE)[0]
    header = codec.unpack(WHOLE[start + LENGTH_BYTES : end])
    assert isinstance(header, tuple)
    _, *fields = header
    newer = encode_frame(codec.pack(("manse archive 2", *fields, "more")))

    with pytest.raises(BadArchive, match="version: 'manse archive 2'") as caught:
        load(newer + WHOLE[end:])

    assert caught.value.kind == "version"


@pytest.mark.issue(17)
def test_a_kind_of_event_of_a_newer_version_is_not_called_damage() -> None:
    whole = load(WHOLE)
    at = next(r.sequence for r in whole.records if isinstance(r.event, events.Chatted))
    cuts = list(whole.cuts)
    cuts[at] = attrs.evolve(cuts[at], public=cuts[at].public.replace(b"chatted", b"chatter"))
    newer = b"".join(write(whole.header, cuts, WORDS, sign=SERVER.sign))

    with pytest.raises(BadArchive) as caught:
        load(newer)

    assert (caught.value.sequence, caught.value.kind) == (at, "unknown_kind")
