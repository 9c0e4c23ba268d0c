"""Outsider: a verifier and a client that were written from PROTOCOL.md alone."""

import enum
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from client.model.tables import TableView
from protocol import archive, codec
from protocol.audit import audit
from protocol.boards.maps import Boundary as MapLine
from protocol.boards.maps import Covering, PlacedTile, compose, drawn, wall_between
from protocol.common.text import Text
from protocol.describe import events_of
from protocol.event import Cut, Sealed, cut, earlier_kinds, everything
from protocol.games.second_edition.events import (
    AttemptBegan,
    AttemptEnded,
    BarricadeAssaulted,
    BarricadeShifted,
    CoveringPlaced,
    CoveringRemoved,
    LockLaidOut,
    LockSlid,
    LyingDiscarded,
    MonsterCorrected,
    PossessionDropped,
    SlideLaidOut,
    SlideSwapped,
    StepsAdded,
    Told,
)
from protocol.games.second_edition.table import LockPiece, LockPuzzle, SlidePuzzle
from protocol.keys import SigningKey
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, DROWNED
from tests.games.second_edition.rules.worlds_effects import KNIFE
from tests.games.second_edition.rules.worlds_ways import barricade, rooms
from tests.games.second_edition.simulate import Simulation, core, scenario_id, simulate
from tests.games.second_edition.spellbook import spellbook
from tests.protocol import vectors
from tests.protocol.readers import outsider, outsider_table
from tests.protocol.readers.outsider import Line, Row, Secret, Wrong

PROTOCOL = Path(__file__).parents[4] / "protocol"
PAGES = (PROTOCOL / "PROTOCOL.md", PROTOCOL / "games/second_edition/PROTOCOL.md")
OURS = ("protocol.common.events", "protocol.games.second_edition.events")
KEY = SigningKey.from_seed(bytes(32))


@pytest.fixture(scope="module")
def played() -> Simulation:
    """Return a finished game of three with Spells."""
    return simulate(2, 3, pack=spellbook()).play()


def cuts_for(played: Simulation, seat: int | None, *, is_whole: bool) -> tuple[Cut, ...]:
    """Return the log as a seat, or the server, may have it."""
    return tuple(everything(s) if is_whole else cut(s, seat) for s in played.room.log)


def file_of(played: Simulation, seat: int, *, is_whole: bool) -> bytes:
    """Return the log as an archive."""
    cuts = cuts_for(played, seat, is_whole=is_whole)
    shown = -1 if is_whole else seat
    header = archive.Header(
        archive.MAGIC, played.room.room_id, is_whole, shown, 0, 1, KEY.public, len(cuts)
    )
    return b"".join(archive.write(header, cuts, (), sign=KEY.sign))


@pytest.mark.parametrize("is_whole", [True, False])
def test_an_outsider_verifies_a_game(played: Simulation, *, is_whole: bool) -> None:
    """The outsider computes as many draws as our own verifier does."""
    data = file_of(played, 1, is_whole=is_whole)

    checked = outsider.verify(data)

    assert checked.draws == audit(archive.load(data)).counts.computed.total() > 0
    assert len(checked.lines) == len(played.room.log)


def test_an_outsider_finds_a_changed_byte(played: Simulation) -> None:
    data = bytearray(file_of(played, 1, is_whole=True))
    data[len(data) // 2] ^= 1

    with pytest.raises(Exception):  # noqa: B017 (whatever its libraries raise)
        outsider.verify(bytes(data))


def test_an_outsider_finds_a_die_that_the_seed_did_not_roll(played: Simulation) -> None:
    """The outsider recomputes dice from the key of their stream; a changed roll does not fit."""
    rolled = next(
        line
        for line in outsider.verify(file_of(played, 0, is_whole=True)).lines
        if line.tag == "rolled/2"
    )
    *others, faces = rolled.fields
    changed = attrs.evolve(rolled, fields=(*others, (*faces[::-1], 0)))

    assert not outsider.is_fair(bytes(32), changed, version=2)


def test_an_outsider_refuses_a_cut_off_file() -> None:
    with pytest.raises(Wrong, match="cut off"):
        outsider.verify(vectors.archive_bytes()[:-1])


@pytest.mark.parametrize("seat", [0, pytest.param(2, marks=pytest.mark.long), None])
@pytest.mark.parametrize("often", [200, pytest.param(40, marks=pytest.mark.long)])
def test_an_outsider_folds_the_same_table(played: Simulation, seat: int | None, often: int) -> None:
    """The two tables are compared after every `often` records, for a player and for a spectator."""
    room_id = played.room.room_id
    ours, theirs = TableView(room_id, seat), outsider_table.empty_table()
    for shown in cuts_for(played, seat, is_whole=False):
        openings = [(slot, (o.salt, o.value)) for slot, o in shown.openings]
        line = outsider.read(room_id, shown.public, openings)
        outsider_table.fold(theirs, line)
        [step] = ours.receive((shown,))
        if step.record.sequence % often == 0:
            assert plain(theirs["room"]) == plain(step.after.room), line
            assert plain(theirs["game"]) == plain(step.after.game), line

    assert plain(theirs) == plain(ours.table)


def plain(thing: Any) -> Any:
    """Return a table of either side as arrays and mappings, secrets as references."""
    if isinstance(thing, Sealed | Secret):
        return ("secret", thing.ref, thing.commitment, thing.is_open)
    if isinstance(thing, enum.Enum):
        return thing.value
    if isinstance(thing, Row):
        return tuple(plain(value) for value in thing.values())
    if isinstance(thing, Mapping):
        return {plain(key): plain(value) for key, value in thing.items()}
    if isinstance(thing, tuple):
        return tuple(plain(item) for item in thing)
    if attrs.has(type(thing)):
        return tuple(plain(getattr(thing, a.name)) for a in attrs.fields(type(thing)) if a.init)
    return thing


def covered(tiles: tuple[PlacedTile, ...]) -> tuple[Covering, ...]:
    """Return a Wall token on every second door, and a Door token on each wall that takes one."""
    board = compose(tiles)
    doors = tuple({door.door: door for door in board.doors.values()}.values())
    walls = [edge for edge in board.edges if edge.line is MapLine.WALL]
    return (
        *(Covering(f"wall/{door.door}", MapLine.WALL, door.cells) for door in doors[::2]),
        *(
            Covering(f"door{n}", MapLine.DOOR, wall_between(board, edge.one, edge.other))
            for n, edge in enumerate(walls)
        ),
    )


def test_an_outsider_folds_what_no_simulated_game_has() -> None:
    """For example, the introductory scenario has no Coverings and no Barricades."""
    bench = rooms(monsters=[(DROWNED, "house/c")], items=[KNIFE], has={ADA: ["item/knife"]})
    before = bench.game_table
    bench.emit(CoveringPlaced(Covering("wall/house/2", MapLine.WALL, ((1, 8),))))
    bench.emit(CoveringPlaced(Covering("breach", MapLine.DOOR, ((1, 8),))))
    bench.emit(CoveringRemoved("wall/house/2"))
    barricade(bench, "b")
    bench.emit(BarricadeShifted("barricade/house/b", "house/1"))
    bench.emit(BarricadeAssaulted("m1", "barricade/house/b", (), is_broken=False))
    bench.emit(PossessionDropped(ADA, "p1", "house/a"))
    bench.emit(LyingDiscarded("house/a", "p1"))
    _work_on_puzzles(bench)
    bench.emit(MonsterCorrected("m1", 1))
    bench.emit(Told(Text("text/activation", (ADA,)), "m1"))
    assert bench.game_table != before

    theirs = outsider_table.empty_table()
    theirs["game"] = outsider_table.empty_game()
    for stored in bench.stored:
        shown = cut(stored, 0)
        openings = [(slot, (o.salt, o.value)) for slot, o in shown.openings]
        outsider_table.fold(theirs, outsider.read("bench", shown.public, openings))

    fields = ("tiles", "coverings", "monsters", "features", "investigators", "lying", "supply")
    for field in (*fields, "puzzles", "attempt"):
        assert plain(theirs["game"][field]) == plain(getattr(bench.game_table, field)), field


def _work_on_puzzles(bench: Bench) -> None:
    """Swap two pieces of a picture, slide two of a lock, and leave the second attempt open."""
    pieces = tuple((letter,) for letter in "bacdef")
    bench.emit(SlideLaidOut(SlidePuzzle("slide/face", 3, pieces)))
    bench.emit(AttemptBegan(ADA, "slide/face", 2))
    bench.emit(SlideSwapped("slide/face", (0, 1), is_solved=True))
    bench.emit(AttemptEnded())
    level, upright = LockPiece(0, 0, 2, is_upright=False), LockPiece(1, 3, 2, is_upright=True)
    bench.emit(LockLaidOut(LockPuzzle("lock/box", 4, 4, (level, upright))))
    bench.emit(AttemptBegan(ADA, "lock/box", 1))
    bench.emit(StepsAdded(1))
    bench.emit(LockSlid("lock/box", 0, 1, is_solved=False))
    bench.emit(LockSlid("lock/box", 1, -1, is_solved=False))


def test_an_outsider_reads_the_same_board() -> None:
    """The boards are that of the core pack and the one in the document."""
    scenario = core().scenarios[scenario_id()]
    house = tuple(
        PlacedTile(
            tile.id,
            tile.row,
            tile.column,
            tuple(tile.drawing.splitlines()),
            tuple(tile.rooms.items()),
        )
        for tile in scenario.tiles
    )

    for tiles, coverings in (
        (vectors.TILES, ()),
        (house, ()),
        (vectors.TILES, covered(vectors.TILES)),
        (house, covered(house)),
    ):
        ours = compose(tiles, coverings)
        theirs = outsider.compose(
            [plain(tile) for tile in tiles], [plain(covering) for covering in coverings]
        )
        assert theirs.characters == drawn(tiles, coverings)
        assert theirs.rooms == ours.rooms
        assert theirs.doors == {name: door.sides for name, door in ours.doors.items()}
        edges = {(e.one, e.other, e.line.value, e.door or "") for e in ours.edges}
        assert theirs.edges == edges


def test_an_outsider_knows_every_event() -> None:
    """A new kind of event also needs a row in section 8 or on the game's page, and code here."""
    tags = {kind.tag for module in OURS for kind in events_of(module)}
    tags |= {old for old in earlier_kinds() if not old.startswith("test/")}

    assert tags == outsider_table.FOLDS.keys() | outsider_table.NOTHING


def test_the_document_says_how_every_event_is_folded() -> None:
    """Each tag has a row in one of the two tables."""
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    rows = re.findall(r"^\| (`.*|all others.*) \|$", text, re.MULTILINE)
    said = set(re.findall(r"`([^`]+)`", "\n".join(rows)))
    tags = {kind.tag for module in OURS for kind in events_of(module)}
    tags |= {old for old in earlier_kinds() if not old.startswith("test/")}

    assert tags - said == set()


def test_an_outsider_reads_a_table_that_was_opened_with_fewer_settings() -> None:
    fields = ("room", "second_edition", "core/one", b"h" * 32, (True, 0, True, False))
    shown = Cut(codec.pack((0, 0, 0, "room_opened", fields, ())), ())
    ours, theirs = TableView("room", None), outsider_table.empty_table()
    ours.receive((shown,))

    outsider_table.fold(theirs, outsider.read("room", shown.public, []))

    assert plain(theirs) == plain(ours.table)


def test_an_outsider_takes_a_table_back() -> None:
    """Simulated games never do that. The earlier table returns, and later checkpoints are gone."""
    table = outsider_table.empty_table()
    for line in (
        Line(1, 0, "game_started", ((),), ()),
        Line(2, 0, "se/turn_began", ("a", 2), ()),
        Line(3, 0, "rested", (), ()),
        Line(4, 0, "se/turn_began", ("b", 1), ()),
        Line(5, 0, "rested", (), ()),
        Line(6, 0, "taken_back", (3,), ()),
    ):
        outsider_table.fold(table, line)

    assert table["game"]["active"] == "a"
    assert list(table["checkpoints"]) == [1, 3, 6]
