"""Map: positions, highlights, and how a board is fitted to its pane."""

from collections.abc import Mapping

import attrs
import pytest

from client.boards.areas import Area
from client.boards.filling import fill
from client.boards.labels import Label, labels
from client.boards.legend import coded_labels, line_legend, room_legend
from client.boards.map import Seen, draw_map
from client.boards.signs import Sign
from client.boards.viewport import BoardPart, BoardPosition, Scroll
from client.boards.walls import walls
from client.games.second_edition.panes.board import board_of, outlook
from client.games.second_edition.panes.scene import SecondEditionScene
from client.games.second_edition.panes.signs import (
    ANYBODY,
    FEATURES,
    LYING,
    TOKENS,
    investigator_signs,
    monster_signs,
)
from client.locale import load
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.settings.preferences import Charset, MapSize
from client.widgets.canvas import Canvas, Styled
from protocol.boards.maps import Boundary, Covering, PlacedTile
from protocol.common.asks import Point
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import (
    Feature,
    FeatureKind,
    Monster,
    SecondEditionTable,
    Token,
    TokenKind,
)
from tests.games.second_edition.client.scripted import Script, asked, words

SPEAKER = Speaker(load("en"), words())


def _scene(
    script: Script, *lit: tuple[str, str], charset: Charset = Charset.BOXES
) -> SecondEditionScene:
    points = frozenset(Point(kind, piece) for kind, piece in lit)
    return SecondEditionScene(script.table, 0, SPEAKER, charset, points)


def _seen(scene: SecondEditionScene, rows: int, columns: int, size: MapSize = MapSize.FULL) -> Seen:
    view = outlook(scene, size)
    assert view is not None
    return view.within(rows, columns)


def _drawn(
    scene: SecondEditionScene,
    rows: int = 11,
    columns: int = 59,
    scroll: Scroll | None = None,
    size: MapSize = MapSize.FULL,
) -> str:
    canvas = Canvas(rows, columns)
    draw_map(canvas.pane(), scene, _seen(scene, rows, columns, size), scroll or Scroll())
    return canvas.plain()


def _legend(scene: SecondEditionScene) -> list[Styled]:
    board = board_of(scene)
    assert board is not None
    return [entry.line for entry in board.legend]


def _codes(
    scene: SecondEditionScene, rows: int, columns: int, size: MapSize = MapSize.FULL
) -> list[Styled]:
    return room_legend(coded_labels(scene, _seen(scene, rows, columns, size)))


def _labels(game: SecondEditionTable, speaker: Speaker) -> Mapping[str, Label]:
    return labels(game.tiles, game.map, speaker)


def _game(script: Script) -> SecondEditionTable:
    assert isinstance(script.table.game, SecondEditionTable)
    return script.table.game


def test_rooms_figures_tokens_and_lines_are_told_apart() -> None:
    assert _drawn(_scene(asked())) == (
        "┌──────────────┬─────────────┬────────────────┬───────────┐\n"
        "│   Hall (1)   ╎  Hall (2)   │   Study (1)    │  Parlour  │\n"
        "│              ╎             │                │           │\n"
        "│              ╎             ║                │           │\n"
        "│    A R t     ╎     V *     ║      t1 !      ║           │\n"
        "│              ╎             │                ║           │\n"
        "├────══────────┴─────────────┼╪╪╪╪╪╪╪╪╪╪╪╪╪╪╪╪┤     o     │\n"
        "│          Kitchen           │   Study (2)    │           │\n"
        "│                            │                │           │\n"
        "│             @              │                │           │\n"
        "└─────────────────═?═────────┴────────────────┴───────────┘"
    )


def test_a_barricade_shows_in_its_space_and_on_the_door_that_it_blocks() -> None:
    script = asked()
    barricade = Feature("barricade/hall/c", FeatureKind.BARRICADE, "hall/c", "hall/1")
    script.emit(se.FeaturePlaced(barricade))
    assert "─═?═─" in _drawn(_scene(script))

    script.emit(se.BarricadeShifted("barricade/hall/c", "hall/2"))

    drawn = _drawn(_scene(script)).split("\n")
    assert "@ /" in drawn[9]
    assert "═?/─" in drawn[10]


def test_a_covered_door_and_wall_are_drawn_as_what_they_are_now() -> None:
    script = asked()
    board = _game(script).map
    script.emit(
        se.CoveringPlaced(Covering("wall/hall/1", Boundary.WALL, board.doors["hall/1"].cells))
    )
    script.emit(se.CoveringPlaced(Covering("breach", Boundary.DOOR, ((1, 46),))))

    drawn = _drawn(_scene(script)).split("\n")
    assert [line[29] for line in drawn[3:5]] == ["│", "│"]
    assert drawn[1][46] == "║"


@pytest.mark.rule("DECIDE-108")
@pytest.mark.parametrize("charset", Charset)
def test_the_legend_says_where_north_is(charset: Charset) -> None:
    """The board is never turned: its first row is north."""
    entries = [
        "".join(text for _, text in entry)
        for entry in line_legend(_scene(asked(), charset=charset))
    ]

    assert entries[-1] == "north is up"


def test_ascii_draws_the_same() -> None:
    drawn = _drawn(_scene(asked(), charset=Charset.ASCII))

    assert drawn.isascii()
    assert drawn.split("\n")[6] == "+----==--------+-------------+}}}}}}}}}}}}}}}}+     o     |"


@pytest.mark.parametrize(
    ("kind", "piece", "shown"),
    [
        ("space", "hall/c", "│[            @             ]│"),
        ("monster", "m1", "│   A R [t]    ╎"),
        ("investigator", "investigator/ada", "│   [A] R t    ╎"),
        ("token", "token/coats", "╎    V [*]    ║"),
        ("token", "token/cellar", "#?#"),
        ("door", "hall/2", "#?#"),
    ],
)
def test_what_is_lit_is_marked(kind: str, piece: str, shown: str) -> None:
    """Brackets, or crosses on a door, also work without colours."""
    scene = _scene(asked(), (kind, piece))

    assert shown in _drawn(scene)
    assert shown not in _drawn(_scene(asked()))


@pytest.mark.rule("TOKEN-6")
def test_persons_without_a_name_have_a_sign_of_their_own() -> None:
    script = asked()
    guest = Token("token/guest", TokenKind.PERSON, "hall/c", is_anonymous=True)
    script.emit(se.TokenPlaced(guest))
    scene = _scene(script)

    entries = ["".join(text for _, text in entry) for entry in _legend(scene)]

    assert '" unnamed person' in entries
    assert "@ person" in entries
    assert '@ "' in _drawn(scene)


def test_features_have_signs_and_a_legend() -> None:
    script = asked()
    for kind in (FeatureKind.FIRE, FeatureKind.DARKNESS):
        script.emit(se.FeaturePlaced(Feature(f"{kind.value}/study/a", kind, "study/a")))
    scene = _scene(script, ("feature", "fire/study/a"))

    said = ["".join(text for _, text in entry) for entry in _legend(scene)]

    assert "t1 ! [^] &" in _drawn(scene)
    assert "^ fire" in said
    assert "& darkness" in said


def test_a_small_pane_shows_what_is_lit() -> None:
    drawn = _drawn(_scene(asked(), ("token", "token/window")), rows=5, columns=20)

    assert "o" in drawn


def test_a_card_on_the_floor_does_not_move_the_map() -> None:
    script = asked()
    script.emit(se.PossessionDropped("investigator/vera", "p1", "study/a"))

    lit = _scene(script, ("possession", "p1"))

    assert "[%]" in _drawn(lit)
    assert _position(lit, 5, 20, Scroll()) == _position(_scene(script), 5, 20, Scroll())


def test_a_small_pane_can_be_moved() -> None:
    scene = _scene(asked())

    far = _drawn(scene, 5, 20, Scroll(1000, 1000))

    assert far.split("\n")[-1].endswith("┘")


def _position(
    scene: SecondEditionScene, rows: int, columns: int, scroll: Scroll
) -> tuple[BoardPart, Scroll]:
    return _seen(scene, rows, columns).part(scene, (rows, columns), scroll)


def test_a_board_stays_where_it_lies_while_what_matters_is_in_view() -> None:
    """Moving through choices must not scroll the map unnecessarily."""
    beside = _scene(asked(), ("space", "hall/c"))
    first, lay = _position(_scene(asked(), ("space", "hall/b")), 11, 40, Scroll())

    assert _position(beside, 11, 40, Scroll())[0] != first
    assert _position(beside, 11, 40, lay)[0] == first


def test_what_leaves_the_view_is_brought_into_the_middle() -> None:
    far = _scene(asked(), ("token", "token/window"))
    centred, _ = _position(far, 5, 20, Scroll())
    _, lay = _position(_scene(asked(), ("space", "hall/b")), 5, 20, Scroll())
    of_another_board = BoardPosition(2, 36, 1000, 1000)

    assert _position(far, 5, 20, lay)[0] == centred
    assert _position(far, 5, 20, Scroll(position=of_another_board))[0] == centred


def test_a_map_that_was_moved_goes_back_where_it_lay() -> None:
    scene = _scene(asked(), ("space", "hall/b"))
    first, lay = _position(scene, 5, 20, Scroll())

    moved, scroll = _position(scene, 5, 20, lay.moved(0, 3))

    assert moved.left == first.left + 3
    assert _position(scene, 5, 20, scroll.reset())[0] == first


def test_a_large_pane_keeps_the_board_in_the_middle() -> None:
    lines = _drawn(_scene(asked()), 15, 69).split("\n")

    assert [len(lines[0]), lines[2][:6]] == [0, "     ┌"]


def test_nothing_is_seen_before_there_is_a_house() -> None:
    assert outlook(_scene(Script()), MapSize.AUTO) is None


def test_investigators_who_begin_alike_get_different_letters() -> None:
    signs = investigator_signs(_game(asked()), SPEAKER)

    assert [sign.char for sign in signs.values()] == ["A", "R", "V"]


def test_names_without_a_letter_of_ours_have_one() -> None:
    speaker = Speaker(load("en"), WordStore({"investigator/ada": {"name": "Аделаида"}}))

    signs = investigator_signs(_game(asked()), speaker)

    assert len({sign.char for sign in signs.values()}) == 3
    assert all(sign.char.isascii() for sign in signs.values())


def test_kinds_of_monster_differ_and_are_numbered() -> None:
    script = asked()
    script.emit(se.MonsterSpawned(Monster("m3", "monster/toad", 0, "hall/c", 1, 1, 1, 1)))

    signs = monster_signs(_game(script), SPEAKER)

    assert [sign.char for sign in signs.values()] == ["t", "t1", "a"]


def test_a_crowd_is_counted() -> None:
    script = asked()
    for at in range(40):
        kind = "monster/tallyman"
        script.emit(se.MonsterSpawned(Monster(f"x{at}", kind, 10 + at, "hall/a", 1, 1, 1, 1)))

    assert "+" in _drawn(_scene(script)).split("\n")[5]


@pytest.mark.parametrize("charset", Charset)
def test_every_line_has_a_glyph_one_cell_wide(charset: Charset) -> None:
    glyphs = walls(_game(asked()).tiles, (), charset)

    assert {len(glyph.char) for glyph in glyphs.values()} == {1}


# The board made smaller --------------------------------------------------------------------


def _compact(scene: SecondEditionScene) -> str:
    return _drawn(scene, 5, 40, size=MapSize.COMPACT)


def test_a_name_of_two_words_is_broken_rather_than_cut() -> None:
    script = asked()
    scene = attrs.evolve(_scene(script), speaker=Speaker(load("en"), words()))
    scene.speaker.words.add("en", (("room/parlour", (("name", "Drowned Parlour"),)),))

    lines = [line[-12:] for line in _drawn(scene).split("\n")]

    assert [line.strip("│║ ") for line in lines[1:3]] == ["Drowned", "Parlour"]
    assert any("o" in line for line in lines[3:])


@pytest.mark.parametrize(
    ("rows", "crowd", "shown"),
    [
        (2, 1, ["Dro"]),
        (3, 1, ["Drowned", "Parlour"]),
        (3, 6, ["Dro"]),
    ],
    ids=["two rows", "three rows", "three rows and a crowd"],
)
def test_a_name_takes_two_rows_where_one_is_left_for_what_stands_there(
    rows: int, crowd: int, shown: list[str]
) -> None:
    area = Area(tuple((row, 1, 7) for row in range(rows)), ())
    label = Label("Drowned Parlour", "Drowned Parlour", "", "Dro")
    filled = fill(
        area,
        label,
        (Sign("o", "class:map.token", "token", "t0"),) * crowd,
        frozenset(),
        has_ends=False,
    )

    assert [text for _, _, text, _ in filled.name] == shown
    assert not filled.missing


@pytest.mark.parametrize("charset", Charset)
def test_no_line_looks_like_a_token(charset: Charset) -> None:
    drawing = (
        "+-===-+-----+",
        "|  a  !  b  |",
        "+.....+~~~~~+",
        "|  c  :  d  |",
        "+-----+-----+",
    )
    rooms = tuple((space, f"room/{space}") for space in "abcd")
    glyphs = walls((PlacedTile("all", 0, 0, drawing, rooms),), (), charset)
    lines = {glyph.char for glyph in glyphs.values()}

    assert lines.isdisjoint({*TOKENS.values(), *FEATURES.values(), ANYBODY, LYING})


def test_a_smaller_board_keeps_every_sign() -> None:
    assert [line.strip() for line in _compact(_scene(asked())).split("\n")] == [
        "┌─────────┬───────┬────────┬─────┐",
        "│  A R t  ╎  V *  ║  t1 !  ║ Par │",
        "├───══────┴───────┼╪╪╪╪╪╪╪╪┤     │",
        "│    Kitchen @    │  Stu2  │  o  │",
        "└────────────═?═──┴────────┴─────┘",
    ]


@pytest.mark.parametrize(
    ("kind", "piece", "shown"),
    [
        ("space", "hall/c", "│[   Kitchen @   ]│"),
        ("monster", "m1", "│ A R [t] ╎"),
        ("investigator", "investigator/ada", "│ [A] R t ╎"),
        ("token", "token/coats", "╎ V [*] ║"),
        ("door", "hall/2", "#?#"),
    ],
)
def test_what_is_lit_is_marked_on_a_smaller_board_too(kind: str, piece: str, shown: str) -> None:
    """The brackets have reserved columns, so walls do not shift with the cursor."""
    lit = _compact(_scene(asked(), (kind, piece)))

    assert shown in lit
    assert lit.split("\n")[0] == _compact(_scene(asked())).split("\n")[0]


def test_short_names_are_told() -> None:
    scene = _scene(asked(), ("space", "study/b"))

    shown = _codes(scene, 5, 40, MapSize.COMPACT)

    assert ["".join(text for _, text in entry) for entry in shown] == [
        *("Stu Study", "Par Parlour"),
    ]
    assert _codes(scene, 11, 59) == []


def test_all_short_names_can_be_read_in_the_help() -> None:
    told = [
        "".join(text for _, text in entry)
        for entry in room_legend(_labels(_game(asked()), SPEAKER).values())
    ]

    assert told == ["Hal Hall", "Kit Kitchen", "Stu Study", "Par Parlour"]


def test_a_board_that_fits_is_drawn_whole() -> None:
    scene = _scene(asked())

    assert _seen(scene, 11, 59, MapSize.AUTO).board.is_whole
    drawn = _seen(scene, 9, 50, MapSize.AUTO).board
    assert [drawn.rows, drawn.columns] == [9, 50]


@pytest.mark.issue(14)
@pytest.mark.parametrize(
    ("width", "agreed", "shown"),
    [
        (20, "Pictures", "Picture Gallery (1)"),
        (17, "Pictures", "Picture Gallery 1"),
        (16, "Pictures", "Pictures 1"),
        (9, "Pictures", "PG1"),
        (16, "", "PG1"),
        (3, "", "PG1"),
        (2, "", ""),
    ],
)
def test_a_name_is_whole_or_the_short_one_of_the_pack_or_a_code(
    width: int, agreed: str, shown: str
) -> None:
    label = Label("Picture Gallery (1)", "Picture Gallery", " 1", "PG", agreed)

    assert label.within(width) == shown


@pytest.mark.issue(14)
def test_the_short_name_of_a_room_comes_from_its_pack() -> None:
    names = {"room/hall": {"name": "Entrance Hall", "short": "Lobby"}}
    found = _labels(_game(asked()), Speaker(load("en"), WordStore(names)))

    hall = found["hall/a"]
    assert (hall.agreed, hall.short) == ("Lobby", "Lob")


@pytest.mark.issue(14)
def test_a_board_grows_into_a_large_pane_and_says_what_stands_in_its_rooms() -> None:
    scene = _scene(asked())
    usual = _seen(scene, 11, 59, MapSize.AUTO)
    large = _seen(scene, 100, 200, MapSize.AUTO)
    text = _drawn(scene, 24, 118, size=MapSize.AUTO)

    assert (large.board.rows, large.board.columns) == (2 * usual.board.rows, 118)
    assert large.board.board.edges == usual.board.board.edges
    assert "A  Ada Lorne" in text
    assert "*  search" in text


@pytest.mark.issue(14)
def test_a_board_drawn_in_full_does_not_grow() -> None:
    scene = _scene(asked())

    assert not _seen(scene, 100, 200, MapSize.FULL).board.is_grown


def test_rooms_that_begin_alike_are_told_apart() -> None:
    names = {"hall": "Number Two", "kitchen": "Number Twelve", "study": "Number", "parlour": "Nun"}
    store = WordStore({f"room/{room}": {"name": name} for room, name in names.items()})
    found = _labels(_game(asked()), Speaker(load("en"), store))

    rooms = {label.room: label for label in found.values()}
    assert len({label.short for label in rooms.values()}) == len(rooms)
    for width in range(14):
        forms = [label.within(width) for label in rooms.values() if label.within(width)]
        assert len({*forms}) == len(forms)


def test_an_unexplored_door_is_in_the_legend() -> None:
    said = ["".join(text for _, text in entry) for entry in _legend(_scene(asked()))]
    plain = _legend(_scene(asked(), charset=Charset.ASCII))

    assert "═?═ unexplored door" in said
    assert "? explore" not in said
    assert "=?= unexplored door" in ["".join(text for _, text in entry) for entry in plain]


def test_a_door_at_the_end_of_the_known_map_holds_no_figures() -> None:
    script = asked()
    script.emit(se.TilePlaced(PlacedTile("hut", 20, 0, _HUT, (("a", "room/hall"),))))
    script.emit(se.InvestigatorMoved("investigator/vera", "hut/a"))

    drawn = _drawn(_scene(script), rows=30)

    assert "hut/a" in _game(script).map.doors
    assert drawn.count("V") == 1
    assert "┌──═══───┐" in drawn


_HUT = ("+--===---+", "|        |", "|   a    |", "+--------+")
