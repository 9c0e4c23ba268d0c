"""Replays: the views of others, searches, and automatic playback."""

import bisect
import functools
import itertools

import pytest

from client.games.second_edition.odds import chance
from client.journal.journal import Journal
from client.journal.replay_model import ReplayModel, replayed, words_of
from client.keymap.keys import Action
from client.locale import load as locale_of
from client.locale.speaker import Speaker
from client.model.model import ClientModel
from client.model.viewpoints import EVERYTHING, TABLE, Viewpoint
from client.screens.base.screen import CannotDo, Desk
from client.screens.review.replay import ReplayScreen
from client.screens.ui import Ui
from protocol.archive import Archive, load
from protocol.common import events
from protocol.event_contents import secrets_of
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Face
from server.games.second_edition.rules.dice import FACES
from tests.games.second_edition.client.stage import RecordingPort
from tests.games.second_edition.simulate import finished_game
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(17)


@functools.cache
def archive() -> Archive:
    """Return the complete archive of a finished game of three."""
    return load(file_of(finished_game()))


def game() -> ReplayModel:
    """Return a replay at its beginning."""
    return replayed(archive())


def shown(replay: ReplayModel, language: str = "en") -> Ui:
    """Return the screen of a replay, with a fixed clock."""
    model = ClientModel("", b"", locale_of(language), words=words_of(archive(), language))
    desk = Desk(model, RecordingPort(), Journal(lambda: model.speaker), now=lambda: CLOCK[0])
    return Ui(desk, ReplayScreen(desk, replay))


def steps_behind(screen: ReplayScreen) -> int:
    return bisect.bisect_left(screen.replay.stops, screen.replay.position)


CLOCK = [0.0]


def text_of(ui: Ui, columns: int = 100, rows: int = 30) -> str:
    return ui.draw(rows, columns).plain()


@pytest.mark.issue(14)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_eighty_columns_name_the_keys_of_viewpoint_moments_and_help(language: str) -> None:
    """Players guess the keys for paging, but not those for viewpoint, moments and help."""
    foot = text_of(shown(game(), language), columns=80).splitlines()[-1]
    say = locale_of(language).say
    for key, action in (("v", "viewpoint"), ("a", "moments"), ("?", "help")):
        assert f"{key} {say(f'hint.{action}')}" in foot


def test_every_view_stands_at_the_same_moment() -> None:
    """Switching the view changes the table, not the event."""
    replay = game()
    replay.go_to(len(replay.records) // 2)
    records = []

    for _ in replay.points:
        records.append(replay.records)
        assert replay.event == len(archive().records) // 2
        replay.next_viewpoint()

    assert replay.point == EVERYTHING
    assert len({sum(s.is_open for r in rs for s in secrets_of(r.event)) for rs in records}) > 3


def test_single_events_are_counted_as_in_the_file() -> None:
    replay = game()
    numbers = [replay.event]
    while replay.step_event(1):
        numbers.append(replay.event)

    assert numbers == list(range(-1, len(archive().records)))
    assert not replay.go_to(len(archive().records))
    assert not replay.go_to(-2)


def test_choices_are_shown_just_before_they_are_made() -> None:
    """At the moment before the choice, the question with all its offers is still on the screen."""
    replay = game()
    count = 0
    while replay.step_choice(1) and count < 200:
        count += 1
        happened = replay.records[replay.position].event
        if isinstance(happened, events.Answered):
            ask = replay.table.room.ask
            assert ask is not None
            assert ask.ask_id == happened.ask_id
            assert replay.chosen()[happened.seat] == happened.picks.value
    assert count > 50


def test_what_is_not_known_to_a_seat_is_not_told_as_chosen() -> None:
    """In the view of another seat an answer stays secret."""
    replay = game()
    while replay.step_choice(1):
        happened = replay.records[replay.position].event
        if isinstance(happened, events.Answered):
            replay.switch_viewpoint(Viewpoint((happened.seat + 1) % 3))
            assert happened.seat not in replay.chosen()
            return
    raise AssertionError("nobody chose anything")


def test_turns_begin_where_somebody_acts() -> None:
    replay = game()
    replay.step_turn(1)
    assert isinstance(replay.records[replay.event].event, se.PhaseBegan | se.TurnBegan)


def test_what_is_looked_for_is_listed_with_its_event() -> None:
    replay = game()
    moments = replay.moments(replay.journal(Speaker(locale_of("en"), words_of(archive(), "en"))))

    kinds = {type(replay.records[moment.line.sequence].event) for moment in moments}
    assert {se.MonsterSpawned, se.CluesGained, se.GameEnded} <= kinds
    numbers = [moment.line.sequence for moment in moments]
    assert numbers == sorted(set(numbers))


def test_a_menu_leads_to_a_moment_and_a_number_to_an_event() -> None:
    ui = shown(game())
    ui.press("a")
    ui.press("enter")
    screen = ui.base()
    assert isinstance(screen, ReplayScreen)
    first = screen.replay.event
    assert first > 0

    ui.press("g")
    ui.enter("120")
    assert screen.replay.event == 120
    ui.press("g")
    ui.enter("999999")
    assert f"from 0 to {len(archive().records) - 1}" in ui.desk.model.bar.text
    assert screen.replay.event == 120


def test_a_word_is_found_on_and_back() -> None:
    screen = shown(game()).base()
    assert isinstance(screen, ReplayScreen)
    screen._search("appears")
    first = screen.replay.event
    screen.act(Action.NEXT_HIT, "n")
    second = screen.replay.event
    screen.act(Action.LAST_HIT, "N")

    assert 0 < first < second
    assert screen.replay.event == first
    with pytest.raises(CannotDo):
        screen._search("no such word anywhere")


def test_it_goes_on_by_itself_at_the_speed_that_is_chosen() -> None:
    """The key switches from one step a second to two, to four, and off; the end stops it."""
    CLOCK[0] = 0.0
    ui = shown(game())
    screen = ui.base()
    assert isinstance(screen, ReplayScreen)
    for speed in (1, 2, 4):
        ui.press("p")
        text_of(ui)
        before = steps_behind(screen)
        for _ in range(speed):
            CLOCK[0] += 1 / speed
            text_of(ui)
        after = steps_behind(screen)
        assert after == before + speed
    ui.press("p")
    text_of(ui)
    before = screen.replay.position
    CLOCK[0] += 10
    text_of(ui)
    after = screen.replay.position
    assert after == before


def test_the_screen_says_whose_eyes_and_which_event() -> None:
    ui = shown(game())
    seen = []
    for _ in range(5):
        seen.append(text_of(ui).splitlines()[0])
        ui.press("v")

    last = len(archive().records) - 1
    assert f"before event 0 of {last}, all open" in seen[0]
    assert "knew it" in seen[1]
    assert "as the table knew it" in seen[4]


def test_a_secret_names_who_alone_was_shown_it() -> None:
    replay = game()
    ui = shown(replay)
    at = next(
        record.sequence
        for record in replay.records
        if isinstance(record.event, events.Answered) and record.event.picks.is_open
    )
    replay.go_to(at)

    assert "Shown to " in text_of(ui)
    replay.switch_viewpoint(TABLE)
    assert "Shown to " not in text_of(ui)


def test_what_was_offered_and_chosen_can_be_read() -> None:
    replay = game()
    ui = shown(replay)
    while replay.step_choice(1) and not replay.chosen():
        pass
    ui.press("u")

    box = text_of(ui)
    assert "was asked: " in box
    assert "> " in box


@pytest.mark.parametrize(("needed", "dice"), [(1, 1), (1, 3), (2, 3), (3, 4), (5, 4)])
def test_a_chance_is_that_of_all_faces_of_all_dice(needed: int, dice: int) -> None:
    """The expected value is counted over all rolls."""
    rolls = list(itertools.product(FACES, repeat=dice))
    hits = sum(roll.count(Face.SUCCESS) >= needed for roll in rolls)

    assert chance(needed, dice) == pytest.approx(hits / len(rolls))


def test_a_test_tells_its_chance_before_its_dice() -> None:
    replay = game()
    ui = shown(replay)
    at = next(
        record.sequence
        for record in replay.records
        if isinstance(record.event, se.TestDeclared) and record.event.difficulty
    )
    replay.go_to(at)
    declared = replay.records[at].event
    assert isinstance(declared, se.TestDeclared)
    assert declared.difficulty is not None

    percent = round(100 * chance(declared.difficulty, declared.pool))
    assert f"{percent} %" in text_of(ui)


def test_the_menu_of_views_is_empty_where_a_file_has_one() -> None:
    replay = ReplayModel(archive().records, points=(Viewpoint(0),))
    ui = shown(replay)
    ui.press("v")

    assert "one view alone" in ui.desk.model.bar.text
