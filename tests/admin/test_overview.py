"""The overview: what it shows at any size, what its keys do, and a run on a terminal."""

from pathlib import Path
from typing import Any

import attrs
import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from commands.speaking import words_of
from protocol.common.table import Stage
from server.admin.line import NoServer, Refused
from server.admin.vocabulary import (
    AgreeToGoBack,
    Allow,
    Announce,
    AskPeople,
    AskState,
    AskTables,
    Ban,
    BeginDrain,
    CloseTable,
    Disallow,
    Done,
    Kick,
    PauseTable,
    PeopleReport,
    PersonLine,
    ResumeTable,
    Revoke,
    SetOpening,
    SetQuotas,
    State,
    TableLine,
    TableReport,
    UseSettings,
)
from server.lobby.tables.opening_policy import Opening
from server.operator.cli import main
from server.operator.overview import Overview, Reports
from server.operator.screen import AdminScreen
from tests.admin.office import Office

pytestmark = pytest.mark.issue(15)

FINGERPRINT = "abcd-efgh"
TABLES = tuple(
    TableLine(f"room-{at:02}", "core/house", Stage.PLAYING, ("Ann",), 1, 0, 0, *[False] * 4)
    for at in range(30)
)
PEOPLE = (PersonLine(0, "Ann", FINGERPRINT, "192.0.2.7", ()),)


@pytest.fixture
def reports(tmp_path: Path) -> Reports:
    state = Office(tmp_path).ask(AskState())
    assert isinstance(state, State)
    return Reports(state, TABLES, PEOPLE)


def overview(reports: Reports, language: str = "en") -> Overview:
    one = Overview(words_of("server", language))
    one.show(reports, 1.0)
    return one


def text(one: Overview, rows: int = 24) -> str:
    """Return all lines that the overview draws."""
    return "\n".join(line for _, line in one.draw(rows))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("rows", [1, 5, 12, 24, 60])
def test_it_fits_any_terminal(reports: Reports, rows: int, language: str) -> None:
    one = overview(reports, language)
    drawn = one.draw(rows)

    assert len(drawn) <= rows
    assert drawn[-1][1].endswith(" q leave" if language == "en" else " q partir")


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("shown", [(), ("tab",), ("o",), ("u",), ("p",), ("c",)])
def test_its_keys_have_room_in_eighty_columns(
    reports: Reports, shown: tuple[str, ...], language: str
) -> None:
    one = overview(reports, language)
    for key in shown:
        one.press(key)

    assert max(len(line) for style, line in one.draw(24)[-2:] if style == "reverse") <= 80


def test_what_is_typed_stands_below_the_question(reports: Reports) -> None:
    one = overview(reports)

    for key in ("u", *"5 20"):
        one.press(key)

    assert "> 5 20_" in text(one).split("\n")


def test_the_cursor_stays_in_sight(reports: Reports) -> None:
    one = overview(reports)

    for _ in range(25):
        one.press("down")

    marked = [line for style, line in one.draw(24)[:-2] if style == "reverse"]
    assert [line.split()[0] for line in marked] == ["room-25"]


def test_people_are_on_the_other_side(reports: Reports) -> None:
    one = overview(reports)

    one.press("tab")

    assert FINGERPRINT in text(one)
    assert "192.0.2.7" in text(one)


@pytest.mark.parametrize(
    ("keys", "act"),
    [
        (["tab", "k", *"yes", "enter"], Kick(FINGERPRINT)),
        (["tab", "b", *"yes", "enter"], Ban(FINGERPRINT)),
        (["down", "r", *"YES", "enter"], Revoke("room-01")),
        (["d", *"yes", "enter"], BeginDrain(15)),
        (["a", *"Hello", "backspace", "enter"], Announce("Hell")),
        (["tab", "l", *"yes", "enter"], Allow(FINGERPRINT)),
        (["tab", "x", *"yes", "enter"], Disallow(FINGERPRINT)),
        (["o", *"invited", "enter"], SetOpening(Opening.INVITED)),
        (["o", *"settings", "enter"], UseSettings()),
        (["o", *"nobody", "enter"], None),
        (["u", *"5 20", "enter"], SetQuotas(5, 20)),
        (["u", *"0 20", "enter"], SetQuotas(0, 20)),
        (["u", *"5", "enter"], None),
        (["u", *"5 x", "enter"], None),
        (["u", *"0 0", "enter"], None),
        (["u", *"5 9999999", "enter"], None),
        (["down", "y", *"yes", "enter"], AgreeToGoBack("room-01")),
        (["down", "p", *"why", "enter"], PauseTable("room-01", "why")),
        (["down", "c", *"why", "enter"], CloseTable("room-01", "why")),
        (["down", "p", "enter"], None),
        (["tab", "p", *"why", "enter"], None),
        (["tab", "k", *"no", "enter"], None),
        (["tab", "k", "enter"], None),
        (["tab", "k", *"yes", "escape", "enter"], None),
        (["a", "enter"], None),
        (["k", *"yes", "enter"], None),
    ],
)
def test_keys_act_only_after_a_yes(reports: Reports, keys: list[str], act: object) -> None:
    one = overview(reports)

    done = [one.press(key) for key in keys]

    assert done[-1] == act
    assert done[:-1] == [None] * (len(keys) - 1)
    assert one.prompt is None


def test_what_is_paused_goes_on_by_the_same_key(reports: Reports) -> None:
    paused = attrs.evolve(TABLES[0], is_paused=True)
    one = overview(attrs.evolve(reports, tables=(paused,)))

    done = [one.press(key) for key in ("p", *"ok", "enter")]

    assert done[-1] == ResumeTable("room-00", "ok")
    assert "playing (paused)" in text(one)


def test_the_load_is_what_was_used_since_the_last_look(reports: Reports) -> None:
    one = overview(reports)
    state: Any = reports.state
    later = attrs.evolve(reports, state=attrs.evolve(state, cpu_ms=state.cpu_ms + 500))

    one.show(later, 2.0)

    assert "load: 25 % of one core" in text(one)


class ScriptedLine:
    """A scripted stand-in for the connection to a server."""

    def __init__(self, reports: Reports, done: list[object]) -> None:
        self.reports, self.done = reports, done

    def ask(self, request: object, kind: object) -> object:
        del kind
        if isinstance(request, AskState):
            return self.reports.state
        if isinstance(request, AskTables):
            return TableReport(TABLES, is_last=True)
        if isinstance(request, AskPeople):
            return PeopleReport(PEOPLE, is_last=True)
        self.done.append(request)
        return Done(1)

    def tables(self) -> object:
        return iter(TABLES)

    def people(self) -> object:
        return iter(PEOPLE)


def test_it_runs_on_a_terminal_until_q(reports: Reports) -> None:
    done: list[object] = []

    def in_words(fault: Refused | NoServer) -> str:
        raise AssertionError(fault)

    with create_pipe_input() as keys:
        screen = AdminScreen(
            ScriptedLine(reports, done),  # type: ignore[arg-type]  # asked in the same way
            words_of("server", "en"),
            in_words,
            input=keys,
            output=DummyOutput(),
        )
        keys.send_text("aHello q\r")
        screen.application.after_render += lambda _: (
            keys.send_text("q") if "Done (1)." in screen.overview.message else None
        )
        screen.run()

    assert done == [Announce("Hello q")]


def test_without_a_terminal_a_tool_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--language", "en"])

    assert ended.value.code == 2
    assert "name what is to be told or done" in capsys.readouterr().err
