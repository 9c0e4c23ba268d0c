"""Low Water: the boat helps and is not needed, and the trail is the keeper's."""

import attrs
import pytest

from content.games.first_edition.answers import Answers, sets_of
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.story import Knowers, LaidFeature, Story
from content.games.first_edition.walks import Board, Walk
from protocol.boards import routes
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import INVESTIGATOR_LINKS, FeatureKind, StoryDeck
from server.games.first_edition.rules import adjacency, death, deeds, newcomers, tales, turn
from tests.games.first_edition.house import manor
from tests.games.first_edition.rules.bench import Bench
from tests.games.first_edition.rules.test_stories_played import AGNES, NORA, at_event

pytestmark = pytest.mark.issue(41)

NEAR = {"room/landing", "room/boathouse", "room/water-meadow", "room/toll-house"}
"""The rooms on the bank where investigators enter the board."""


@pytest.fixture(scope="module", name="pack")
def load_pack() -> Pack:
    return manor()


@pytest.fixture(name="story")
def story_of(pack: Pack) -> Story:
    return pack.scenarios["manor/low-water"]


def walks(pack: Pack, story: Story) -> list[tuple[Answers, Walk]]:
    """Return how far investigators come for each set of answers."""
    board = Board.of(story)
    return [(one, Walk.through(pack, story, one, board)) for one in sets_of(story)]


@pytest.mark.rule("W-COMP-2", "W-DECIDE-13")
def test_there_is_one_boat_and_everything_can_be_had_without_it(pack: Pack, story: Story) -> None:
    boats = [one for one in story.features if one.kind is FeatureKind.BOAT]
    assert len(boats) == 1

    # Without its key neither this boat nor one that an effect brings carries anybody.
    for _, walk in walks(pack, attrs.evolve(story, boat_key="item/none")):
        assert set(walk.board.map.rooms) - walk.spaces == set(story.submerged)
        assert {clue.id for clue in story.clues} <= set(walk.found)
        assert {"item/passenger", "item/sextons-bell"} <= set(walk.found)


@pytest.mark.rule("W-DECIDE-13")
def test_the_key_of_the_boat_lies_on_the_near_bank(story: Story) -> None:
    locked = {row.room for row in story.locks}
    for answers in sets_of(story):
        lies = {
            room.id for room in story.rooms if story.boat_key in story.cards_under(room.id, answers)
        }
        assert len(lies) == 1
        assert lies <= NEAR - locked


@pytest.mark.rule("W-WATER-7", "W-DECIDE-18")
def test_wherever_the_boat_drifts_there_is_a_way_ashore(pack: Pack, story: Story) -> None:
    """Nobody is cut off by a boat that has gone: each dry space has a way over land."""
    board = Board.of(story)
    for space in board.map.rooms:
        assert space in story.submerged or board.ways[space], space
    for at in ("near/a", "south/z", "pool/s", "south/f"):
        drifted = LaidFeature(FeatureKind.BOAT, at)
        for _, walk in walks(pack, attrs.evolve(story, features=(drifted,))):
            assert walk.spaces == set(board.map.rooms), at


@pytest.mark.rule("W-STORY-2", "W-COMP-9", "W-SECRET-10")
def test_eight_trails_lie_in_the_open_and_the_keeper_knows_them(story: Story) -> None:
    (deck,) = [one for one in story.decks if one.deck is StoryDeck.TRAIL]
    outdoor = {room.id for room in story.rooms if room.outdoor}

    assert deck.knowers is Knowers.KEEPER
    assert len(deck.cards) == len(deck.rooms) == 8
    assert set(deck.rooms) <= outdoor
    assert all(card.trigger is not None and card.effect for card in deck.cards)


# What is lost on the water

KEY, PASSENGER, BELL = "item/boathouse-key", "item/passenger", "item/sextons-bell"
NAN = "ally/nan-tolley"
FARE = {"purpose": "the-fare", "boat": "the-inspector", "who-calls": "the-bride"}
POOLS = {"room/upper-pool", "room/lower-pool"}


def afloat(at: str, *items: str) -> Bench:
    """Return the story while Nora, who has the key and these items, is in the boat on a pool."""
    bench = at_event("low-water", 0, FARE)
    (boat,) = [one for one in bench.game_table.features.values() if one.kind is FeatureKind.BOAT]
    bench.emit(fe.FeatureMoved(boat.feature_id, at))
    bench.emit(fe.Moved(NORA, at))
    for item in (KEY, *items):
        newcomers.gain_item(bench.game, NORA, item)
    bench.table = bench.with_game(attrs.evolve(bench.game_table, monsters={}))
    return bench


def drown(bench: Bench) -> None:
    """Have Nora die in the boat, while Agnes goes to the holm."""
    bench.run(death.kill(bench.game, NORA))
    bench.emit(fe.Moved(AGNES, "pool/h"))


def on_foot(bench: Bench) -> set[str]:
    """Return the rooms to which somebody at the start can ever walk: every lock can be opened."""
    table = bench.game_table
    spaces = routes.reach(["near/a"], lambda at: adjacency.beside(table, at, INVESTIGATOR_LINKS))
    return {table.room_of(space) for space in spaces}


def do(bench: Bench, name: str, *takes: str, roll: int = 1) -> None:
    """Have Agnes perform an action of the story, and take what she is offered."""
    (deed,) = [one for one in bench.game.content.story.deeds if one.id == name]
    bench.give_rolls(roll)
    bench.set(AGNES, skill_points=0)
    turn.begin(bench.game, AGNES)
    bench.run(deeds.perform(bench.game, AGNES, deed), *([takes] if takes else []))


@pytest.mark.parametrize("at", ["pool/b", "pool/c", "south/b"])
@pytest.mark.parametrize("item", [PASSENGER, BELL])
def test_what_was_lost_on_the_water_is_had_again_from_the_holm(item: str, at: str) -> None:
    """The key lies there as well, so that nobody can come by boat."""
    bench = afloat(at, item)
    drown(bench)
    assert on_foot(bench).isdisjoint(POOLS)
    assert {one.card for one in bench.game_table.lying[bench.game_table.room_of(at)]} > {KEY, item}

    do(bench, "deed/reach-out", roll=10)
    assert not {KEY, item} & {one.card for one in bench.who(AGNES).items}
    do(bench, "deed/reach-out", KEY, item)
    assert {KEY, item} <= {one.card for one in bench.who(AGNES).items}


@pytest.mark.parametrize("at", ["pool/b", "south/b"])
def test_a_boat_without_its_key_comes_to_the_holm_with_whoever_is_in_it(at: str) -> None:
    """An ally in it can carry the passenger, and the ally alone cannot row."""
    bench = afloat(at, PASSENGER)
    tales.lay_out(bench.game)
    bench.emit(fe.Moved(NAN, at))
    passenger = next(one for one in bench.who(NORA).items if one.card == PASSENGER)
    bench.emit(fe.ItemGiven(NORA, NAN, passenger.piece))
    drown(bench)

    do(bench, "deed/reach-out", KEY)

    (boat,) = [one for one in bench.game_table.features.values() if one.kind is FeatureKind.BOAT]
    assert (boat.at, bench.game_table.allies[NAN].space) == ("pool/h", "pool/h")
    assert bench.game_table.allies[NAN].items == (passenger,)


def test_the_bridge_is_opened_from_the_far_side_once_nobody_can_move_the_barricade() -> None:
    bench = afloat("pool/b")
    (barricade,) = bench.game_table.features_at("bridge/g", FeatureKind.BARRICADE)
    bench.emit(fe.BarricadeSet(barricade.feature_id, "bridge/a"))
    bench.emit(fe.Moved(AGNES, "bridge/a"))
    assert "bridge/g" not in adjacency.steps(bench.game_table, "bridge/a", INVESTIGATOR_LINKS)

    do(bench, "deed/clear-the-toll-house")

    assert "bridge/g" in adjacency.steps(bench.game_table, "bridge/a", INVESTIGATOR_LINKS)


def test_nobody_draws_in_the_boat_of_somebody_who_has_its_key() -> None:
    bench = afloat("pool/b", PASSENGER)
    bench.emit(fe.Moved(AGNES, "pool/h"))
    turn.begin(bench.game, AGNES)

    (refused,) = [
        one
        for one in deeds.offers(bench.game, AGNES).refused
        if one.text.params == ("deed/reach-out",)
    ]
    assert refused.reason.subject == "refusal/condition"
