"""From log to room: at every batch boundary, inside a batch, and under changed rules."""

import attrs
import pytest

from protocol import codec
from protocol.commitments import head_of
from protocol.common import events
from protocol.common.table import Settings, Stage
from protocol.errors import BadCommitment, ProtocolError
from protocol.event import CLOCK, EVERYBODY, Stored, hidden
from server.kernel.errors import Diverged, Refused, RuleFailed, TruncatedLog
from server.kernel.room import Room
from tests.kit.tables.playing import (
    ROOM_ID,
    Policy,
    Recording,
    SeededEntropy,
    Shelf,
    a_game,
    begin,
    facts,
    opened,
    play,
    ready,
    refused,
    seated,
    started,
)
from tests.kit.tables.resuming import resume
from tests.kit.tables.toy_table import Content, Scored, a_deck

GAMES = [(seed, 1 + seed % 4) for seed in range(6)]


def resumed(recording: Recording, length: int, *, from_start: bool = False) -> Room:
    """Return the room rebuilt from the first records of a log."""
    entropy = SeededEntropy(99)
    room = resume(ROOM_ID, recording.log[:length], recording.shelf, entropy, from_start=from_start)
    assert entropy.position == 0, "a replay asked for entropy"
    return room


@pytest.mark.parametrize(("seed", "seats"), GAMES)
def test_a_room_comes_back_from_every_batch_boundary(seed: int, seats: int) -> None:
    lived = a_game(seed, seats)
    again = Recording(seed=seed)

    for step in lived.steps:
        again.give(step.happened, step.origin, time=step.time)
        room = resumed(lived, len(again.log))
        assert facts(room) == facts(again.room)
        assert (room.table, room.head) == (step.table, step.head)


@pytest.mark.parametrize(("seed", "seats"), GAMES)
def test_the_rest_of_the_game_is_the_same_on_a_room_that_came_back(seed: int, seats: int) -> None:
    lived = a_game(seed, seats)

    for at, step in enumerate(lived.steps):
        entropy = SeededEntropy(seed, step.position)
        log = lived.log[: lived.boundaries()[at]]
        room = resume(ROOM_ID, log, lived.shelf, entropy)
        # To the end from here and there, a few batches from everywhere.
        rest = lived.steps[at + 1 :] if at % 8 == 0 else lived.steps[at + 1 : at + 4]
        for later in rest:
            batch = room.receive(later.happened, time=later.time, origin=later.origin)
            room.commit()
            assert batch == later.batch


@pytest.mark.parametrize(("seed", "seats"), GAMES)
def test_a_whole_log_is_verified_from_its_start(seed: int, seats: int) -> None:
    lived = a_game(seed, seats)

    room = resumed(lived, len(lived.log), from_start=True)

    assert facts(room) == facts(lived.room)


@pytest.mark.parametrize(
    ("seed", "seats"), [GAMES[1], pytest.param(*GAMES[2], marks=pytest.mark.long)]
)
@pytest.mark.parametrize("from_start", [False, True])
def test_a_log_cut_inside_a_batch_is_refused(seed: int, seats: int, *, from_start: bool) -> None:
    """Each run tries every cut of one game; `make test-long` tries those of another."""
    lived = a_game(seed, seats)
    whole = set(lived.boundaries())
    cuts = [length for length in range(1, len(lived.log)) if length not in whole]
    assert cuts

    for length in cuts:
        with pytest.raises(TruncatedLog) as caught:
            resumed_freely(lived, length, from_start=from_start)
        assert caught.value.sequence == length


def resumed_freely(
    recording: Recording, length: int, *, from_start: bool = False, content: Content | None = None
) -> Room:
    """Return the room rebuilt from part of a log, under the given rules."""
    shelf = Shelf(content) if content else recording.shelf
    log = recording.log[:length]
    return resume(ROOM_ID, log, shelf, SeededEntropy(99), from_start=from_start)


def test_a_log_with_a_gap_is_refused() -> None:
    lived = a_game(0)
    log = lived.log
    del log[5]

    with pytest.raises(TruncatedLog) as caught:
        resume(ROOM_ID, log, lived.shelf, SeededEntropy())

    assert caught.value.sequence == 5


def test_a_log_of_another_room_is_refused() -> None:
    lived = a_game(0)

    with pytest.raises(ProtocolError):
        resume("another", lived.log, lived.shelf, SeededEntropy())


def test_a_log_with_a_changed_opening_is_refused() -> None:
    lived = a_game(0)
    log = lived.log
    at = next(r.sequence for r in lived.records if isinstance(r.event, events.Answered))
    last = log[at].openings
    log[at] = attrs.evolve(log[at], openings=last[:-1] + bytes([last[-1] ^ 1]))

    with pytest.raises(BadCommitment):
        resume(ROOM_ID, log, lived.shelf, SeededEntropy())


def test_a_changed_die_is_found_with_its_sequence() -> None:
    lived = play(Recording(seed=4), Policy(4), seats=3)
    at = next(r.sequence for r in lived.records if isinstance(r.event, events.Rolled))
    log = lived.log
    face = log[at].public[-2]
    changed = log[at].public[:-2] + bytes([(face + 1) % 6]) + log[at].public[-1:]
    assert changed != log[at].public
    log[at] = attrs.evolve(log[at], public=changed)

    with pytest.raises(Diverged) as caught:
        resume(ROOM_ID, log, lived.shelf, SeededEntropy(), from_start=True)

    assert caught.value.sequence == at


# Older forms ---------------------------------------------------------------------------------


def as_of_old(log: list[Stored]) -> list[Stored]:
    """Return a log whose table was opened when there were fewer settings."""
    plain = codec.unpack(log[0].public)
    assert isinstance(plain, tuple)
    *head, tag, fields, secrets = plain
    assert tag == "room_opened/9"
    assert isinstance(fields, tuple)
    *others, settings, _version, _source = fields
    assert isinstance(settings, tuple)
    old = codec.pack((*head, "room_opened", (*others, settings[:4]), secrets))
    return [attrs.evolve(log[0], public=old), *log[1:]]


@pytest.mark.parametrize("from_start", [False, True])
def test_a_table_opened_with_fewer_settings_comes_back(*, from_start: bool) -> None:
    lived = opened(Recording(), Settings(spectators=True, publish=False))
    log = as_of_old(lived.log)

    room = resume(ROOM_ID, log, lived.shelf, SeededEntropy(), from_start=from_start)

    assert room.halted is None
    assert list(room.log) == log
    assert room.head == head_of(ROOM_ID, (stored.public for stored in log))
    assert room.table.room.settings == Settings(
        spectators=True,
        publish=False,
        takebacks=True,
        spectators_delay_seconds=0,
        bots_wait=False,
    )


def test_a_game_that_began_on_a_log_of_an_older_form_is_verified_from_its_start() -> None:
    """Chance follows from the hash chain over the original bytes."""
    lived = opened(Recording(seed=5))
    lived.room = resume(ROOM_ID, as_of_old(lived.log), lived.shelf, SeededEntropy(5))
    started(ready(seated(lived, 2)))
    lived.answer(0, "toy/go")
    lived.answer(0, "gamble")
    log = list(lived.room.log)

    again = resume(ROOM_ID, log, lived.shelf, SeededEntropy(), from_start=True)

    assert facts(again) == facts(lived.room)
    assert again.head == head_of(ROOM_ID, (stored.public for stored in log))


# Changed rules -----------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["early", "renamed"])
def test_a_log_of_older_rules_comes_back_halted(edition: str) -> None:
    lived = begin(2)
    lived.answer(0, "peek")

    room = resumed_freely(lived, len(lived.log), content=Content(edition=edition))

    assert isinstance(room.halted, Diverged)
    assert (room.table, room.head, list(room.log)) == (lived.table, lived.room.head, lived.log)


@pytest.mark.parametrize("edition", ["tail", "turned", "wordy"])
def test_a_question_that_is_put_otherwise_today_stays_as_the_log_has_it(edition: str) -> None:
    lived = begin(2)
    again = Recording(Shelf(Content(edition=edition)))
    again.room = resumed_freely(lived, len(lived.log), content=Content(edition=edition))

    again.answer(0, "gamble")
    room = resumed_freely(again, len(again.log), content=Content(edition=edition))

    assert [roll.purpose for roll in again.happened(events.Rolled)] == ["gamble"]
    assert list(room.log)[: len(lived.log)] == lived.log
    assert facts(room) == facts(again.room)
    assert room.halted is None


def test_a_choice_that_nobody_has_today_halts_the_room() -> None:
    lived = begin(2, content=Content(edition="tail"))

    room = resumed_freely(lived, len(lived.log), content=Content())

    assert isinstance(room.halted, Diverged)
    assert room.table == lived.table


def test_a_verifier_wants_each_question_as_it_is_put_today() -> None:
    lived = begin(2)

    with pytest.raises(Diverged):
        resumed_freely(lived, len(lived.log), from_start=True, content=Content(edition="turned"))


def test_rules_that_write_on_where_a_log_ends_do_not_make_it_a_cut_one() -> None:
    """A log that ends with a question is complete; only other rules would go on before it."""
    lived = begin(2)
    last = max(lived.table.checkpoints)
    assert isinstance(lived.records[-1].event, events.Asked)
    assert lived.records[last + 1].event == lived.records[-1].event

    room = resumed_freely(lived, len(lived.log), content=Content(edition="early"))

    assert isinstance(room.halted, Diverged)


def test_a_cut_log_is_refused_under_changed_rules_too() -> None:
    quiet = Content(deck=a_deck("quiet"))
    lived = begin(2, quiet)
    lived.answer(0, "peek")
    lived.answer(0, lived.game.hand("bear")[0])
    whole = set(lived.boundaries())
    first = max(lived.table.checkpoints)

    for length in range(first, len(lived.log)):
        if length not in whole:
            with pytest.raises(TruncatedLog):
                resumed_freely(lived, length, content=attrs.evolve(quiet, edition="renamed"))


@pytest.mark.parametrize("cause", ["renamed", "early"])
def test_a_halted_room_talks_but_does_not_play(cause: str) -> None:
    lived = begin(2)
    lived.answer(0, "peek")
    halted = Recording(Shelf(Content(edition=cause)))
    halted.room = resumed_freely(lived, len(lived.log), content=Content(edition=cause))
    pick = halted.question(0).choices[0].choice_id
    ask_id = halted.ask.ask_id

    halted.give(events.Chatted(0, hidden(b"what now?")), 0)
    halted.give(events.PresenceChanged(1, is_present=True), 1)

    assert refused(halted, events.Answered(0, ask_id, hidden((pick,)))) == "table/halted"
    assert refused(halted, events.TimedOut(ask_id), CLOCK) == "table/halted"
    assert refused(halted, events.PausedSet(is_paused=True), CLOCK) == "table/halted"


def test_a_halted_room_goes_on_once_all_agree_to_go_back() -> None:
    lived = begin(2)
    lived.answer(0, "pass")
    lived.answer(1, "peek")
    halted = Recording(Shelf(Content(edition="renamed")), seed=5)
    halted.room = resumed_freely(lived, len(lived.log), content=Content(edition="renamed"))

    halted.propose_back(0, max(halted.table.checkpoints))
    assert isinstance(halted.room.halted, Diverged)
    halted.consent(1)

    assert facts(halted.room)["halted"] == "None"
    assert halted.ask.rule == "TOY-2-NEW"
    play(halted, Policy(1, noise=0))
    again = resume(ROOM_ID, halted.log, halted.shelf, SeededEntropy())
    assert facts(again) == facts(halted.room)
    assert again.table.room.stage is Stage.OVER


def test_a_halted_room_without_takebacks_may_go_back_all_the_same() -> None:
    """Going back is the only way in which a halted room can go on."""
    lived = begin(2, settings=Settings(takebacks=False))
    lived.answer(0, "peek")
    halted = Recording(Shelf(Content(edition="renamed")))
    halted.room = resumed_freely(lived, len(lived.log), content=Content(edition="renamed"))

    halted.propose_back(0, max(halted.table.checkpoints))
    halted.consent(1)

    assert halted.room.halted is None


def test_a_halted_room_comes_back_halted_with_what_was_said() -> None:
    lived = begin(2)
    lived.answer(0, "peek")
    halted = Recording(Shelf(Content(edition="renamed")))
    halted.room = resumed_freely(lived, len(lived.log), content=Content(edition="renamed"))
    halted.give(events.Chatted(0, hidden(b"what now?")), 0)
    halted.propose_back(0, max(halted.table.checkpoints))

    again = resume(ROOM_ID, halted.log, halted.shelf, SeededEntropy())

    assert facts(again) == facts(halted.room)


def test_a_seat_can_be_given_in_a_halted_room() -> None:
    lived = begin(3)
    halted = Recording(Shelf(Content(edition="renamed")))
    halted.room = resumed_freely(lived, len(lived.log), content=Content(edition="renamed"))
    halted.propose_gift(0, 2, b"z" * 32)
    halted.consent(1)

    again = resume(ROOM_ID, halted.log, halted.shelf, SeededEntropy())

    assert halted.table.room.seats[2].key == b"z" * 32
    assert facts(again) == facts(halted.room)


def test_rules_that_raise_on_the_way_halt_the_room() -> None:
    """No upgrade may lose a room, not even a broken one."""
    lived = begin(2)
    lived.answer(0, "peek")

    room = resumed_freely(lived, len(lived.log), content=Content(edition="broken"))

    assert isinstance(room.halted, Diverged)
    with pytest.raises(Refused):
        room.receive(events.TimedOut(0), time=0, origin=CLOCK)


def test_a_verifier_names_where_rules_differ() -> None:
    lived = begin(2)
    at = lived.records[-1].sequence

    with pytest.raises(Diverged) as caught:
        resumed_freely(lived, len(lived.log), from_start=True, content=Content(edition="renamed"))

    assert caught.value.sequence == at


def test_an_empty_log_is_an_empty_room() -> None:
    room = resume(ROOM_ID, [], Shelf(), SeededEntropy())

    assert facts(room) == facts(Recording().room)


def test_a_game_that_is_over_comes_back_over() -> None:
    lived = a_game(2)

    room = resumed(lived, len(lived.log))

    assert room.table.room.stage is Stage.OVER
    assert room._runner.running is None
    assert EVERYBODY == -1
    assert not isinstance(room.halted, RuleFailed)
    assert lived.happened(Scored) is not None
