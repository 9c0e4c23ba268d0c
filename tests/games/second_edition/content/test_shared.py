"""Shared content: folders of cards, and the pack's tiles, persons and events."""

import pytest

from content.games.second_edition.lint import lint
from content.games.second_edition.schema import scenario, shared
from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.requirements import Round
from tests.games.second_edition.content.packs import FILES, edited, load, mistakes_in

CELLAR = "scenarios/cellar.yaml"
TILES = """\
- id: tile/cave
  drawing: |
    +-----+
    =     |
    =  c  |
    |     |
    +-----+
"""
DRAWN = FILES[CELLAR].decode().partition("    rooms: {c: room/cellar}\n")[2].partition("codes:")[0]
VICAR = "- {id: person/vicar, traits: [clergy]}\n"
EVENTS = """\
- id: mythos/draught
  fits: {rooms: [vault], rounds: {at_least: 2, at_most: 8}, moods: [house]}
  repeats: true
  weight: 2
  effect:
    - say: cellar/opened
"""


def with_words(files: dict[str, bytes], line: str) -> dict[str, bytes]:
    """Return the files with one more line in the words of both languages."""
    names = ("words/en/words.yaml", "words/fr/words.yaml")
    return {**files, **{name: files[name] + f"{line}\n".encode() for name in names}}


def with_tile(**more: bytes) -> dict[str, bytes]:
    """Return the tiny pack with its cellar drawn as a tile of the pack."""
    files = edited(CELLAR, DRAWN, "    of: tile/cave\n")
    return {**files, "tiles.yaml": TILES.encode(), **more}


def with_vicar(scenario_part: str = "kind: person\n    person: person/vicar") -> dict[str, bytes]:
    """Return the tiny pack with its old man as a person of the pack."""
    files = {**edited(CELLAR, "kind: person", scenario_part), "persons.yaml": VICAR.encode()}
    for language in ("en", "fr"):
        name = f"words/{language}/words.yaml"
        lines = files[name].decode().splitlines(keepends=True)
        files[name] = "".join(line for line in lines if "token/man" not in line).encode()
    return with_words(files, "person/vicar: {name: The vicar, text: He hums.}")


def with_events(selection: str = "shared_events: {moods: [house]}") -> dict[str, bytes]:
    """Return the tiny pack with an event that scenarios share."""
    text = FILES[CELLAR].decode().replace("outdoor: true", "outdoor: true\n    traits: [vault]")
    text = f"{text}{selection}\n"
    return {**FILES, CELLAR: text.encode(), "mythos.yaml": EVENTS.encode()}


def told(files: dict[str, bytes]) -> list[str]:
    """Return the errors in a pack, as lines."""
    return [str(mistake) for mistake in mistakes_in(files)]


def findings(pack: Pack) -> list[str]:
    return [str(finding) for finding in lint(pack)]


# Folders -------------------------------------------------------------------------------------


def test_cards_may_stand_in_a_folder_of_files() -> None:
    """A folder may hold one file for each monster, even beside a file for all."""
    rat = FILES["monsters.yaml"]
    bat = rat.replace(b"monster/rat", b"monster/bat")
    files = {**FILES, "monsters/bats.yaml": bat}

    pack = load(with_words(files, "monster/bat: {name: Bat}"))

    assert list(pack.monsters) == ["monster/rat", "monster/bat"]


def test_a_card_in_a_folder_stands_once_as_in_a_file() -> None:
    files = {**FILES, "items/lamps.yaml": b"- {id: item/lamp, deck: common}\n"}

    assert told(files) == [
        (
            "items/lamps.yaml:1:8: item/lamp.id: 'item/lamp' a second time; "
            "the first stands in items.yaml:1"
        )
    ]


def test_a_folder_of_cards_is_one_deep() -> None:
    (line,) = told({**FILES, "items/old/lamps.yaml": b"[]"})

    assert line.startswith("items/old/lamps.yaml:1:1: a pack has no such file; did you mean ")


# Tiles ---------------------------------------------------------------------------------------


def test_a_scenario_lays_a_tile_of_the_pack() -> None:
    tile = load(with_tile()).scenarios["tiny/cellar"].tiles[1]

    assert tile == scenario.Tile(
        "cellar",
        0,
        10,
        "+-----+\n=     |\n=  c  |\n|     |\n+-----+",
        {"c": "room/cellar"},
        of="tile/cave",
    )
    assert findings(load(with_tile())) == []


@pytest.mark.parametrize(
    ("files", "line"),
    [
        (
            {**with_tile(), "tiles.yaml": TILES.replace("tile/cave", "tile/grave").encode()},
            (
                "scenarios/cellar.yaml:33:9: tiles.cellar.of: there is no tile of the pack "
                "'tile/cave'; did you mean 'tile/grave'?"
            ),
        ),
        (
            edited(
                CELLAR, "    rooms: {c: room/cellar}\n", "    rooms: {c: room/cellar}\n    of: a\n"
            ),
            (
                "scenarios/cellar.yaml:29:5: tiles.cellar: a tile has exactly one of "
                "drawing and of, this has both"
            ),
        ),
        (
            edited(CELLAR, DRAWN, ""),
            (
                "scenarios/cellar.yaml:29:5: tiles.cellar: a tile has exactly one of "
                "drawing and of, this has neither"
            ),
        ),
        (
            {**with_tile(), "tiles.yaml": TILES.replace("=  c  |", "=  ?  |").encode()},
            (
                "tiles.yaml:5:8: tile/cave.drawing: the drawing cannot be read: "
                "the character '?' means nothing here"
            ),
        ),
        (
            {**with_tile(), "tiles.yaml": TILES.replace("=  c  |", "=  d  |").encode()},
            (
                "scenarios/cellar.yaml:32:5: tiles.cellar.rooms: the drawing of tile/cave has "
                "a space 'd'; say which room it belongs to"
            ),
        ),
        (
            {**with_tile(), "tiles.yaml": TILES.replace("tile/cave", "cave").encode()},
            (
                "tiles.yaml:1:7: cave.id: 'cave' is no id; write tile/… of small letters, "
                "digits and hyphens"
            ),
        ),
    ],
)
def test_mistakes_in_tiles_of_the_pack(files: dict[str, bytes], line: str) -> None:
    assert line in told(files)


WITH_DOORS = """\
- id: tile/cave
  drawing: |
    +-2==-+
    1     4
    =     =
    |  c  |
    =     5
    =     =
    +-3===+
"""


def with_doors(doors: str) -> dict[str, bytes]:
    """Return the tiny pack whose cellar opens these doors of a tile of the pack."""
    files = edited(CELLAR, DRAWN, f"    of: tile/cave\n    doors: {doors}\n")
    return {**files, "tiles.yaml": WITH_DOORS.encode()}


def test_a_scenario_says_which_doors_of_a_tile_are_there() -> None:
    """Doors that the scenario does not select are walls; doors without a name are always there."""
    (_, tile) = load(with_doors("[4, 3]")).scenarios["tiny/cellar"].tiles

    assert tile.drawing.split("\n") == [
        "+-----+",
        "|     4",
        "|     =",
        "|  c  |",
        "=     |",
        "=     |",
        "+-3===+",
    ]


def test_a_door_that_is_not_opened_cannot_be_named() -> None:
    files = with_doors("[4]")
    text = files[CELLAR].replace(b"may_enter: hall/1", b"may_enter: cellar/3")

    (line,) = told({**files, CELLAR: text})

    assert "there is no named door 'cellar/3'; did you mean" in line


@pytest.mark.parametrize(
    ("files", "line"),
    [
        (
            with_doors("[1, 9]"),
            "tiles.cellar.doors: tile/cave has no door '9'; known: 1, 2, 3, 4, 5",
        ),
        (
            edited(
                CELLAR,
                "    rooms: {c: room/cellar}\n",
                "    rooms: {c: room/cellar}\n    doors: []\n",
            ),
            "tiles.cellar.doors: what is drawn here has the doors that are drawn; leave this out",
        ),
    ],
)
def test_mistakes_in_doors(files: dict[str, bytes], line: str) -> None:
    assert any(line in mistake for mistake in told(files))


def test_more_tiles_than_the_box_has_are_told() -> None:
    """A tile that no scenario uses yet is no finding."""
    pack = load({**FILES, "tiles.yaml": TILES.encode(), "box.yaml": b"tiles: 0\n"})

    assert findings(pack) == [
        "tiny: tiles: 1 tiles stand in tiles.yaml, and the box has 0",
    ]


@pytest.mark.parametrize("taking", ["clear_board: true", "remove_tile: crypt"])
def test_a_tile_in_two_places_is_told(taking: str) -> None:
    """The same tile may be placed twice if it is taken off the board between."""
    files = with_tile()
    text = files[CELLAR].decode()
    again = "  - {id: crypt, row: 20, column: 0, rooms: {c: room/cellar}, of: tile/cave}\ncodes:"
    text = text.replace("codes:", again).replace("- place_tile: hall", "- place_tile: crypt")
    text = text.replace(
        "- place_tile: cellar", "- place_tile: hall\n          - place_tile: cellar"
    )

    cleared = text.replace("- place_tile: cellar", f"- {taking}\n          - place_tile: cellar")

    line = "crypt: tile/cave lies there as cellar already, and nothing takes it off the board"
    assert line in findings_text(load({**files, CELLAR: text.encode()}))
    assert line not in findings_text(load({**files, CELLAR: cleared.encode()}))


def findings_text(pack: Pack) -> str:
    return "\n".join(findings(pack))


# Persons -------------------------------------------------------------------------------------


def test_a_token_has_the_name_of_its_person() -> None:
    pack = load(with_vicar())

    assert pack.persons == {"person/vicar": shared.Person("person/vicar", ("clergy",))}
    assert pack.catalogs["fr"]["token/man"] == {"name": "The vicar", "text": "He hums."}
    assert findings(pack) == []


def test_a_scenario_may_word_a_person_otherwise() -> None:
    """Words for the id of the token override those of the person."""
    files = with_words(with_vicar(), "token/man: {name: The drowned vicar}")

    assert load(files).catalogs["en"]["token/man"] == {
        "name": "The drowned vicar",
        "text": "He hums.",
    }


@pytest.mark.parametrize(
    ("part", "line"),
    [
        (
            "kind: person\n    person: person/vica",
            (
                "tokens.token/man.person: there is no person 'person/vica'; "
                "did you mean 'person/vicar'?"
            ),
        ),
        (
            "kind: search\n    person: person/vicar",
            (
                "tokens.token/man.person: only a token of the kind person, which is not anonymous, "
                "can be somebody"
            ),
        ),
        ("kind: person", "tokens.token/man.id: no words for 'token/man'"),
    ],
)
def test_mistakes_in_persons(part: str, line: str) -> None:
    assert any(line in mistake for mistake in told(with_vicar(part)))


def test_one_token_is_one_person_in_all_scenarios() -> None:
    """Words give a token one name."""
    files = with_vicar()
    other = files[CELLAR].replace(b"tiny/cellar", b"tiny/attic").replace(b"vicar", b"maid")
    files = {
        **with_words(files, "person/maid: {name: The maid}\ntiny/attic: {name: The attic}"),
        "scenarios/attic.yaml": other,
        "persons.yaml": VICAR.encode() + b"- {id: person/maid}\n",
    }

    (line,) = told(files)

    assert line.startswith("scenarios/cellar.yaml:")
    assert line.endswith(
        "another scenario has a token of this id that is another person; rename it"
    )


def test_a_person_may_wait_for_another_scenario() -> None:
    files = with_words({**FILES, "persons.yaml": VICAR.encode()}, "person/vicar: {name: V}")

    assert findings(load(files)) == []


# Events --------------------------------------------------------------------------------------


def test_a_scenario_takes_events_of_its_moods() -> None:
    pack = load(with_events())
    event = pack.events["mythos/draught"]

    assert event.fits == shared.Fits(("vault",), Round(2, 8), ("house",))
    assert (event.repeats, event.weight) == (True, 2)
    assert pack.events_of(pack.scenarios["tiny/cellar"]) == (event,)
    assert findings(pack) == []


def test_an_event_that_everybody_leaves_out_is_told() -> None:
    """An event that no scenario has selected yet is no finding."""
    left_out = with_events("shared_events: {without: [mythos/draught]}")

    assert findings(load(with_events("# none"))) == []
    assert findings(load(left_out)) == [
        "tiny: mythos/draught: unused shared event: who could take it leaves it out"
    ]


def test_an_event_without_a_room_that_fits_is_told() -> None:
    """The trait exists in the pack, but only on a room that is never placed."""
    files = with_events()
    text = files[CELLAR].decode().replace("          - place_tile: cellar\n", "")

    said = findings(load({**files, CELLAR: text.encode()}))

    reason = "no scenario that takes it has a room with the trait vault"
    assert f"tiny: mythos/draught: never fits: {reason}" in said


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            "[vault]",
            "[vaults]",
            "fits.rooms[0]: there is no trait of a room 'vaults'; did you mean",
        ),
        ("[vault]", "[Vault]", "there is no trait of a room 'Vault'"),
        ("at_least: 2", "at_least: 9", "fits.rounds.at_least: 9 is more than at_most, 8"),
        ("weight: 2", "weight: 0", "weight: 0 is out of bounds; 1 to 9 is allowed"),
        ("say: cellar/opened", "call: knock", "a named effect belongs to one scenario"),
        ("say: cellar/opened", "place_token: token/man", "a token belongs to one scenario"),
    ],
)
def test_mistakes_in_shared_events(old: str, new: str, line: str) -> None:
    """Shared events may name only what belongs to the pack."""
    files = {**with_events(), "mythos.yaml": EVENTS.replace(old, new).encode()}

    assert any(line in mistake for mistake in told(files))


@pytest.mark.parametrize(
    ("selection", "line"),
    [
        ("shared_events: {moods: [hous]}", "there is no mood 'hous'; did you mean 'house'?"),
        (
            "shared_events: {without: [mythos/drought]}",
            "there is no shared event 'mythos/drought'; did you mean 'mythos/draught'?",
        ),
    ],
)
def test_mistakes_in_a_selection(selection: str, line: str) -> None:
    assert any(line in mistake for mistake in told(with_events(selection)))


def test_shared_events_make_events_of_ones_own_needless() -> None:
    files = with_events()
    text = files[CELLAR].decode()
    own = text.partition("mythos:")[2].partition("triggers:")[0]

    assert told({**files, CELLAR: text.replace(own, " []\n").encode()}) == []


def test_events_may_ask_for_a_kind_of_room_that_the_box_knows() -> None:
    """Events may be written before any scenario has such a room."""
    files = with_events()
    files["mythos.yaml"] = files["mythos.yaml"].replace(b"[vault]", b"[crypt]")

    assert "there is no trait of a room 'crypt'" in " ".join(told(files))
    assert load({**files, "box.yaml": b"room_traits: [crypt]\n"}).events
