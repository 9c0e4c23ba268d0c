"""Map and legend share the space of their pane; every sign can be looked up."""

import re
from collections.abc import Sequence

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.boards.areas import Area
from client.boards.filling import fill
from client.boards.labels import Label
from client.boards.legend import map_legend
from client.boards.map_with_legend import _Flow, draw_board
from client.boards.signs import Sign
from client.boards.viewport import BoardPart, Scroll
from client.games.second_edition.panes.board import outlook
from client.games.second_edition.panes.scene import SecondEditionScene
from client.locale import LANGUAGES
from client.settings.preferences import MapSize
from client.text.printable import width_of
from client.widgets.canvas import Canvas, Styled
from protocol.common.asks import Point
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Feature, FeatureKind, Monster
from tests.games.second_edition.client.scripted import Script, asked
from tests.games.second_edition.client.stage import model_of, ui_of


def _scene(script: Script, *lit: Point, language: str = "en") -> SecondEditionScene:
    model = model_of(script, language=language)
    assert model.view is not None
    return SecondEditionScene(model.view.table, 0, model.speaker, lit=frozenset(lit))


def _drawn(
    scene: SecondEditionScene,
    rows: int,
    columns: int,
    *,
    size: MapSize = MapSize.AUTO,
    scroll: Scroll | None = None,
    is_whole: bool = False,
) -> str:
    canvas = Canvas(rows, columns)
    view = outlook(scene, size)
    draw_board(canvas.pane(), scene, view, "", scroll or Scroll(), is_whole=is_whole)
    return canvas.plain()


def _crowded() -> Script:
    """Return a game with more on the board than a short legend can explain."""
    script = asked()
    script.emit(se.MonsterSpawned(Monster("x", "monster/tallyman", 2, "study/c", 4, 1, 1, 1)))
    for at, kind in enumerate(FeatureKind):
        script.emit(se.FeaturePlaced(Feature(f"f{at}", kind, "hall/c")))
    return script


def test_monsters_of_a_kind_are_named_once() -> None:
    assert "t Tallyman 1/3, t1 0/3, t2 0/4" in _drawn(_scene(_crowded()), 30, 100)


def test_all_parts_of_a_room_share_one_short_name() -> None:
    text = _drawn(_scene(asked()), 14, 46, size=MapSize.COMPACT)

    assert "Stu2" in text
    assert "Stu Study" in text
    assert "Study (2)" not in text


@pytest.mark.parametrize("rows", range(4, 14))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_legend_that_is_not_whole_says_how_much_is_missing_and_where(
    rows: int, language: str
) -> None:
    scene = _scene(_crowded(), language=language)
    text = _drawn(scene, rows, 46)

    mark = re.search(r"(\d+) more: w$|encore (\d+) : w$", text)
    assert mark is not None or "north is up" in text or "nord en haut" in text


def test_what_nobody_can_guess_comes_first() -> None:
    text = _drawn(_scene(_crowded()), 10, 36, size=MapSize.COMPACT)

    assert text.index("t Tallyman") < text.index("/ barricade") < text.index("* search")
    assert "═║ door" not in text


def test_what_cannot_be_seen_comes_last() -> None:
    scene = _scene(asked(), Point("space", "hall/a"))
    near = _drawn(scene, 7, 25, size=MapSize.COMPACT)
    far = _drawn(scene, 7, 25, size=MapSize.COMPACT, scroll=Scroll(0, 100))

    assert "Par Parlour" not in near
    assert "Par Parlour" in far


def test_a_room_that_is_pointed_at_is_explained_before_all_else() -> None:
    scene = _scene(asked(), Point("space", "study/b"))

    assert "\n Stu Study  t Tallyman" in _drawn(scene, 8, 46, size=MapSize.COMPACT)


def test_signs_known_by_heart_take_no_row_that_the_board_needs() -> None:
    legends = [
        [line for line in _drawn(_scene(asked()), rows, 46).split("\n") if line[:1] == " "]
        for rows in (8, 12)
    ]

    assert len(legends[0]) < len(legends[1])


def test_before_there_is_a_house_there_is_nothing_to_explain() -> None:
    assert map_legend(_scene(asked()), None, BoardPart(0, 0, 9, 46)) == ([], 0)


def test_a_whole_legend_explains_every_sign() -> None:
    text = _drawn(_scene(_crowded()), 21, 80, is_whole=True)

    assert "A Ada Lorne" in text
    assert "north is up" in text
    assert "more: w" not in text


def test_a_narrow_room_is_named_close_to_its_wall_rather_than_not_at_all() -> None:
    area = Area(((0, 1, 3),), ((0, 0, 1, 5),))
    label = Label("Parlour", "Parlour", "", "Par")
    sign = Sign("o", "", "token", "t")

    filling = fill(area, label, (sign,), frozenset(), has_ends=False)
    assert [place[:3] for place in filling.name] == [(0, 0, "Par")]
    assert filling.signs == ((0, 4, sign),)
    for lit, is_lit in ((frozenset({sign}), False), (frozenset[Sign](), True)):
        assert fill(area, label, (sign,), lit, has_ends=is_lit).name == ()


def flowed(entries: Sequence[Styled], columns: int) -> list[Styled]:
    """Return lines filled with entries one by one: the obvious layout to compare with."""
    lines: list[Styled] = []
    used = columns
    for entry in entries:
        need = sum(width_of(text) for _, text in entry) + 2
        if used + need > columns + 1:
            lines.append([("", " ")])
            used = 1
        lines[-1] += [*entry, ("", "  ")]
        used += need
    return lines


def cut_to(
    scene: SecondEditionScene, entries: Sequence[Styled], columns: int, rows: int
) -> tuple[list[Styled], int]:
    """Drop entries one by one until the others fit, with a mark that some are missing."""
    for told in range(len(entries) - 1, -1, -1):
        mark = scene.speaker.say("map.more", len(entries) - told)
        lines = flowed(entries[:told], columns) or [[("", " ")]]
        gap = columns - sum(width_of(text) for _, text in lines[-1]) - width_of(mark)
        if len(lines) < rows and gap < 0:
            lines.append([])
            gap = columns - width_of(mark)
        if len(lines) <= rows and gap >= 0:
            lines[-1] = [*lines[-1], ("", " " * gap), ("class:hint", mark)]
            return lines, told
    return flowed(entries, columns)[:rows], 0


@pytest.mark.issue(12)
@given(
    st.lists(st.lists(st.integers(1, 9), min_size=1, max_size=3), max_size=12),
    st.integers(5, 40),
    st.integers(1, 5),
)
def test_a_legend_is_cut_as_if_each_length_was_tried(
    widths: list[list[int]], columns: int, rows: int
) -> None:
    """The optimised code lays the entries out only once."""
    scene = _scene(asked())
    entries: list[Styled] = [[("s", "x" * width) for width in entry] for entry in widths]

    flow = _Flow.arrange(entries, columns)

    assert (flow.lines(), flow.rows) == (flowed(entries, columns), len(flowed(entries, columns)))
    if flow.rows > rows:
        assert flow.cut(scene, rows) == cut_to(scene, entries, columns, rows)


@pytest.mark.issue(12)
def test_moving_the_cursor_back_lays_out_no_space_anew() -> None:
    """The map reuses the cached cells of each space that was drawn before."""
    ui = ui_of(_crowded())
    for key in ("down", "up"):
        ui.draw(60, 200)
        ui.press(key)
    ui.draw(60, 200)
    before = fill.cache_info()

    ui.press("down")
    ui.draw(60, 200)

    after = fill.cache_info()
    assert after.misses == before.misses
    assert after.hits > before.hits


# The map on the whole screen ---------------------------------------------------------------


def test_a_key_shows_the_whole_map_and_takes_it_away() -> None:
    ui = ui_of(_crowded())
    before = ui.draw(24, 80).plain()
    ui.press("w")
    whole = ui.draw(24, 80).plain()
    ui.press("w")

    assert "more: w" in before
    assert "north is up" in whole
    assert "Party" not in whole
    assert ui.draw(24, 80).plain() == before


def test_what_is_pointed_at_stays_so_on_the_whole_map() -> None:
    ui = ui_of(asked())
    ui.draw(24, 80)
    ui.press("w")

    assert "[" in ui.draw(24, 80).plain()


def test_the_whole_map_is_moved_and_sized_as_the_small_one() -> None:
    ui = ui_of(asked())
    ui.draw(24, 50)
    ui.press("w")
    ui.press("z")
    shown = ui.draw(24, 50).plain()
    ui.press("right")

    assert "Map in full" in shown
    assert ui.draw(24, 50).plain() != shown
    ui.press("escape")
    assert ui.desk.prefs.map is MapSize.FULL


@pytest.mark.issue(14)
def test_a_whole_map_that_does_not_fit_names_the_keys_that_move_it() -> None:
    ui = ui_of(asked())
    ui.draw(24, 80)
    ui.press("w")
    fits = ui.draw(24, 80).plain().splitlines()[-1]
    ui.press("z")
    foot = ui.draw(24, 50).plain().splitlines()[-1]
    for _ in range(20):
        ui.press("right")
    end = ui.draw(24, 50).plain().splitlines()[-1]

    assert "map right" not in fits
    assert "map down" not in fits
    assert "Right map right" in foot
    assert "Left map left" not in foot
    assert "Left map left" in end
    assert "Right map right" not in end


def test_a_map_that_is_shown_in_part_names_the_key_for_the_rest() -> None:
    ui = ui_of(asked())
    assert "(w: all of it)" not in ui.draw(24, 80).plain()
    ui.desk.prefs = attrs.evolve(ui.desk.prefs, map=MapSize.FULL)

    assert "─ Map in full (w: all of it) ─" in ui.draw(24, 80).plain()
