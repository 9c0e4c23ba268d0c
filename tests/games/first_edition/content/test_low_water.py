"""Low Water: the boat helps and is not needed, and the trail is the keeper's."""

import attrs
import pytest

from content.games.first_edition.answers import Answers, sets_of
from content.games.first_edition.loader import load_base
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.story import Knowers, LaidFeature, Story
from content.games.first_edition.walks import Board, Walk
from protocol.games.first_edition.words import FeatureKind, StoryDeck

pytestmark = pytest.mark.issue(41)

NEAR = {"room/landing", "room/boathouse", "room/water-meadow", "room/toll-house"}
"""The rooms on the bank where investigators enter the board."""


@pytest.fixture(scope="module", name="pack")
def load_pack() -> Pack:
    return load_base()


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
    ashore = [one for one in story.features if one.kind is not FeatureKind.BOAT]

    for _, walk in walks(pack, attrs.evolve(story, features=tuple(ashore))):
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
