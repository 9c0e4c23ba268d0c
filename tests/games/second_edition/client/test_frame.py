"""Frame: the layout of the screen at each terminal size."""

import attrs
import pytest

from client.boards.steady import Steady
from client.games.second_edition.panes.inset import DiceInset
from client.games.second_edition.panes.scene import SecondEditionScene
from client.journal.journal import Journal
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.settings.preferences import MapSize
from client.widgets.answering import Answering
from client.widgets.canvas import Canvas
from client.widgets.question import draw_question
from protocol.common.asks import Choice, Question
from protocol.common.events import (
    CharactersClaimed,
    GameStarted,
    Player,
    ReadySet,
    StartRequested,
)
from protocol.common.text import Text
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import (
    Feature,
    FeatureKind,
    Monster,
    Phase,
    SecondEditionTable,
)
from tests.games.second_edition.client.scripted import FLOOD, Script, asked, lobby, playing
from tests.games.second_edition.client.stage import RecordingPort, model_of

ADA = "investigator/ada"


def _ui(script: Script, *, seat: int | None = 0) -> Ui:
    model = model_of(script, seat=seat)
    journal = Journal(lambda: model.speaker)
    journal.begin(model.view)
    return Ui(Desk(model, RecordingPort(), journal))


def _shown(script: Script, rows: int, columns: int, *, seat: int | None = 0) -> list[str]:
    return _ui(script, seat=seat).draw(rows, columns).plain().split("\n")


def _titles(lines: list[str]) -> list[tuple[int, str]]:
    """Return the panel titles in the lines, each with its column."""
    words = ("Map", "Party", "Objective", "Monsters", "Your cards", "Journal", "Your choice")
    marks = [f"─ {word} ─" for word in words]
    return [
        (line.index(mark), word)
        for line in lines
        for mark, word in zip(marks, words, strict=True)
        if mark in line
    ]


def _bars(lines: list[str], columns: int) -> list[int]:
    """Return the columns of vertical lines that run from top to bottom."""
    return [at for at in range(columns) if all(line[at : at + 1] == "│" for line in lines)]


def _scene(script: Script) -> SecondEditionScene:
    model = model_of(script)
    assert model.view is not None
    return SecondEditionScene(model.view.table, 0, model.speaker)


def _listing(count: int) -> Script:
    script = playing()
    choices = tuple(Choice(f"1.{at}", Text("digit", (at,))) for at in range(count))
    script.ask({0: Question(Text("ask/code"), choices)}, about=Text("ask/code"))
    return script


def test_a_small_terminal_has_what_nobody_can_do_without() -> None:
    titles = [title for _, title in _titles(_shown(asked(), 24, 80))]

    assert titles == ["Map", "Party", "Journal", "Your choice"]


def test_a_larger_one_has_more_between_party_and_journal() -> None:
    lines = _shown(asked(), 40, 120)
    places = {column for column, title in _titles(lines) if title not in {"Map", "Your choice"}}

    assert {title for _, title in _titles(lines)} >= {"Objective", "Monsters", "Your cards"}
    assert len(places) == 1


def test_a_wide_one_has_a_column_for_the_journal() -> None:
    lines = _shown(asked(), 60, 200)
    columns = {title: column for column, title in _titles(lines)}

    assert columns["Map"] < columns["Party"] < columns["Journal"]
    assert columns["Party"] == columns["Objective"] == columns["Monsters"]
    assert "─ Journal ─" in lines[1]


@pytest.mark.parametrize("columns", [150, 160, 200, 250])
def test_no_column_of_a_wide_one_is_cramped(columns: int) -> None:
    first, second = _bars(_shown(asked(), 50, columns)[1:48], columns)

    assert first >= columns // 2
    assert second - first - 1 >= 33
    assert columns - second - 1 >= 33


def test_the_monsters_stand_with_what_is_known_of_them() -> None:
    lines = _shown(asked(), 60, 200)

    at = next(row for row, line in enumerate(lines) if "t  Tallyman, Hall (1)" in line)
    assert "Damage 1/3" in lines[at]
    assert "awareness 2, horror 1, brawn 2" in lines[at + 1]


def test_too_many_monsters_are_listed_in_short_and_the_end_is_marked() -> None:
    script = asked()
    for at in range(60):
        kind = "monster/tallyman"
        script.emit(se.MonsterSpawned(Monster(f"x{at}", kind, 10 + at, "hall/a", 1, 1, 1, 1)))

    lines = [line[104:150] for line in _shown(script, 60, 200)]
    first = next(row for row, line in enumerate(lines) if "t10 Tallyman 10" in line)

    assert "t11" in lines[first + 1]
    assert any(line.rstrip(" │").endswith("v") for line in lines[first:])


def test_own_cards_can_be_read_where_there_is_room() -> None:

    def beside_the_map(seat: int) -> str:
        return "\n".join(line[105:150] for line in _shown(asked(), 60, 200, seat=seat)[1:58])

    wide, others = beside_the_map(0), beside_the_map(1)

    assert "Move one space less." in wide
    assert "reroll one die of" not in wide
    assert "reroll one die of" in others
    assert "Move one space less." not in others


def test_a_long_question_has_what_the_map_does_not_want() -> None:
    lines = _shown(_listing(20), 40, 120)

    assert all(any(f" {number} {number - 1} " in line for line in lines) for number in range(1, 21))


def test_a_crowded_board_leaves_a_question_some_rows() -> None:
    script = _listing(30)
    for at in range(40):
        script.emit(se.FeaturePlaced(Feature(f"f{at}", FeatureKind.FIRE, "study/b")))
    lines = _shown(script, 24, 80)
    first = next(row for row, line in enumerate(lines) if line.startswith("─ Your choice"))

    assert len(lines) - first - 1 - 2 >= 8


def test_an_empty_house_is_said() -> None:
    model = model_of(playing())
    assert model.view is not None
    game = model.view.table.game
    assert isinstance(game, SecondEditionTable)
    empty = attrs.evolve(game, tiles=())
    model.view.table = attrs.evolve(model.view.table, game=empty)
    ui = Ui(Desk(model, RecordingPort(), Journal(lambda: model.speaker)))

    assert "Nothing of the house is known yet." in ui.draw(24, 80).plain()


def test_the_map_is_moved_no_further_than_it_goes() -> None:
    ui = _ui(asked())
    ui.desk.prefs = attrs.evolve(ui.desk.prefs, map=MapSize.FULL)
    before = ui.draw(24, 80).plain()
    for _ in range(30):
        ui.press("L")
        ui.draw(24, 80)
    assert ui.draw(24, 80).plain() != before
    for _ in range(3):
        ui.press("H")

    assert ui.draw(24, 80).plain() == before


def test_the_size_of_the_map_goes_round() -> None:
    ui = _ui(asked())
    shown = []
    for _ in range(4):
        shown.append(ui.draw(24, 80).plain().split("\n")[:13])
        ui.press("z")
    fitting, full, least, again = ("\n".join(lines) for lines in shown)

    assert "│   Hall (1)   ╎" in full
    assert "Study (1)" in full
    assert fitting == again
    assert len({fitting, full, least}) == 3
    assert " > ─│" in full
    assert " > ─│" not in fitting
    assert "The map is drawn in full" in ui.draw(24, 80).plain()


@pytest.mark.parametrize("rows", [18, 24, 33, 47, 60, 80])
@pytest.mark.parametrize("columns", [50, 66, 80, 100, 119, 120, 149, 150, 175, 200, 300])
def test_every_size_keeps_its_columns_apart(rows: int, columns: int) -> None:
    lines = _shown(asked(), rows, columns)[1 : rows - 2]

    assert len(_bars(lines, columns)) == (2 if columns >= 150 else 1)


def _tags(rows: int, cursor: int) -> list[str]:
    """Return the kind shown in each line of a question whose second choice fills its line."""
    kinds = ("move", "look", "look", "look", "use")
    texts = ("digit", "choice/search", "digit", "digit", "digit")
    choices = tuple(
        Choice(f"1.{at}", Text(text, (at,)), (), kind)
        for at, (text, kind) in enumerate(zip(texts, kinds, strict=True))
    )
    canvas = Canvas(rows, 26)
    answering = Answering(0, Question(Text("digit", (1,)), choices))
    answering.cursor = cursor
    draw_question(canvas.pane(), _scene(playing()), answering, DiceInset(_scene(playing())))
    lines = [line.rstrip(" ^v") for line in canvas.plain().split("\n")[1:]]
    return [next((k for k in ("Move", "Look", "Use") if line.endswith(k)), "") for line in lines]


def test_a_kind_of_choices_is_named_where_its_first_leaves_no_room() -> None:
    """Otherwise the next choice would seem to be of the previous kind."""
    assert _tags(7, 0)[:5] == ["Move", "", "Look", "", "Use"]


def test_a_kind_of_choices_is_named_where_its_first_is_out_of_sight() -> None:
    assert _tags(4, 3) == ["Look", "", "Use"]


def test_a_prompt_is_cut_only_where_the_choices_need_its_room() -> None:
    shown = []
    for count in (2, 9):
        choices = tuple(Choice(f"1.{at}", Text("digit", (at,))) for at in range(count))
        canvas = Canvas(5, 24)
        answering = Answering(0, Question(Text("story/prologue"), choices))
        draw_question(canvas.pane(), _scene(playing()), answering, DiceInset(_scene(playing())))
        lines = canvas.plain().split("\n")
        shown.append(
            next(
                at
                for at, line in enumerate(lines)
                if line.lstrip(" >").startswith("1 ") and ">" in line
            )
        )

    assert shown == [3, 1]


def test_a_status_line_gives_way_in_the_order_of_what_stands_elsewhere_too() -> None:
    script = asked()
    script.emit(se.TimerSet(FLOOD))
    heads = [_shown(script, 24, columns)[0] for columns in (120, 100, 80, 60)]

    assert ["actions left" in head for head in heads] == [True, True, False, False]
    assert ["online 12 ms" in head for head in heads] == [True, False, True, False]
    assert ["12 ms" in head for head in heads] == [True] * 4
    assert ["The river rises: 3" in head for head in heads] == [True] * 4
    assert ["3 rounds left" in head for head in heads] == [True, True, True, False]


def _rows_of_map(ui: Ui, script: Script, choices: int) -> int:
    """Ask a question with this many choices; return the rows of map and legend at 80x24."""
    listed = tuple(Choice(f"1.{at}", Text("digit", (at,))) for at in range(choices))
    script.ask({0: Question(Text("ask/code"), listed)}, about=Text("ask/code"))
    model = ui.desk.model
    assert model.view is not None
    model.pass_steps(model.view.receive(script.cuts(0, model.view.last + 1)))
    lines = ui.draw(24, 80).plain().split("\n")
    titles = ("─ Map", "─ Your choice")
    first, last = (row for row, line in enumerate(lines) if line.startswith(titles))
    return last - first - 1


@pytest.mark.issue(14)
def test_a_map_keeps_its_rows_however_long_the_question_is() -> None:
    """A long question is paged instead, so players keep their place on the map."""
    script = playing()
    ui = _ui(script)

    assert len({_rows_of_map(ui, script, count) for count in (2, 12, 30)}) == 1


def test_a_map_that_had_to_be_higher_stays_so_for_a_round() -> None:
    steady = Steady()
    assert [steady.height(("hall",), 1, rows) for rows in (5, 9, 5)] == [5, 9, 9]
    assert [steady.height(("hall",), number, 5) for number in (2, 3)] == [9, 5]
    assert steady.height(("hall", "cellar"), 1, 4) == 4


@pytest.mark.issue(14)
@pytest.mark.parametrize(("is_known", "is_read"), [(False, True), (True, False)])
def test_before_the_house_is_known_a_question_has_the_room_of_the_map(
    *, is_known: bool, is_read: bool
) -> None:
    """All 15 choices fit at 80x24 before the first map tile; later the map needs the rows."""
    script = playing() if is_known else _before_the_house()
    # It is listed after all others.
    choices = tuple(Choice(f"1.{at}", Text("choice/gets", (ADA, "item/axe"))) for at in range(14))
    last = Choice("1.14", Text("choice/end"))
    script.ask(
        {0: Question(Text("ask/action", (ADA, 2)), (*choices, last))},
        about=Text("ask/action", (ADA, 2)),
    )

    assert any(" 15 " in line for line in _shown(script, 24, 80)) is is_read


def _before_the_house() -> Script:
    """Return a game that has investigators and no map yet."""
    script = lobby()
    players = (Player(0, "investigator", (ADA,)), Player(1, "investigator", ("investigator/vera",)))
    script.emit(
        CharactersClaimed(0, (ADA,)),
        CharactersClaimed(1, ("investigator/vera",)),
        ReadySet(0, is_ready=True),
        ReadySet(1, is_ready=True),
        StartRequested(0),
        GameStarted(players),
        se.PhaseBegan(Phase.SETUP, 0),
    )
    return script
