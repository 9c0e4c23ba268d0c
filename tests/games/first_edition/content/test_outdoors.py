"""The land of outdoor stories: what is refused, shown on the map, and walked by the linter."""

import re

import pytest

from content.games.first_edition import atlas
from content.games.first_edition.lint import lint
from content.games.first_edition.maps import is_limit, map_of, walled_sides
from content.games.first_edition.schema.story import LaidTile, Room, Story
from content.plugs import packs
from content.reading.mistakes import ContentErrors
from tests.games.first_edition.content.packs import HOUSE, edited, load, mistakes_in, worded
from tests.games.first_edition.outing_pack import files
from tests.games.first_edition.rules.worlds import story_of

rule = pytest.mark.rule
Change = tuple[str, str]

INDOORS = """
      +-----+-----+
      |     :     |
      |  a  :  b  |
      |     :     |
      +--=--X--=--+
      |     |     |
      |  c  |  d  |
      |     |     |
      +-----+-----+
"""
OUTDOORS = """
      +.....+.....+
      :     :     :
      :  a  :  b  :
      :     :     :
      +--=--+--~--+
      |     !     !
      |  c  !  d  !
      |     !     !
      +-----+~~~~~+
"""
"""A garden, a house with walls on three sides, and a pond."""
LAND: tuple[Change, ...] = (
    (INDOORS, OUTDOORS),
    ("start: house/a\n", "start: house/a\noutdoor: true\nevent_exhaustion: continue\n"),
    ("  - id: room/hall\n", "  - {id: room/hall, outdoor: true}\n"),
    ("  - id: room/cellar\nstart", "  - {id: room/cellar, outdoor: true}\nstart"),
    ("locks:\n  - {room: room/cellar, lock: lock/cellar}\n", "submerged: [house/d]\n"),
)


def mistakes(*changes: Change) -> list[str]:
    """Return the mistakes in the outdoor story after changes of it, without their places."""
    return [one.partition(": ")[2] for one in mistakes_in(_files(*changes))]


def _files(*changes: Change) -> dict[str, bytes]:
    """Return the files of the outdoor story after changes; those of the land come first."""
    found = list(LAND)
    for old, new in changes:
        at = next((n for n, one in enumerate(found) if one[1].count(old) == 1), None)
        if at is None:
            found.append((old, new))
        else:
            found[at] = (found[at][0], found[at][1].replace(old, new))
    return edited(HOUSE, *found)


def story(*changes: Change) -> Story:
    return load(_files(*changes)).scenarios["tiny/house"]


def test_the_land_is_read() -> None:
    made = story()

    assert made.outdoor
    assert made.submerged == ("house/d",)
    assert [room.id for room in made.rooms if room.outdoor] == ["room/hall", "room/cellar"]


NAMES = ((0, "west"), (1, "east"))

# Walls around rooms


@rule("W-OUT-2", "W-DECIDE-1")
def test_an_outdoor_room_with_walls_on_two_sides_is_refused() -> None:
    (told,) = mistakes(("- id: room/library", "- {id: room/library, outdoor: true}"))

    assert (
        "room/library is outdoor, but walls border north and south and west of it; such a room has "
        "walls on one side at most; draw its other sides with : and . (W-OUT-2)"
    ) in told


@rule("W-OUT-2", "W-DECIDE-1")
def test_an_open_room_that_is_not_outdoor_is_refused() -> None:
    (told,) = mistakes(("- {id: room/hall, outdoor: true}", "- id: room/hall"))

    assert "room/hall is not outdoor, but walls border south of it" in told
    assert "write" not in told or "outdoor: true" in told


@rule("W-OUT-3", "W-OUT-5", "W-EX-1")
@pytest.mark.parametrize("has_neighbour", [False, True])
def test_walls_of_neighbouring_tiles_do_not_count(has_neighbour: bool) -> None:
    """A bridge has walls on two sides, and the banks on both sides of it on one at most."""
    drawing = (
        ".....---.....",
        ":   :   :   :",
        ": a : b : c :",
        ":   :   :   |",
        ".....---.....",
    )
    rooms = {"a": "room/west", "b": "room/bridge", "c": "room/east"}
    tiles = [LaidTile("bridge", 0, 4, "\n".join(drawing), rooms)]
    if has_neighbour:
        shed = "+---+\n|   |\n| x |\n|   |\n+---+"
        tiles.append(LaidTile("shed", 0, 0, shed, {"x": "room/shed"}))
    made = story_of(tiles=tuple(tiles), rooms=tuple(map(Room, rooms.values())))

    sides = {room: [side.value for side in walled_sides(made, room)] for room in rooms.values()}

    assert sides == {"room/west": [], "room/bridge": ["north", "south"], "room/east": []}


@rule("W-OUT-2")
def test_walls_inside_of_a_room_are_on_no_side_of_it() -> None:
    drawing = ".............\n:   |   |   :\n: a | b | c :\n:   |   |   :\n............."
    tile = LaidTile("maze", 0, 0, drawing, dict.fromkeys("abc", "room/maze"))

    assert walled_sides(story_of(tiles=(tile,)), "room/maze") == ()


@rule("W-OUT-2")
def test_a_side_is_walled_if_walls_and_doors_take_more_than_half_of_it() -> None:
    drawing = "+..===-=+\n:       :\n:   a   :\n:       :\n+---....+"
    tile = LaidTile("hall", 0, 0, drawing, {"a": "room/hall"})

    assert [side.value for side in walled_sides(story_of(tiles=(tile,)), "room/hall")] == ["north"]


# Water


@rule("W-DECIDE-7")
def test_a_space_under_water_without_a_bank_across_a_barrier_is_refused() -> None:
    (told,) = mistakes(
        ("+--=--+--~--+", "+--=--+--.--+"),
        ("|     !     !", "|     :     !"),
        ("|  c  !  d  !", "|  c  :  d  !"),
        ("      |     !     !\n      +-----", "      |     :     !\n      +-----"),
    )

    assert "house/d needs a space beside it that is not under water, across a barrier" in told


@rule("W-DECIDE-7", "W-WATER-4")
def test_a_bank_that_is_under_water_too_is_none() -> None:
    found = mistakes(("submerged: [house/d]", "submerged: [house/b, house/c, house/d]"))

    assert any("house/d needs a space beside it that is not under water" in one for one in found)


@rule("W-DECIDE-7", "K-DECIDE-36")
def test_a_bank_behind_a_lock_is_none() -> None:
    locks = "locks:\n  - {room: room/library, lock: lock/cellar}\n"
    (told,) = mistakes(
        ("+--=--+--~--+", "+--=--+--.--+"),
        ("submerged: [house/d]\n", f"submerged: [house/d]\n{locks}"),
    )

    assert "across a barrier (! or ~) and without a lock (W-DECIDE-7)" in told


@rule("W-WATER-1")
def test_only_a_space_can_be_under_water() -> None:
    (told,) = mistakes(("submerged: [house/d]", "submerged: [house/e]"))

    assert "house/e" in told


def test_a_space_under_water_is_named_once() -> None:
    (told,) = mistakes(("submerged: [house/d]", "submerged: [house/d, house/d]"))

    assert "house/d stands here twice" in told


# Kinds of story


@rule("W-USE-5")
def test_the_land_is_refused_in_a_story_that_is_no_outdoor_one() -> None:
    found = mistakes(
        ("outdoor: true\nevent", "event"),
        ("counters:\n", "links:\n  - {kind: under, spaces: [house/b, house/d]}\ncounters:\n"),
        ("minutes: ", "decks: [{deck: trail, cards: [{id: trail/ford}]}]\nminutes: "),
    )

    assert len(found) == 4
    assert all("only in an outdoor story" in one for one in found)


@rule("W-DECIDE-41", "W-EVENT-1")
def test_an_outdoor_story_has_to_go_on_after_its_last_event() -> None:
    (told,) = mistakes(("event_exhaustion: continue\n", ""))

    assert "an outdoor story goes on after its last event" in told


# The map


@rule("W-OUT-4", "W-BARRIER-1", "W-LIMIT-1", "W-WATER-1")
def test_the_legend_tells_of_the_land() -> None:
    files = _files()
    pack = load(files)

    lines = list(atlas.legend(pack, pack.scenarios["tiny/house"]))

    assert "    house/a   room/hall (outdoors)" in lines
    assert "    house/c   room/library" in lines
    assert "    house/d   room/cellar (outdoors) (under water)" in lines
    barriers = ["Barriers:", "  house/b — house/d", "  house/c — house/d"]
    at = lines.index("Barriers:")
    assert lines[at : at + 3] == barriers
    at = lines.index("Room limits:")
    assert lines[at : at + 3] == ["Room limits:", *barriers[1:]]


def test_the_map_in_json_tells_of_the_land() -> None:
    pack = load(_files())

    made = atlas.as_json(pack, pack.scenarios["tiny/house"])

    assert made["spaces"]["house/d"] == {
        "room": "room/cellar",
        "name": "room/cellar",
        "outdoor": True,
        "submerged": True,
    }
    lines = {(edge["one"], edge["other"]): edge for edge in made["edges"]}
    assert lines["house/c", "house/d"]["barrier"]
    assert lines["house/c", "house/d"]["limit"]
    assert not lines["house/a", "house/b"]["barrier"]
    assert not lines["house/a", "house/b"]["limit"]


@rule("W-LIMIT-5")
def test_the_edge_of_a_tile_is_no_room_limit() -> None:
    drawing = "+---+\n: a :\n:   :\n+---+"
    tiles = tuple(LaidTile(name, 0, n * 4, drawing, {"a": f"room/{name}"}) for n, name in NAMES)
    board = map_of(story_of(tiles=tiles, rooms=tuple(Room(f"room/{name}") for _, name in NAMES)))

    (edge,) = board.edges
    assert (edge.one, edge.other) == ("east/a", "west/a")
    assert not is_limit(board, edge)


# Walks


@rule("W-OUT-4")
@pytest.mark.parametrize("is_outdoor", [False, True])
def test_an_action_that_needs_the_open_air_is_found_in_a_story_without_it(is_outdoor: bool) -> None:
    deed = "deeds:\n  - id: deed/shout\n    effect: [{threat: 1}]\n"
    asked = (
        "features:\n",
        f"{deed}    requires: {{investigators: {{outdoors: true}}}}\nfeatures:\n",
    )
    files = _files(asked) if is_outdoor else edited(HOUSE, asked)

    found = [str(one) for one in lint(load(files))]

    assert ("tiny/house: deed/shout: its condition can never hold" in found) is not is_outdoor


@rule("W-WATER-1")
def test_nobody_has_to_come_into_the_water() -> None:
    assert [str(one) for one in lint(load(_files())) if "cannot be entered" in str(one)] == []


def ways(*changes: Change) -> list[str]:
    """Return what the linter finds about spaces that nobody can enter."""
    pack = load(_files(("submerged: [house/d]\n", ""), *changes))
    return [str(one) for one in lint(pack) if "cannot be entered" in str(one)]


@rule("W-BARRIER-2")
def test_a_barrier_stops_a_walk() -> None:
    (found,) = ways()

    assert found.startswith("tiny/house: room/cellar: house/d cannot be entered: no way leads")


@rule("W-DECIDE-14", "W-DECIDE-16")
@pytest.mark.parametrize("boat", ["house/b", "house/c"])
def test_a_boat_carries_a_walk_across(boat: str) -> None:
    laid = ("features:\n", f"features:\n  - {{kind: boat, at: {boat}}}\n")

    assert ways(laid) == []


@rule("W-DECIDE-14", "W-DECIDE-18")
@pytest.mark.parametrize("at", ["house/b", "chosen"])
def test_a_boat_that_an_effect_brings_carries_a_walk_across(at: str) -> None:
    brings = ("number: 2\n", f"number: 2\n    effect: [{{place: {{kind: boat, at: {at}}}}}]\n")

    assert ways(brings) == []


@rule("W-DECIDE-13")
@pytest.mark.parametrize(("room", "is_found"), [("library", False), ("cellar", True)])
def test_a_boat_whose_key_is_out_of_reach_carries_nobody(room: str, is_found: bool) -> None:
    laid = ("features:\n", "features:\n  - {kind: boat, at: house/b}\n")
    key = ("start: house/a\n", "start: house/a\nboat_key: item/key\n")
    moved = ("cards: [obstacle/desk, item/key]", "cards: [obstacle/desk, nothing]")
    there = (
        "    cards: [nothing]\n    when: {place: shelf}",
        "    cards: [item/key]\n    when: {place: shelf}",
    )

    found = ways(laid, key, *([moved, there] if is_found else []))

    assert any(one.startswith("tiny/house: room/cellar: house/d") for one in found) is is_found


def test_a_link_under_a_bridge_carries_a_boat_and_no_walk() -> None:
    open_ = ":     :     :\n      :  a  :  b  :\n      :     :     :"
    shut = ":     !     :\n      :  a  !  b  :\n      :     !     :"
    drawn = (("+--=--+--~--+", "+--=--+-----+"), (open_, shut))
    under = ("counters:\n", "links:\n  - {kind: under, spaces: [house/b, house/d]}\ncounters:\n")
    boat = ("features:\n", "features:\n  - {kind: boat, at: house/a}\n")

    assert len(ways(*drawn, under)) == 2
    assert len(ways(*drawn, boat)) == 1
    assert ways(*drawn, under, boat) == []


# Unique monsters

CAT = b"""
- id: monster/cat
  class: beast
  awareness: 0
  horror: 0
  figures: 1
  backs:
    - id: token/cat
      health: 1
      damage: 1
      special: [{stun: {}}]
"""
LAID = "  - {kind: monster/rat, at: house/d}\n"
HOUR = b"house/hour: x\nhouse/noon: x\nhouse/late: x\n"


@rule("W-DECIDE-37")
@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("{token: token/rat-lean, when: {goal: flood}}", "has 0 tokens for {goal: swarm"),
        (
            "{token: token/rat-lean}, {token: token/rat-lean, when: {goal: flood}}",
            "has 2 tokens for {goal: flood",
        ),
        ("{token: token/rat-lean, when: {goal: well}}", "tokens: 'well' is no option of 'goal'"),
        ("{token: token/rat-lean}", None),
    ],
)
def test_a_unique_monster_has_one_token_whatever_the_answers_are(
    rows: str, reason: str | None
) -> None:
    told = mistakes((LAID, f"  - {{kind: monster/rat, at: house/d, tokens: [{rows}]}}\n"))

    assert [one for one in told if reason is None or reason not in one] == []
    assert bool(told) is (reason is not None)


@rule("W-DECIDE-37")
def test_a_question_that_chooses_the_token_of_a_monster_is_no_unused_one() -> None:
    when = (
        "{token: token/rat-lean, when: {hour: noon}}, {token: token/rat-lean, when: {hour: late}}"
    )
    own = f"  - {{kind: monster/rat, at: house/d, tokens: [{when}]}}\n"
    third = ("objectives:\n", "  - id: hour\n    options: [{id: noon}, {id: late}]\nobjectives:\n")
    words = {f"words/{one}/more.yaml": HOUR for one in ("en", "fr")}

    pack = load({**_files((LAID, own), third), **words})

    assert [one for one in lint(pack) if one.subject == "hour"] == []


@rule("W-DECIDE-37")
def test_a_token_of_another_monster_is_refused() -> None:
    files = _files((LAID, "  - {kind: monster/rat, at: house/d, tokens: [{token: token/cat}]}\n"))
    files["monsters.yaml"] += CAT

    (told,) = mistakes_in(worded(files))

    assert "token/cat is no token of monster/rat" in told


@rule("W-DECIDE-37")
def test_monsters_of_one_kind_have_tokens_of_their_own_or_none_has() -> None:
    own = "  - {kind: monster/rat, at: house/d, tokens: [{token: token/rat-lean}]}\n"

    (told,) = mistakes((LAID, LAID + own))

    assert "some of monster/rat have tokens" in told


@rule("W-DECIDE-37")
def test_more_tokens_than_there_are_copies_are_refused() -> None:
    own = "  - {kind: monster/rat, at: house/d, tokens: [{token: token/rat-lean}]}\n"

    found = mistakes((LAID, own * 3))

    assert any("token/rat-lean lies 3 times" in one for one in found)


@rule("W-DECIDE-37")
@pytest.mark.parametrize(("token", "is_found"), [("token/cat", True), ("token/rat-lean", False)])
def test_a_monster_that_comes_with_the_token_of_another_is_found(
    token: str, is_found: bool
) -> None:
    step = "{place_monster: {kind: monster/rat, at: house/d, token: %s}}"
    files = _files(("{place_monster: {kind: monster/rat, at: house/d}}", step % token))
    files["monsters.yaml"] += CAT

    found = [str(one) for one in lint(load(worded(files)))]

    told = f"tiny/house: {token}: is no token of monster/rat"
    assert (told in found) is is_found


# Pits, boats, curses and further actions

PITS = "- {id: pit/deep, damage: 2, renewed: true, copies: 2}\n- {id: pit/root, damage: 1}\n"


def pitted(at: str, *changes: Change, pits: str = PITS) -> dict[str, bytes]:
    """Return the files of the outdoor story with features, and pits in the pack."""
    files = _files(("features:\n", f"features:\n{at}"), *changes)
    return worded({**files, "pits.yaml": pits.encode()} if pits else files)


def told(files: dict[str, bytes]) -> list[str]:
    return [one.partition(": ")[2] for one in mistakes_in(files)]


def pit(*spaces: str) -> str:
    return "".join(f"  - {{kind: pit, at: {space}}}\n" for space in spaces)


@rule("W-CARD-4")
def test_pits_have_damage_an_arrow_or_none_and_copies() -> None:
    pack = load(pitted(pit("house/b")))

    assert [(one.damage, one.renewed, one.copies) for one in pack.pits.values()] == [
        (2, True, 2),
        (1, False, 1),
    ]
    laid = pack.scenarios["tiny/house"].features[0]
    assert (laid.kind.value, laid.at) == ("pit", "house/b")


@rule("W-PIT-1", "W-PIT-9")
@pytest.mark.parametrize(
    ("at", "pits", "reason"),
    [
        (pit("house/a"), "", "pits can come, but the pack has none"),
        (pit("house/a", "house/b", "house/c", "house/d"), PITS, "the pack has 3 (W-PIT-9)"),
    ],
)
def test_the_pits_of_a_story_come_from_the_pack(at: str, pits: str, reason: str) -> None:
    (found,) = told(pitted(at, pits=pits))

    assert reason in found


@rule("W-PIT-10")
def test_a_pit_that_an_effect_can_place_needs_pits_too() -> None:
    (found,) = with_effect("mythos.yaml", "{place: {kind: pit, at: actor}}")

    assert "pits can come, but the pack has none" in found


@rule("W-PIT-14")
def test_two_pits_in_one_space_are_refused() -> None:
    (found,) = told(pitted(pit("house/b", "house/b")))

    assert "house/b has pit twice" in found


@rule("W-USE-5")
@pytest.mark.parametrize("kind", ["pit", "boat"])
def test_pits_and_boats_are_refused_in_a_house(kind: str) -> None:
    row = ("features:\n", f"features:\n  - {{kind: {kind}, at: house/b}}\n")
    files = worded({**edited(HOUSE, row), "pits.yaml": PITS.encode()})

    found = told(files)

    assert any(f"a {kind} is only in an outdoor story" in one for one in found)


@rule("W-DECIDE-18", "W-CARD-5")
@pytest.mark.parametrize(("at", "is_refused"), [("house/a", True), ("house/b", False)])
def test_a_boat_starts_in_a_space_that_touches_a_barrier(at: str, is_refused: bool) -> None:
    boat = ("features:\n", f"features:\n  - {{kind: boat, at: {at}}}\n")
    key = ("start: house/a\n", "start: house/a\nboat_key: item/key\n")

    found = mistakes(boat, key)

    assert found == (
        [f"features: a boat in {at} would touch no barrier, ! or ~ (W-DECIDE-18)"]
        if is_refused
        else []
    )


@rule("W-DECIDE-18", "W-DECIDE-16")
def test_a_boat_comes_under_no_bridge_to_a_space_without_a_barrier() -> None:
    boat = ("features:\n", "features:\n  - {kind: boat, at: house/b}\n")
    under = ("counters:\n", "links:\n  - {kind: under, spaces: [house/a, house/b]}\ncounters:\n")

    (found,) = mistakes(boat, under)

    assert found.startswith("links: a boat in house/a would touch no barrier")


@rule("W-DECIDE-13")
def test_a_key_without_a_boat_is_refused() -> None:
    (found,) = mistakes(("start: house/a\n", "start: house/a\nboat_key: item/key\n"))

    assert "there is never a boat in this story" in found


def with_effect(file: str, effect: str) -> list[str]:
    """Return the mistakes after the first effect in a file is another one."""
    files = _files()
    text = files[file].decode()
    changed = re.sub(r"effect: .*", f"effect: [{effect}]", text, count=1)
    assert changed != text
    return told(worded({**files, file: changed.encode()}))


@rule("W-SPELL-2", "W-SPELL-3")
@pytest.mark.parametrize(
    ("file", "effect", "reason"),
    [
        ("actions.yaml", "{another_action: {}}", "nobody has a turn here"),
        ("mythos.yaml", "{another_action: {types: [run, run]}}", "run stands here twice"),
        ("mythos.yaml", "{another_action: {types: [run]}}", ""),
    ],
)
def test_a_further_action_is_for_who_has_a_turn(file: str, effect: str, reason: str) -> None:
    found = with_effect(file, effect)

    assert [one for one in found if not reason or reason not in one] == []
    assert bool(found) is bool(reason)


@rule("W-SPELL-3")
def test_no_event_brings_a_further_action() -> None:
    dark = "effect: [{place: {kind: darkness, at: room/cellar}}]"

    found = mistakes((dark, "effect: [{another_action: {}}]"))

    assert any("nobody has a turn as an event is resolved" in one for one in found)


@rule("W-SPELL-2")
def test_no_free_ability_brings_a_further_action() -> None:
    heal = "      effect: [{heal: {horror: 1}}]"
    files = edited("traits.yaml", (heal, "      free: true\n      effect: [{another_action: {}}]"))

    (found,) = told(files)

    assert "the action of the turn would still be left" in found


@rule("W-PIT-11", "W-PIT-15", "W-CARD-13")
@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("{spaces: 1, placed: true}", "who goes space by space is moved"),
        ("{to: house/a, placed: true, over_pits: true}", "no pit opens for who is placed"),
        ("{to: house/a, placed: true}", ""),
        ("{spaces: 2, over_pits: true}", ""),
    ],
)
def test_to_place_and_to_move_over_pits_are_told_apart(move: str, reason: str) -> None:
    found = with_effect("mythos.yaml", f"{{move: {move}}}")

    assert [one for one in found if not reason or reason not in one] == []
    assert bool(found) is bool(reason)


@pytest.mark.rule("W-DECIDE-47", "W-DECIDE-37")
def test_no_token_of_a_monster_tells_the_keeper_what_the_investigators_chose() -> None:
    tokens = "".join(
        f"{{when: {{aim: {option}}}, token: token/test-crow-{n}}}, "
        for n, option in enumerate(("bury", "burn"), start=1)
    )
    laid = "{kind: monster/test-crow, at: hut/b"
    spoiled = files(turned_round=(f"{laid}}}", f"{laid}, tokens: [{tokens}]}}"))

    with pytest.raises(ContentErrors) as told:
        packs.load("outing", packs.completed(spoiled))

    (mistake,) = told.value.errors
    assert "would learn the answer to 'aim' (W-DECIDE-47)" in str(mistake)


@pytest.mark.rule("W-DECIDE-47", "W-DECIDE-49")
@pytest.mark.parametrize(
    ("question", "option", "told"),
    [
        ("aim", "burn", "explores finds at will, would learn the answer to 'aim'"),
        ("aim", "early", "'early' is no option of 'aim'"),
    ],
)
def test_a_find_that_asks_what_the_investigators_chose_is_refused(
    question: str, option: str, told: str
) -> None:
    asks = f"{{holds: {{answer: {{question: {question}, option: {option}}}}}, then: [threat: 1]}}"
    find = "effect: [threat: 1], keep: true}"
    made = files(turned_round=(find, find.replace("[threat: 1]", f"[when: {asks}]")))

    with pytest.raises(ContentErrors) as caught:
        packs.load("outing", packs.completed(made))

    (mistake,) = caught.value.errors
    assert told in str(mistake)
