"""Pointing at a space of the map in a review, on the screen and in plain mode."""

import attrs
import pytest

from client.games.second_edition.speaker import spaces_named
from client.locale import load as locale_of
from client.screens.review.review_table import POINTED_SECONDS
from client.screens.review.space_box import SpaceBox
from client.settings.preferences import MapSize
from content.games.second_edition.schema.effects import End, PlaceTile
from content.games.second_edition.schema.pack import Pack
from protocol import messages
from protocol.common.table import RoomTable, Table
from tests.games.second_edition.client.stage import model_of, same_screen
from tests.games.second_edition.lobby import test_reviews_in_lines as in_lines
from tests.games.second_edition.lobby import test_reviews_on_screen as on_screen
from tests.games.second_edition.lobby.test_campaigns import ALONE, Saga
from tests.games.second_edition.lobby.test_reviews_on_screen import Screened
from tests.games.second_edition.simulate import core, scenario_id
from tests.kit.servers.house import House

pytestmark = pytest.mark.issue(17)


class Mapped(Saga):
    """Server with a scenario that ends once its first, empty tiles are placed."""

    def content(self) -> Pack:
        pack, known = super().content(), core().scenarios[scenario_id()]
        tiles = tuple(step for step in known.setup if isinstance(step, PlaceTile))
        setup = (*tiles, End(won=True, epilogue=known.prologue))
        alone = attrs.evolve(pack.scenarios[ALONE], setup=setup)
        return attrs.evolve(pack, scenarios={**pack.scenarios, ALONE: alone})


@pytest.fixture
def house() -> House:
    return Mapped()


def at_the_end(house: House, language: str = "en") -> tuple[Screened, Screened]:
    """Return two people in a review at the end of their game; the first one leads."""
    ann, ben, _ = on_screen.both(house, language)
    ann.press("end")
    ben.drawn()
    return ann, ben


def box_of(screened: Screened) -> SpaceBox:
    box = screened.ui.desk.boxes[-1]
    assert isinstance(box, SpaceBox)
    return box


def open_map(screened: Screened) -> SpaceBox:
    """Open the map in order to point at a space."""
    screened.press("x")
    menu = screened.ui.desk.boxes[-1]
    texts = [item.text for item in menu.items]  # type: ignore[attr-defined]  # a menu
    screened.press(*["down"] * texts.index(screened.ui.desk.say("review.point_space")), "enter")
    return box_of(screened)


def brackets(screened: Screened) -> list[str]:
    """Return the texts in brackets on the screen."""
    said = screened.drawn(30, 110)
    return [part.partition("]")[0].strip() for part in said.split("[")[1:]]


def where(screened: Screened, space: str) -> tuple[int, int]:
    """Return a cell of a space on the map in the box."""
    screened.ui.draw(24, 80)
    cells = ((row, column) for row in range(24) for column in range(80))
    return next(at for at in cells if space in [s.value for s in screened.ui._under(*at)])


def test_keys_choose_the_space_that_all_then_see(house: House) -> None:
    ann, ben = at_the_end(house)
    box = open_map(ann)
    names = list(box.spaces.values())
    assert len(names) > 1
    assert f"Point at: {names[0]}" in ann.drawn()

    assert f"Point at: {names[1]}" in ann.press("down")
    ann.press("enter")

    assert not ann.ui.desk.boxes
    assert f"Ann points at {names[1]}." in ben.drawn()
    assert names[1] in brackets(ben)
    house.settle(POINTED_SECONDS + 1)
    assert "points at" not in ben.drawn()
    assert names[1] not in brackets(ben)


def test_the_mouse_chooses_it_with_a_second_click(house: House) -> None:
    ann, ben = at_the_end(house)
    box = open_map(ann)
    last = list(box.spaces.values())[-1]
    row, column = where(ann, list(box.spaces)[-1])

    ann.ui.click(0, 70)
    assert f"Point at: {next(iter(box.spaces.values()))}" in ann.drawn()
    ann.ui.click(row, column)
    assert f"Point at: {last}" in ann.drawn()
    assert ann.ui.desk.boxes
    ann.ui.click(row, column)

    assert not ann.ui.desk.boxes
    assert f"Ann points at {last}." in ben.drawn()


def test_the_first_space_lies_before_the_second_and_after_the_last(house: House) -> None:
    ann, _ = at_the_end(house)
    names = list(open_map(ann).spaces.values())

    assert f"Point at: {names[-1]}" in ann.press("up")
    assert f"Point at: {names[0]}" in ann.press("down")
    ann.press("escape")
    assert not ann.ui.desk.boxes


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_box_looks_as_accepted(house: House, language: str) -> None:
    ann, _ = at_the_end(house)
    ann.client.model.locale = locale_of(language)
    ann.drawn()
    open_map(ann)
    ann.press("down")

    for rows, columns in ((24, 80), (18, 34)):
        same_screen(f"point_space-{columns}x{rows}-{language}", ann.ui.draw(rows, columns).plain())


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 20), (5, 40), (17, 51), (60, 200)])
def test_the_box_fits_any_terminal(house: House, rows: int, columns: int) -> None:
    ann, _ = at_the_end(house)
    for _ in open_map(ann).spaces:
        ann.ui.press("down")
        assert len(ann.ui.draw(rows, columns).plain().split("\n")) == rows


def test_a_small_terminal_shows_the_part_with_the_space(house: House) -> None:
    ann, _ = at_the_end(house)
    ann.ui.desk.prefs = attrs.evolve(ann.ui.desk.prefs, map=MapSize.FULL)
    box = open_map(ann)
    for space in (*box.spaces, *box.spaces):
        box.wheel([], 20)
        ann.ui.draw(12, 30)
        ann.ui.press("down")
        said = ann.ui.draw(12, 30).plain()
        here = box._selected
        assert f"Point at: {box.spaces[here]}" in said
        cells = ((row, column) for row in range(12) for column in range(30))
        assert any(here in [s.value for s in ann.ui._under(*at)] for at in cells), space


def test_before_the_map_there_is_nothing_of_it_to_point_at(house: House) -> None:
    ann, _, _ = on_screen.both(house)
    ann.press("home", "x")

    menu = ann.ui.desk.boxes[-1]
    assert "A space of the map" not in [item.text for item in menu.items]  # type: ignore[attr-defined]


def test_a_space_that_there_is_not_is_told_as_that(house: House) -> None:
    """A hostile client may have sent anything; an unknown space changes nothing on the map."""
    ann, ben = at_the_end(house)
    room_id = ann.replay.replay.tables[-1].room.room_id
    for event in (-1, 3, 10**6):
        ann.client.port.point_in_review(room_id, event, ("space", "no/such"))
        said = ben.drawn(40, 200)
        assert "Ann points at a space that the map does not have here." in said


def test_spaces_are_named_as_they_were_when_somebody_pointed(house: House) -> None:
    """The reader may be looking at a moment before the map is placed."""
    ann, ben = at_the_end(house)
    ben.press("home")
    name = next(iter(open_map(ann).spaces.values()))

    ann.press("enter")

    assert f"Ann points at {name}." in ben.drawn()


def test_a_table_of_no_game_has_no_spaces() -> None:
    assert spaces_named(Table(RoomTable("r")), model_of(None, seat=0).speaker) == {}


# In lines ----------------------------------------------------------------------------------


def typists(house: House) -> tuple[in_lines.Typist, in_lines.Typist, list[str]]:
    """Return two people at the end of their game, and the names of its spaces."""
    ann, ben, _ = in_lines.both(house)
    ann.type(str(10**6))
    replay = ann.plain._talk.replay
    assert replay is not None
    replay.replay.go_to(len(replay.replay.records) - 1)
    names = spaces_named(replay.replay.table, ann.client.model.speaker)
    ben.read()
    return ann, ben, list(names.values())


def test_a_space_is_pointed_at_by_its_name(house: House) -> None:
    ann, ben, names = typists(house)
    for name in names:
        ann.type(f"together point {name}")
        assert f"Ann points at {name}." in ben.read()
    ann.type("together point kitch")
    assert "Ann points at Kitchen." in ben.read()
    assert "Hall (1)" in ann.type("together point hall")
    assert "points at" not in ben.read()


def test_a_name_of_no_space_is_told(house: House) -> None:
    ann, ben, _ = typists(house)

    assert "xyzzy" in ann.type("together point xyzzy")
    assert "points at" not in ben.read()


def test_the_server_passes_on_which_space_it_is(house: House) -> None:
    """The server forwards the id alone, and each client has the words."""
    ann, ben = at_the_end(house)
    space = next(iter(open_map(ann).spaces))
    ann.press("enter")

    (told,) = [m for m in ben.client.session.sent if isinstance(m, messages.ReviewPointed)]
    assert (told.kind, told.piece) == ("space", space)
