"""Hindsight of any game: in replays with everything open, and nowhere before the end."""

import functools
import json
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from client.commands import cli
from client.journal.fetched import read_fetched
from client.journal.journal import Journal
from client.journal.replay_model import ReplayModel, replayed, words_of
from client.keyring.identity import HOME_VARIABLE
from client.locale import LANGUAGES, load
from client.locale.speaker import Speaker
from client.model.hindsight import LookedBack
from client.model.model import ClientModel
from client.model.viewpoints import TABLE
from client.plain.replay import PlainReplay
from client.screens.base.screen import Desk
from client.screens.review.replay import ReplayScreen
from client.screens.ui import Ui
from client.tellers.base import Tone
from protocol import codec
from protocol.archive import load as load_file
from protocol.archive import write
from protocol.common.events import RoomClosed, SeatTaken
from protocol.event import Cut, Event
from protocol.keys import SigningKey
from server.packs.rememberer import Remembered, remembered
from tests.games.every import an_evening
from tests.games.second_edition.client.stage import RecordingPort
from tests.games.woods.protocol.events import RoundEnded
from tests.games.woods.table import a_game
from tests.kit.servers.house import Client

pytestmark = pytest.mark.issue(40)


@functools.cache
def file() -> bytes:
    """Return the whole file of a night in which the players answer at random."""
    made = an_evening("woods")
    return made.export(made.ann)


@functools.cache
def found() -> Remembered:
    """Return what a child process would write."""
    return remembered(file(), ())


def looked_back() -> LookedBack:
    return LookedBack(found().found, found().words)


def replay(language: str = "en") -> tuple[ReplayModel, Speaker]:
    """Return a replay with hindsight, and its words."""
    archive = looked_back().words_for(load_file(file()))
    game = replayed(archive)
    game.hindsight = looked_back().found
    return game, Speaker(load(language).for_game("woods"), words_of(archive, language))


def test_it_comes_from_the_log_alone_and_in_its_order() -> None:
    again = remembered(file(), ())

    assert again == found()
    assert found().outcome == "found"
    assert [one.sequence for one in found().found] == sorted(o.sequence for o in found().found)
    records = load_file(file()).records
    assert all(isinstance(records[one.sequence].event, RoundEnded) for one in found().found)


@pytest.mark.parametrize("kind", [RoundEnded, RoomClosed, SeatTaken])
def test_a_forged_file_that_the_server_signed_is_refused_in_words(kind: type[Event]) -> None:
    """Nobody audits a file that a client fetches, and the server may be a stranger's."""
    archive, key = load_file(file()), SigningKey.from_seed(bytes(32))
    of = next(at for at, record in enumerate(archive.records) if type(record.event) is kind)
    public = codec.unpack(archive.cuts[of].public)
    assert isinstance(public, tuple)
    forged = Cut(codec.pack((1, *public[1:])), ())
    cuts = (archive.cuts[0], forged, *archive.cuts[2:])
    header = attrs.evolve(archive.header, server=key.public)
    model = ClientModel("", b"", load("en"))

    game = read_fetched(model, b"".join(write(header, cuts, archive.words, sign=key.sign)))

    assert (game is None) is (kind is not SeatTaken)
    assert game is not None or "it does not fit what happened before" in str(model.bar)


def test_the_journal_tells_it_after_its_event_if_all_is_open() -> None:
    game, speaker = replay()
    lines = [line for line in game.journal(speaker) if line.tone is Tone.HINDSIGHT]

    assert [line.sequence for line in lines] == [one.sequence for one in found().found]
    assert lines[0].text.startswith("A snare at the ")
    game.switch_viewpoint(TABLE)
    assert not [line for line in game.journal(speaker) if line.tone is Tone.HINDSIGHT]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_timeline_has_both_sides_and_the_hindsight_of_a_round(language: str) -> None:
    game, speaker = replay(language)
    talk = PlainReplay(game, lambda: speaker)

    (number, *_) = {
        line.round_number for line in game.journal(speaker) if line.tone is Tone.HINDSIGHT
    }
    printed = "\n".join(talk.run(f"timeline {number}"))

    for role in ("animal", "keeper"):
        assert f" {speaker.name('role', role)}" in printed
    assert "lonely" not in printed
    assert speaker.text(found().found[0].text) in printed
    assert load(language).say("timeline.no_round", 7)[:10] in "\n".join(talk.run("timeline 99"))


def test_a_replay_away_from_its_table_speaks_the_words_of_its_game() -> None:
    game, speaker = replay()
    model = ClientModel("", b"", load("en"), words=speaker.words)
    left = []
    desk = Desk(model, RecordingPort(), Journal(lambda: model.speaker))
    ui = Ui(desk, ReplayScreen(desk, game, lambda: left.append(model.spoken.game)))

    assert model.spoken.game == "woods"
    ui.press("q")

    assert (left, model.spoken.game) == ([""], "")


def test_the_box_on_the_screen_leads_to_an_event_and_to_the_next_round() -> None:
    game, speaker = replay()
    model = ClientModel("", b"", load("en"), words=speaker.words)
    desk = Desk(model, RecordingPort(), Journal(lambda: model.speaker))
    ui = Ui(desk, ReplayScreen(desk, game))

    ui.press("T")
    drawn = ui.draw(24, 80).plain()
    assert load("en").say("box.timeline") in drawn
    ui.press("up")
    ui.press("enter")
    assert ">> round 2" in ui.draw(24, 80).plain() or "<< round 0" in ui.draw(24, 80).plain()
    ui.press("down")
    ui.press("enter")
    assert not desk.boxes
    assert game.event > 0


def test_a_client_looks_back_on_what_it_has_fetched_once_the_game_is_over() -> None:
    asked: list[str] = []
    model = ClientModel("", b"", load("en"))
    known: list[bool] = []

    def later(data: bytes, ruleset: str, done: object) -> Callable[[], None]:
        asked.append(ruleset)
        assert callable(done)
        done(looked_back())
        return lambda: None

    model.look_back = later
    game = read_fetched(model, file())
    assert game is not None
    game.look_back(file(), lambda: known.append(True))

    assert (asked, known) == (["woods"], [True])
    assert game.replay.hindsight == found().found
    assert model.words.lookup("woods/better_snare")


def test_without_its_pack_a_client_says_so() -> None:
    model = ClientModel("", b"", load("en"))
    game = read_fetched(model, file())
    assert game is not None

    def later(
        _data: bytes, _ruleset: str, done: Callable[[LookedBack], None]
    ) -> Callable[[], None]:
        done(LookedBack(problem="no_pack"))
        return lambda: None

    model.look_back = later
    game.look_back(file(), lambda: pytest.fail("there is none"))

    assert model.bar.text == load("en").say("hindsight.no_pack")


def test_the_file_of_a_running_game_is_not_looked_back_on() -> None:
    """A client does not even ask, and the rules refuse."""
    party = a_game()
    data = exported(party.kim)
    assert remembered(data, ()).outcome == "not_over"
    model = ClientModel("", b"", load("en"))
    model.look_back = lambda *_: pytest.fail("it is asked")
    game = read_fetched(model, data)
    assert game is not None

    game.look_back(data, lambda: None)


def exported(client: Client) -> bytes:
    """Return the file that a player has of the table."""
    games: list[bytes] = []
    assert client.model.view is not None
    client.port.fetch_game(client.model.view.room_id, lambda game: games.append(game.data))
    client.house.settle()
    return games[0]


def test_it_is_in_the_lines_of_a_file_and_in_its_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    path = tmp_path / "night.manse"
    path.write_bytes(file())

    assert cli.replay(["--plain", str(path)], lambda *_: looked_back()) == 0
    assert "A snare at the " in capsys.readouterr().out
    assert cli.replay(["--jsonl", str(path)], lambda *_: looked_back()) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [one for row in rows for one in row.get("hindsight", ())]
    assert len(told) == len(found().found)
    assert told[0]["kind"] == "snare"
    assert told[0]["subject"] == "woods/better_snare"
    # Whoever looks with the eyes of the table is told nothing.
    assert cli.replay(["--plain", "--view", "table", str(path)], lambda *_: looked_back()) == 0
    assert "A snare at the " not in capsys.readouterr().out
