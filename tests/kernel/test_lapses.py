"""Standing passes on groups of kinds, and passes that lapse with what the rules say."""

from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from protocol.bounds import MAX_KINDS
from protocol.common import events
from protocol.common.laws import GameLaws, LawBroken
from protocol.common.standing import LAPSES_VERSION, are_passes, covers, groups_of, in_force
from protocol.event import Event, Sealed, cut, hidden
from server.kernel.game import Game
from tests.kit.tables.playing import Recording, begin, refused
from tests.kit.tables.toy_table import Content, RoundEnded, ToyTable, WeatherSet, a_deck

pytestmark = pytest.mark.issue(39)

ECHO, KNELL = "toy/after/echo", "toy/after/knell"
LAPSING = Content(deck=a_deck("echo", "knell", "motion"), rounds=9)


def turn_up(recording: Recording, kind: str) -> None:
    """Have the piece whose turn it is turn up a card of a kind, or pass until a piece can."""
    while True:
        while recording.ask.rule == "TOY-8":
            recording.answer(recording.ask.waiting_for[0], "toy/keep")
        (seat,) = recording.ask.questions
        piece = next(p.piece for p in recording.game.people.values() if p.seat == seat)
        hand = recording.game.hand(piece)
        wanted = [one for one in hand if f"/{kind}/" in recording.game.card_of(one)]
        if wanted:
            recording.answer(seat, "peek")
            recording.answer(seat, wanted[0])
            return
        recording.answer(seat, "draw")


def pass_all(recording: Recording) -> None:
    """Have everybody who is still asked pass."""
    for seat in recording.ask.waiting_for:
        recording.answer(seat, "toy/pass")


def met(*kinds: str, content: Content = LAPSING) -> Recording:
    """Return a game in which each of these kinds was asked once, and all passed."""
    recording = begin(3, content)
    for kind in kinds:
        turn_up(recording, kind)
        pass_all(recording)
    return recording


def until_lapsed(recording: Recording, name: str) -> None:
    """Play on, with every piece passing on its turn, until passes of this name have lapsed."""
    before = len(lapses(recording, name))
    while len(lapses(recording, name)) == before:
        pass_turn(recording)


def pass_turn(recording: Recording) -> None:
    """Have the piece whose turn it is do nothing; at night, a piece keep its omen."""
    is_night = recording.ask.rule == "TOY-8"
    recording.answer(recording.ask.waiting_for[0], "toy/keep" if is_night else "pass")


def lapses(recording: Recording, name: str) -> list[events.PassesLapsed]:
    return [one for one in recording.happened(events.PassesLapsed) if one.name == name]


def answered(recording: Recording) -> tuple[int, ...]:
    """Return the seats that have passed on the next echo without being asked."""
    turn_up(recording, "echo")
    return recording.ask.answered


# Groups


def test_a_kind_has_the_groups_before_its_slashes() -> None:
    assert list(groups_of("after/defeat/hound")) == ["after", "after/defeat"]
    assert list(groups_of("after")) == []
    assert covers("after/defeat", "after/defeat/hound")
    assert covers("after", "after")
    assert not covers("after/def", "after/defeat")
    assert not covers("after/defeat", "after")


@pytest.mark.parametrize("said", ["toy/after", "toy", ECHO])
def test_a_pass_on_a_group_is_one_on_each_of_its_kinds(said: str) -> None:
    """Also on kinds that are asked for the first time later."""
    recording = met("echo")
    recording.stand(2, said)

    turn_up(recording, "knell")

    assert recording.ask.kind == KNELL
    assert recording.ask.answered == (() if said == ECHO else (2,))
    pass_all(recording)
    assert answered(recording) == (2,)


def test_a_group_covers_no_kind_outside_of_it() -> None:
    recording = met("echo")
    recording.stand(2, "toy/after")

    turn_up(recording, "motion")

    assert recording.ask.answered == ()


# Lapses


def test_a_pass_until_the_round_is_over_ends_with_it() -> None:
    recording = met("echo")
    recording.stand(2, f"{ECHO}@round")
    recording.stand(1, ECHO)

    assert answered(recording) == (1, 2)
    pass_all(recording)
    until_lapsed(recording, "round")

    assert answered(recording) == (1,)


def test_a_pass_until_the_weather_changes_ends_with_its_change() -> None:
    """The end of the round leaves it, and so does a weather that stays."""
    recording = met("echo", "motion")
    recording.stand(2, "toy/after@weather")
    weather = recording.game.weather
    until_lapsed(recording, "round")
    assert answered(recording) == (2,)
    pass_all(recording)

    turn_up(recording, "motion")
    for seat in range(2):
        recording.answer(seat, "toy/pass")
    other = next(one for one in ("fog", "hail", "rain") if one != weather)
    recording.answer(2, other)

    assert recording.happened(WeatherSet)[-1].weather == other
    assert answered(recording) == ()


def test_a_pass_that_has_lapsed_may_be_said_again_and_one_that_stands_taken_back() -> None:
    recording = met("echo")
    recording.stand(2, f"{ECHO}@phase")
    said = events.StandingSet(2, hidden((f"{ECHO}@phase",)))
    assert refused(recording, said, 2) == "standing/as_it_is"
    until_lapsed(recording, "phase")
    assert in_force(recording.table.room, 2) == ()
    assert refused(recording, events.StandingSet(2, hidden(())), 2) == "standing/as_it_is"

    recording.stand(2, f"{ECHO}@phase")
    assert in_force(recording.table.room, 2) == (f"{ECHO}@phase",)
    recording.stand(2)

    assert answered(recording) == ()


def test_of_two_passes_on_a_kind_the_longer_one_counts() -> None:
    recording = met("echo")
    recording.stand(2, "toy/after", f"{ECHO}@round")
    until_lapsed(recording, "round")

    assert in_force(recording.table.room, 2) == ("toy/after",)
    assert answered(recording) == (2,)


def test_a_lapse_is_public_and_comes_whether_anybody_passes_or_not() -> None:
    recording = met("echo")
    # Nobody passes until then: what stands is another pass, and another seat's.
    recording.stand(1, ECHO)
    until_lapsed(recording, "round")

    (stored,) = [one for one in recording.log if b"passes_lapsed" in one.public][-1:]

    assert [cut(stored, viewer).openings for viewer in (0, 2, None)] == [(), (), ()]
    assert len(lapses(recording, "phase")) == 1


def test_as_long_as_no_seat_has_set_a_pass_no_lapse_is_written() -> None:
    recording = met("echo")

    while len(recording.happened(RoundEnded)) < 2:
        pass_turn(recording)

    assert recording.happened(events.PassesLapsed) == []
    # Once one has, and took it back: that nothing stands is sealed, so the lapses come.
    recording.stand(1, ECHO)
    recording.stand(1)
    until_lapsed(recording, "round")


@pytest.mark.parametrize(
    "said",
    [
        ("toy/after@never",),
        ("toy/after@",),
        ("@round",),
        ("toy/aft",),
        ("toy/after/",),
        (KNELL,),
        ("toy/after@round", "toy/after"),
        ("toy/after@round@round",),
        (),
    ],
)
def test_only_what_is_known_is_passed_on_and_only_until_what_the_game_names(
    said: tuple[str, ...],
) -> None:
    recording = met("echo")

    code = refused(recording, events.StandingSet(2, hidden(said)), 2)

    assert code == ("standing/unknown_kind" if said else "standing/as_it_is")


def test_nobody_passes_on_more_kinds_than_the_bound() -> None:
    kinds = tuple(f"toy/{n:03}" for n in range(MAX_KINDS + 1))

    assert are_passes(kinds[:-1], kinds)
    assert not are_passes(kinds, kinds)


def test_a_rule_can_only_let_lapse_what_its_table_names() -> None:
    written: list[str] = []
    sink: Any = SimpleNamespace(table=SimpleNamespace(game=ToyTable()), lapse=written.append)
    game: Game[ToyTable, None] = Game(sink, None, ())

    game.lapse("round")
    with pytest.raises(ValueError, match="full_moon is none of the lapses of ToyTable"):
        game.lapse("full_moon")

    assert written == ["round"]


def test_logs_of_earlier_versions_have_no_lapses(monkeypatch: pytest.MonkeyPatch) -> None:
    """They must be replayed as they were written."""
    monkeypatch.setattr("tests.kit.tables.playing.LOG_VERSION", LAPSES_VERSION - 1)
    recording = met("echo")

    while len(recording.happened(RoundEnded)) < 2:
        pass_turn(recording)

    assert recording.happened(events.PassesLapsed) == []


def test_nobody_passes_until_a_lapse_that_an_earlier_log_never_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such a pass would stand for ever, although it says that it ends with the round."""
    monkeypatch.setattr("tests.kit.tables.playing.LOG_VERSION", LAPSES_VERSION - 1)
    recording = met("echo")
    said = events.StandingSet(2, hidden((f"{ECHO}@round",)))

    assert refused(recording, said, 2) == "standing/unknown_kind"
    recording.stand(2, ECHO)


@pytest.mark.parametrize("said", [events.PassesLapsed("full_moon"), (f"{ECHO}@full_moon",)])
def test_the_laws_know_the_lapses_of_a_game(said: events.PassesLapsed | tuple[str, ...]) -> None:
    recording = met("echo")
    recording.stand(2, f"{ECHO}@round")
    given = next(one for one in recording.records if isinstance(one.event, events.StandingSet))
    assert isinstance(given.event, events.StandingSet)
    passes = given.event.kinds
    wrong: Event = (
        said
        if isinstance(said, events.PassesLapsed)
        else events.StandingSet(2, Sealed(passes.audience, passes.commitment, passes.ref, said))
    )

    with pytest.raises(LawBroken, match="does not name"):
        GameLaws().check(recording.game, attrs.evolve(given, event=wrong))


def test_a_room_comes_back_with_its_lapses() -> None:
    recording = met("echo")
    recording.stand(2, f"{ECHO}@round", f"{ECHO}@weather")
    until_lapsed(recording, "round")
    before = recording.table

    recording.restart()

    assert recording.table == before
    assert in_force(recording.table.room, 2) == (f"{ECHO}@weather",)


def test_what_has_lapsed_stays_lapsed_after_going_back() -> None:
    recording = met("echo")
    recording.stand(2, f"{ECHO}@round")
    checkpoint = max(recording.table.checkpoints)
    until_lapsed(recording, "round")

    recording.propose_back(0, checkpoint)
    for seat in (1, 2):
        recording.consent(seat)

    assert in_force(recording.table.room, 2) == ()
