"""Journal: each kind of event has a line or a stated reason to have none."""

import attrs
import pytest

from client.journal import room
from client.journal.journal import (
    Journal,
    all_lines,
)
from client.locale import LANGUAGES, load
from client.locale.speaker import Speaker
from client.plugs.face import face_of
from client.tellers.base import Tone
from protocol.boards.maps import Boundary, Covering, Map
from protocol.common import events
from protocol.common.chance import Stream
from protocol.common.text import Text
from protocol.describe import events_of
from protocol.event import CLOCK, Event, hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import (
    Face,
    Feature,
    FeatureKind,
    SecondEditionTable,
    TimerUnit,
    TokenKind,
)
from tests.games.second_edition.client.scripted import (
    FLOOD,
    Script,
    agreeing,
    asked,
    coding,
    lobby,
    picturing,
    playing,
    unlocking,
    words,
)
from tests.games.second_edition.client.stage import model_of, view_of


def _declared() -> set[type[Event]]:
    return {kind for module in (events, se) for kind in events_of(module.__name__)}


FACE = face_of("second_edition")


def test_every_kind_is_told_or_silent_on_purpose() -> None:
    """Add a line or a reason here for a new kind of event."""
    told, silent = {*room.TELLERS, *FACE.tellers}, {*room.SILENT, *FACE.silent}

    assert _declared() == told | silent


def test_no_kind_is_both() -> None:
    told, silent = {*room.TELLERS, *FACE.tellers}, {*room.SILENT, *FACE.silent}

    assert told & silent == set()


def test_no_game_tells_what_every_room_has() -> None:
    """A game's own line would override the journal line of all games."""
    assert {*FACE.tellers, *FACE.silent} & {*room.TELLERS, *room.SILENT} == set()


def _told(script: Script, seat: int | None = 0, language: str = "en") -> list[tuple[Tone, str]]:
    view = view_of(script, seat)
    speaker = Speaker(load(language), words(language))
    return [(line.tone, line.text) for line in all_lines(view.records, speaker)]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_in_a_game_lacks_words(language: str) -> None:
    told = [
        text
        for script in (asked(), coding(), picturing(), unlocking())
        for _, text in _told(script, 0, language)
    ]

    assert [text for text in told if "<" in text] == []


def test_a_round_is_told_in_order() -> None:
    told = _told(playing())

    at = told.index((Tone.ROUND, "Round 1"))
    assert told[at + 1 : at + 4] == [
        (Tone.STEP, "Vera Sand’s turn"),
        (Tone.ACTION, "Vera Sand moves: Hall (2)"),
        (Tone.GAIN, "Vera Sand gains 2 Clues."),
    ]
    assert (Tone.DICE, "[*] [?] [ ] [ ]") in told


def _restarted(*back: int) -> Script:
    """Return a game after a server restart to which some seats have come back."""
    script = asked()
    script.emit(events.PresenceChanged(0, is_present=False), origin=CLOCK)
    script.emit(events.PresenceChanged(1, is_present=False), origin=CLOCK)
    for seat in back:
        script.emit(events.PresenceChanged(seat, is_present=True), origin=seat)
    return script


@pytest.mark.issue(14)
def test_a_restart_is_one_line() -> None:
    lines = list(all_lines(_restarted(0, 1).records, Speaker(load("en"), words())))

    assert [line.text for line in lines if line.sequence >= len(asked().records)] == [
        "The server was restarted; the game goes on where it was."
    ]


@pytest.mark.issue(14)
def test_who_does_not_come_back_from_a_restart_is_told_once_the_game_goes_on() -> None:
    script = _restarted(0)
    script.emit(events.Chatted(0, hidden(b"Bob?")), origin=0)
    script.emit(events.PresenceChanged(1, is_present=True), origin=1)
    model = model_of(asked())
    journal = Journal(lambda: model.speaker)
    journal.begin(view_of(script))

    assert [line.text for line in journal.lines[-4:]] == [
        "The server was restarted; the game goes on where it was.",
        "Bob is away.",
        "Ann: Bob?",
        "Bob is here.",
    ]


def test_story_is_told_by_paragraph() -> None:
    stories = [text for tone, text in _told(playing()) if tone is Tone.STORY]

    assert stories[1] == "The door is open."


def test_those_who_cannot_read_a_vote_are_told_that_there_is_one() -> None:
    read, unread = _told(agreeing(), 0), _told(agreeing(), None)

    assert read[-1] == (Tone.ROOM, "Bob votes for: Vera Sand")
    assert unread[-1] == (Tone.ROOM, "Bob has voted.")


def test_who_was_drawn_to_decide_is_told() -> None:
    script = agreeing()
    script.emit(events.Picked(Stream.PLAY, 0, "lot", 2, 1))

    assert _told(script, 0)[-1] == (Tone.ROOM, "The lot falls to Bob: Vera Sand")
    assert _told(script, None)[-1] == (Tone.ROOM, "The lot falls to Bob.")


def test_what_else_is_picked_has_no_line_of_its_own() -> None:
    """The journal line of the following event names what was picked."""
    script = agreeing()
    before = _told(script)
    script.emit(events.Picked(Stream.PLAY, 0, "pick/event", 2, 1))

    assert _told(script) == before


def test_a_private_line_is_told_to_its_owner_alone() -> None:
    script = playing()

    tones = [{tone for tone, _ in _told(script, seat)} for seat in (0, 1, None)]

    assert [Tone.PRIVATE in told for told in tones] == [True, False, False]


def test_an_insane_back_is_told_to_its_owner_alone() -> None:
    """Rule SECRET-7."""
    script = playing()

    told = ["".join(text for _, text in _told(script, seat)) for seat in (0, 1, None)]

    assert ["Firebug" in text for text in told] == [True, False, False]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            [
                "The river rises: 3 rounds left",
                "The river rises: 1 turn left",
                "The river rises: the countdown has stopped.",
                "The river rises: time is up.",
            ],
        ),
        (
            "fr",
            [
                "La rivière monte\u00a0: encore 3 manches",
                "La rivière monte\u00a0: encore 1 tour",
                "La rivière monte\u00a0: le compte est arrêté.",
                "La rivière monte\u00a0: le temps est écoulé.",
            ],
        ),
    ],
)
def test_a_timer_is_told_while_it_runs_and_when_it_ends(language: str, said: list[str]) -> None:
    script = playing()
    turn = attrs.evolve(FLOOD, timer_id="timer2", unit=TimerUnit.TURNS, left=1)
    script.emit(
        se.TimerSet(FLOOD),
        se.TimerSet(turn),
        se.TimerRemoved("timer1", has_run_out=False),
        se.TimerRemoved("timer2", has_run_out=True),
    )

    assert [text for _, text in _told(script, 0, language)[-4:]] == said


def test_chat_stays_on_its_line() -> None:
    """Text after a forged line break must not look like a line of somebody else."""
    script = playing()
    script.emit(events.Chatted(1, hidden(b"hi\n== Round 9")), origin=1)

    assert _told(script)[-1] == (Tone.CHAT, "Bob: hi == Round 9")


def test_chat_is_for_the_table() -> None:
    assert Tone.CHAT not in {tone for tone, _ in _told(playing(), None)}


def test_what_changes_hands_is_named() -> None:
    script = playing()
    script.emit(
        se.PossessionTaken("investigator/vera", "investigator/ada", "p1"),
        se.PossessionGiven("investigator/ada", "investigator/vera", "p1"),
        se.PossessionGiven("investigator/vera", "investigator/ada", "p1"),
        se.PossessionDropped("investigator/ada", "p1", "hall/a"),
        se.PossessionPickedUp("investigator/amos", "p1", "hall/a"),
        se.PossessionDiscarded("investigator/amos", "p1"),
        se.MonsterMoved("m1", "hall/b"),
        se.MonsterDiscarded("m1", is_defeated=True),
    )

    assert [text for _, text in _told(script)[-8:]] == [
        "Ada Lorne takes Lantern from Vera Sand.",
        "Ada Lorne gives Lantern to Vera Sand.",
        "Vera Sand gives Lantern to Ada Lorne.",
        "Ada Lorne puts down: Lantern",
        "Amos Reed picks up: Lantern",
        "Amos Reed discards: Lantern",
        "Tallyman moves: Hall (2)",
        "Tallyman is defeated.",
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_feature_has_words_for_its_coming_and_going(language: str) -> None:
    script = playing()
    for kind in FeatureKind:
        script.emit(se.FeaturePlaced(Feature(kind.value, kind, "hall/c")))
        script.emit(se.FeatureRemoved(kind.value))

    told = [text for _, text in _told(script, 0, language)[-8:]]

    assert len(set(told)) == 8
    assert not any("<" in text for text in told)


def test_barricades_and_coverings_are_told() -> None:
    script = playing()
    wall = Covering("wall/hall/1", Boundary.WALL, _map(script).doors["hall/1"].cells)
    door = Covering("breach", Boundary.DOOR, ((1, 46),))
    script.emit(
        se.FeaturePlaced(Feature("b", FeatureKind.BARRICADE, "hall/b")),
        se.BarricadeShifted("b", "hall/1"),
        se.BarricadeShifted("b", None),
        se.FeaturePlaced(Feature("p", FeatureKind.SECRET_PASSAGE, "hall/b")),
        se.BarricadeShifted("b", "p"),
        se.BarricadeAssaulted("m1", "b", (Face.SUCCESS, Face.BLANK), is_broken=False),
        se.BarricadeAssaulted("m1", "b", (Face.SUCCESS,) * 2, is_broken=True),
        se.CoveringPlaced(wall),
        se.CoveringRemoved("wall/hall/1"),
        se.CoveringPlaced(door),
        se.CoveringRemoved("breach"),
    )

    told = [text for _, text in _told(script)[-11:]]

    assert told[1:3] == [
        "A barricade stands in the way: Hall (2) / Study (1)",
        "The barricade is out of the way: Hall (2) / Study (1)",
    ]
    assert told[4:] == [
        "A barricade stands in the way: secret passage",
        "Tallyman hurls itself at the barricade. [*] [ ]",
        "Tallyman hurls itself at the barricade and breaks it. [*] [*]",
        "The door is walled up: Hall (2) / Study (1)",
        "The door is there again: Hall (2) / Study (1)",
        "There is a door where the wall was: Study (1) / Parlour",
        "The wall is whole again: Study (1) / Parlour",
    ]


def test_a_tile_that_goes_is_told_by_its_rooms() -> None:
    script = playing()
    script.emit(se.TileRemoved("study"))

    assert _told(script)[-1][1] == "No longer there: Study, Parlour"


def _map(script: Script) -> Map:
    assert isinstance(script.table.game, SecondEditionTable)
    return script.table.game.map


def test_it_follows_as_records_come() -> None:
    model = model_of(None)
    journal = Journal(lambda: model.speaker)
    model.followers.append(journal)
    script = asked()
    view = view_of(Script(), 0)
    model.follow(view)

    for shown in script.cuts(0):
        model.pass_steps(view.receive([shown]))
    one_by_one = [(line.tone, line.text) for line in journal.lines]
    journal.begin(view)

    assert one_by_one == [(line.tone, line.text) for line in journal.lines] == _told(script)


def test_the_end_is_told() -> None:
    from protocol.games.second_edition.table import Ending, InvestigatorResult  # noqa: PLC0415

    script = playing()
    result = InvestigatorResult("investigator/ada", has_won=True, reason=Text("alive"))
    script.emit(se.GameEnded(Ending(is_won=True, epilogue=Text("epilogue"), results=(result,))))

    assert [text for _, text in _told(script)[-3:]] == [
        "The investigators have won.",
        "The gate is shut. The river goes round.",
        "Ada Lorne wins. came out alive",
    ]


@pytest.mark.rule("WIN-6", "DECIDE-71")
@pytest.mark.parametrize(
    ("is_won", "has_won", "first"),
    [
        (True, True, "You have won."),
        (False, False, "You have lost."),
        (True, False, "The investigators have won, but you have lost."),
        (False, True, "The investigators have lost, but you have won."),
    ],
)
def test_a_seat_reads_how_its_own_investigators_ended(
    is_won: bool, has_won: bool, first: str
) -> None:
    from protocol.games.second_edition.table import Ending, InvestigatorResult  # noqa: PLC0415

    script = playing()
    game = script.table.game
    assert isinstance(game, SecondEditionTable)
    seat = game.investigators["investigator/ada"].seat
    results = tuple(
        InvestigatorResult(who, has_won if person.seat == seat else is_won, Text("alive"))
        for who, person in game.investigators.items()
    )
    script.emit(se.GameEnded(Ending(is_won=is_won, epilogue=Text("epilogue"), results=results)))
    assert script.table.game is not None
    moment, speaker = FACE.moment(script.table.game), Speaker(load("en"), words())

    assert moment.ending(speaker, seat)[0] == first
    watched = "The investigators have won." if is_won else "The investigators have lost."
    assert moment.ending(speaker, None)[0] == watched


@pytest.mark.issue(38)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_kind_of_token_is_told_in_a_sentence(language: str) -> None:
    templates = load(language).templates
    kinds = [*(kind.value for kind in TokenKind), "anybody"]

    said = {templates[f"journal.token_placed.{kind}"] for kind in kinds}

    assert len(said) == len(kinds)


@pytest.mark.issue(38)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_restart_before_the_game_is_told_of_a_table(language: str) -> None:
    """A restart in the waiting room has a journal line of its own, since no game is running yet."""
    script = lobby()
    script.emit(events.PresenceChanged(1, is_present=False), origin=CLOCK)
    locale = load(language)

    told = [line.text for line in all_lines(script.records, Speaker(locale, words(language)))]

    assert told[-1] == locale.say("journal.restarted_waiting")
    assert locale.say("journal.restarted") not in told


@pytest.mark.issue(39)
def test_the_time_over_several_questions_is_told_when_it_begins() -> None:
    script = playing()
    script.emit(events.TimerOpened(0, Text("item/lantern", (), "name"), 60))
    script.emit(events.TimerClosed(0))

    assert _told(script)[-1] == (Tone.ROOM, "Time starts, 1 minute: Lantern")
    assert _told(script, language="fr")[-1][1].startswith("Le temps court, ")
