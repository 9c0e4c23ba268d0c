"""Kinds of cards and components: what each has, and what each must have. Section 31."""

import attrs
import pytest
import yaml

from content.games.first_edition.loader import FILE_CLASSES, LIST_FILES
from content.games.first_edition.maps import links_of, map_of
from content.games.first_edition.schema.story import KeeperStart, OnLastEvent
from protocol.games.first_edition.words import FeatureKind, MonsterClass, Side
from tests.games.first_edition.content.packs import FILES, HOUSE, edited, load, mistakes_in, worded
from tests.kit import reading_yaml

NEEDED = [
    ("investigators.yaml", ["health", "sanity", "skill_points", "physical", "mental"]),
    ("traits.yaml", ["attributes"]),
    ("spells.yaml", ["attribute", "modifier", "backs"]),
    ("monsters.yaml", ["class", "awareness", "horror", "figures", "backs"]),
    ("combat.yaml", ["class", "upper", "lower"]),
    ("traumas.yaml", ["kind"]),
    ("mythos.yaml", ["effect"]),
    ("actions.yaml", ["threat", "effect"]),
    ("locks.yaml", ["opening"]),
    ("obstacles.yaml", ["opening"]),
]


@pytest.mark.rule("K-CARD-3", "K-CARD-4", "K-CARD-5", "K-CARD-6", "K-CARD-9", "K-CARD-10")
@pytest.mark.rule("K-CARD-12", "K-CARD-13", "K-CARD-14", "K-CARD-15")
@pytest.mark.parametrize(
    ("file", "key"),
    [(file, key) for file, keys in NEEDED for key in keys],
)
def test_card_without_what_it_must_have_is_told(file: str, key: str) -> None:
    cards = reading_yaml.safe(FILES[file].decode())
    del cards[0][key]
    files = {**worded(FILES), file: yaml.safe_dump(cards).encode()}

    assert any(f"add the missing {key!r}" in told for told in mistakes_in(files))


@pytest.mark.rule("K-CARD-1")
@pytest.mark.parametrize(
    "key",
    [
        *("minutes", "difficulty", "intro", "tiles", "rooms", "start", "questions", "objectives"),
        *("placement", "clues", "events", "mythos", "actions"),
    ],
)
def test_story_without_what_it_must_have_is_told(key: str) -> None:
    story = reading_yaml.safe(FILES[HOUSE].decode())
    del story[key]
    files = {**worded(FILES), HOUSE: yaml.safe_dump(story, width=999).encode()}

    assert any(f"add the missing {key!r}" in told for told in mistakes_in(files))


@pytest.mark.rule("K-CARD-1")
def test_story_has_its_choices_and_their_defaults() -> None:
    story = load(worded(FILES)).scenarios["tiny/house"]

    assert not story.events_hidden_from_keeper
    assert not story.evade_once_per_turn
    assert (story.corpses, story.event_exhaustion.value) == (8, "end")
    other = "events_hidden_from_keeper: true\nevade_once_per_turn: true\nlocks:\n"
    chosen = load(edited(HOUSE, ("locks:\n", other))).scenarios["tiny/house"]
    assert chosen.events_hidden_from_keeper
    assert chosen.evade_once_per_turn


@pytest.mark.rule("K-CARD-2", "K-GOAL-5")
@pytest.mark.parametrize("key", ["option", "investigators_win", "keeper_wins", "on_last_event"])
def test_objective_says_how_either_side_wins_and_who_wins_on_the_last_event(key: str) -> None:
    story = reading_yaml.safe(FILES[HOUSE].decode())
    del story["objectives"][0][key]
    files = {**worded(FILES), HOUSE: yaml.safe_dump(story, width=999).encode()}

    assert any(f"add the missing {key!r}" in told for told in mistakes_in(files))
    goals = load(worded(FILES)).scenarios["tiny/house"].objectives
    assert [goal.on_last_event for goal in goals] == [
        OnLastEvent.KEEPER,
        OnLastEvent.INVESTIGATORS,
    ]


@pytest.mark.rule("K-CARD-2", "K-CARD-20", "K-GOAL-3")
@pytest.mark.parametrize(
    ("subject", "field"),
    [
        ("objective/flood", "text"),
        *((f"ending/flood/{side.value}", "text") for side in Side),
        ("guide/flood", "text"),
        ("house/intro", "text"),
        ("clue/letter", "text"),
        ("event/dusk", "text"),
        ("lock/cellar", "text"),
        ("mythos/chill", "text"),
    ],
)
def test_text_that_is_read_aloud_or_by_the_keeper_is_wanted(subject: str, field: str) -> None:
    files = worded(FILES)
    for language in ("en", "fr"):
        name = f"words/{language}/all.yaml"
        files[name] = (
            files[name]
            .replace(f"{field}: {subject},".encode(), b"")
            .replace(f", {field}: {subject}}}".encode(), b"}")
        )

    (told,) = mistakes_in(files)

    assert f"{subject!r} has no field {field!r}" in told


@pytest.mark.rule("K-CARD-7", "K-EVENT-4")
def test_events_have_a_number_and_keep_their_order() -> None:
    story = load(worded(FILES)).scenarios["tiny/house"]

    assert [(event.id, event.time) for event in story.events] == [
        ("event/dusk", 3),
        ("event/night", 4),
    ]
    assert any(
        "0 is out of bounds; 1 to 9 is allowed" in told
        for told in mistakes_in(edited(HOUSE, ("time: 3", "time: 0")))
    )


@pytest.mark.rule("K-CARD-16", "K-MAP-1", "K-MAP-2", "K-DECIDE-19")
def test_board_is_of_tiles_with_rooms_spaces_lines_and_links() -> None:
    links = "links: [{kind: duct, spaces: [house/a, house/d]}]\nlocks:\n"
    story = load(edited(HOUSE, ("locks:\n", links))).scenarios["tiny/house"]

    board = map_of(story)

    assert board.rooms == {
        "house/a": "room/hall",
        "house/b": "room/hall",
        "house/c": "room/library",
        "house/d": "room/cellar",
    }
    walked = {(e.one, e.other, e.line.value) for e in board.edges if e.line.value != "wall"}
    assert walked == {
        ("house/a", "house/b", "border"),
        ("house/a", "house/c", "door"),
        ("house/b", "house/d", "door"),
    }
    assert ("house/c", "house/d") in board.walls
    assert board.diagonals == (("house/a", "house/d"), ("house/b", "house/c"))
    assert [(link.kind, link.spaces) for link in links_of(story)] == [
        ("duct", ("house/a", "house/d"))
    ]


@pytest.mark.rule("K-MAP-2")
def test_room_has_a_name_and_each_space_a_room() -> None:
    nameless = worded(FILES)
    for language in ("en", "fr"):
        name = f"words/{language}/all.yaml"
        nameless[name] = nameless[name].replace(b"name: room/library, ", b"")

    (told,) = mistakes_in(nameless)
    assert "'room/library' has no field 'name'" in told
    roomless = mistakes_in(edited(HOUSE, (", d: room/cellar}", "}")))
    assert any("has a space 'd'; say which room it belongs to" in one for one in roomless)


ELSEWHERE = frozenset(["ladder", "duct", "pit", "boat"])
"""Features of links and of outdoor stories."""


@pytest.mark.rule("K-CARD-17", "K-DECIDE-61")
@pytest.mark.parametrize("kind", [k for k in FeatureKind if k.value not in ELSEWHERE])
def test_every_feature_and_marker_can_lie_on_the_board(kind: FeatureKind) -> None:
    at = "room/hall" if kind.is_of_room else "house/a"
    row = f"features:\n  - {{kind: {kind.value}, at: {at}}}\n"

    story = load(edited(HOUSE, ("features:\n", row))).scenarios["tiny/house"]

    assert (story.features[0].kind, story.features[0].at) == (kind, at)


@pytest.mark.rule("K-CARD-19", "K-DECIDE-105")
def test_counter_is_a_public_number_or_a_token_with_a_limit() -> None:
    more = "counters:\n  - {id: mud, start: 2}\n"
    files = edited(HOUSE, ("counters:\n", more))
    for language in ("en", "fr"):
        files[f"words/{language}/more.yaml"] = b"house/mud: {name: mud}\n"
    use = b"    keeper_wins: {any: [{deaths: 1}, {count: {of: mud, at_least: 2}}]}\n"
    files[HOUSE] = files[HOUSE].replace(b"    keeper_wins: {deaths: 1}\n", use)

    mud, blood = load(files).scenarios["tiny/house"].counters

    assert (mud.start, mud.most, mud.is_token) == (2, None, False)
    assert (blood.start, blood.most, blood.is_token) == (0, 5, True)


@pytest.mark.rule("K-DECIDE-6")
def test_keeper_starts_with_nothing_unless_the_story_says_so() -> None:
    assert attrs.astuple(KeeperStart()) == ((0,), 0, 0)
    start = "keeper_start: {threat: [4, 3, 2, 1], mythos: 2, trauma: 1}"
    files = edited(HOUSE, ("keeper_start: {threat: [1], mythos: 1}", start))
    told = mistakes_in(edited(HOUSE, ("mythos: 1}", "mythos: 3}")))

    assert attrs.astuple(load(files).scenarios["tiny/house"].keeper_start) == ((4, 3, 2, 1), 2, 1)
    assert any("3 is out of bounds; 0 to 2 is allowed" in one for one in told)


@pytest.mark.rule("K-DECIDE-1")
@pytest.mark.parametrize(("most", "is_good"), [(0, False), (1, True), (5, False)])
def test_story_is_for_one_to_four_investigators(most: int, is_good: bool) -> None:
    told = mistakes_in(edited(HOUSE, ("most_investigators: 1", f"most_investigators: {most}")))

    assert any("is out of bounds; 1 to 4 is allowed" in one for one in told) is not is_good


@pytest.mark.rule("K-COMBAT-3")
def test_each_class_of_monsters_has_a_deck() -> None:
    """A monster of another class needs cards of that class."""
    told = mistakes_in(edited("monsters.yaml", ("class: beast", "class: eldritch")))

    assert {one.partition(" is for ")[0].rpartition(": ")[2] for one in told} == {
        f"no combat card of the class {MonsterClass.ELDRITCH.value}"
    }


@pytest.mark.rule("K-DECIDE-11", "K-CARD-4")
def test_story_lists_its_mythos_deck() -> None:
    """A card that stands there twice is in the deck twice."""
    deck = "mythos: [mythos/chill, mythos/chill]\n"
    files = edited(HOUSE, ("mythos: [mythos/chill, mythos/whisper]\n", deck))

    assert load(files).scenarios["tiny/house"].mythos == ("mythos/chill", "mythos/chill")


def test_every_kind_of_card_has_its_file() -> None:
    assert {f"{cls.__name__} {name in LIST_FILES}" for name, cls in FILE_CLASSES.items()} == {
        *("CharacterCard True", "TraitCard True", "ItemCard True", "SpellCard True"),
        *("MonsterCard True", "CombatCard True", "TraumaCard True", "MythosCard True"),
        *("ActionCard True", "LockCard True", "ObstacleCard True", "Layout True"),
        *("PitMarker True", "AllyCard True", "Product True"),
        *("PieceSupply False", "Story False"),
    }
