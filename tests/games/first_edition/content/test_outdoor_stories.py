"""The stories of the outdoors: what each of them has to have, and what they have together."""

from collections import Counter

import pytest

from content.games.first_edition.answers import sets_of
from content.games.first_edition.evidence import evidence
from content.games.first_edition.maps import map_of
from content.games.first_edition.schema.effects import RemoveFeature, Take
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.story import Exhaustion, LinkKind, Story
from content.games.first_edition.walks import Board
from content.language.walk import parts_in
from content.reading.words import LANGUAGES
from protocol.boards.routes import reach
from protocol.games.first_edition.words import FeatureKind, StoryDeck
from tests.games.first_edition.content.test_stories import count, words_of
from tests.games.first_edition.house import manor

pytestmark = pytest.mark.issue(41)

OUTDOORS = "product/outdoors"


@pytest.fixture(scope="module", name="pack")
def load_pack() -> Pack:
    return manor()


@pytest.fixture(name="story", params=("manor/roll-call", "manor/low-water", "manor/ninth-stone"))
def story_of(request: pytest.FixtureRequest, pack: Pack) -> Story:
    return pack.scenarios[request.param]


@pytest.fixture(name="stories")
def stories_of(pack: Pack) -> list[Story]:
    return [story for story in pack.scenarios.values() if story.outdoor]


@pytest.mark.rule("W-PLAYER-1", "W-EVENT-1")
def test_it_has_six_events_two_objectives_and_no_end_by_events(story: Story) -> None:
    assert story.outdoor
    assert story.minutes == 90
    assert len(story.events) == 6
    assert len(story.objectives) >= 2
    assert len(sets_of(story)) >= 4
    assert story.event_exhaustion is Exhaustion.CONTINUE


@pytest.mark.rule("W-KACTION-1", "W-COMP-10", "W-COMP-12")
def test_it_has_seven_hidden_actions_and_six_mythos_cards_of_its_own(story: Story) -> None:
    own = words_of(story, "en")
    assert sum(card in own for card in story.hidden_actions) >= 7
    assert sum(card in own for card in story.mythos) >= 6


@pytest.mark.rule("W-USE-1", "W-DECIDE-55")
def test_it_belongs_to_the_product_with_all_its_own_cards(story: Story, pack: Pack) -> None:
    held = set(pack.products[OUTDOORS].holds)
    own = {card for card in words_of(story, "en") if card in {*pack.mythos, *pack.actions}}
    assert {story.id, *own} <= held
    assert story.id not in pack.without(pack.products).scenarios


def test_each_clue_does_or_tells_something_and_the_objective_is_told_late(story: Story) -> None:
    assert 4 <= len(story.clues) <= 6
    assert all(clue.effect for clue in story.clues)
    numbers = {clue.id: clue.number for clue in story.clues}
    told = [one.subject for one in evidence(story) if one.reason.endswith("told apart")]
    assert all(numbers[clue] <= 2 for clue in told)


@pytest.mark.rule("W-USE-6", "W-USE-9")
@pytest.mark.parametrize("language", LANGUAGES)
def test_it_has_six_thousand_words_and_a_guide_to_each_objective(
    story: Story, language: str
) -> None:
    words = words_of(story, language)
    assert sum(count(fields) for fields in words.values()) >= 6000
    goals = [f"guide/{goal.id.partition('/')[2]}" for goal in story.objectives]
    if story.is_objective_voted:
        goals.append(story.guide)
    for guide in goals:
        assert 350 <= count(words[guide]) <= 1000, guide


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_room_has_a_text(story: Story, language: str) -> None:
    words = words_of(story, language)
    short = [room.id for room in story.rooms if count({"": words[room.id].get("text", "")}) < 25]
    assert short == []


@pytest.mark.rule("W-OUT-5")
def test_it_has_rooms_under_the_sky_and_under_a_roof(story: Story) -> None:
    assert {room.outdoor for room in story.rooms} == {True, False}


@pytest.mark.rule("K-DEATH-2", "W-BARRIER-2")
def test_wherever_an_item_can_be_lost_somebody_can_get_it_again(story: Story) -> None:
    """Each room is reached on foot, whoever died there, or an action draws in what lies in it."""
    board = Board.of(story)
    walked = {board.map.rooms[space] for space in reach([story.start], board.ways.__getitem__)}
    drawn = {step.at for step in parts_in(story) if isinstance(step, Take)}

    assert walked | drawn == {room.id for room in story.rooms}


@pytest.mark.rule("K-BARR-1", "K-BARR-3")
def test_a_barricade_whose_owner_died_behind_it_can_be_removed_from_outside(story: Story) -> None:
    """From its own space alone it is moved, and nobody gets there any more."""
    barricades = [one.at for one in story.features if one.kind is FeatureKind.BARRICADE]
    rooms = map_of(story).rooms
    cleared = {
        step.at: deed.room
        for deed in story.deeds
        for step in parts_in(deed)
        if isinstance(step, RemoveFeature) and step.kind is FeatureKind.BARRICADE
    }

    assert set(cleared) == {rooms[at] for at in barricades}
    for inside, outside in cleared.items():
        doors = [edge for at in barricades for edge in map_of(story).edges_of(at)]
        behind = {rooms[space] for edge in doors for space in (edge.one, edge.other)}
        assert {inside, outside} <= behind


# Each kind of story card in one story, and each device of the outdoors in some story.


@pytest.mark.rule("W-STORY-1", "W-STORY-2", "W-STORY-3", "W-STORY-4", "W-DECIDE-53")
def test_each_kind_of_story_card_is_in_one_story(stories: list[Story]) -> None:
    decks = Counter(deck.deck for story in stories for deck in story.decks)
    assert decks == dict.fromkeys(StoryDeck, 1)
    of = {deck.deck: story.id for story in stories for deck in story.decks}
    assert of[StoryDeck.DELUSION] != of[StoryDeck.TRAIL] != of[StoryDeck.MANIA]
    assert [story.id for story in stories if story.is_objective_voted] == [of[StoryDeck.FIND]]


@pytest.mark.rule("W-COMP-16")
def test_the_stories_have_tiles_of_three_sizes(stories: list[Story]) -> None:
    """A large tile has six spaces or more, a small one has one or two."""
    spaces = [len(tile.rooms) for story in stories for tile in story.tiles]
    assert len(spaces) >= 11
    assert sum(number >= 6 for number in spaces) >= 2
    assert sum(3 <= number < 6 for number in spaces) >= 3
    assert sum(number < 3 for number in spaces) >= 6


@pytest.mark.rule("W-COMP-2", "W-WATER-1", "W-BARRIER-1", "W-DECIDE-16")
def test_one_story_has_a_boat_a_bridge_pits_and_two_spaces_under_water(
    stories: list[Story],
) -> None:
    story = max(stories, key=lambda one: len(one.submerged))
    assert len(story.submerged) >= 2
    assert [link.kind for link in story.links if link.kind is LinkKind.UNDER]
    kinds = Counter(feature.kind for feature in story.features)
    assert kinds[FeatureKind.BOAT] == 1
    assert kinds[FeatureKind.PIT] >= 2
    assert story.boat_key is not None
    assert any(edge.line.value == "impassable" for edge in map_of(story).edges)


@pytest.mark.rule("W-COMP-4", "W-COMP-5", "W-ALLY-7", "W-CARD-8")
def test_one_story_has_five_allies_with_thirty_one_tales(stories: list[Story]) -> None:
    most = max(stories, key=lambda story: len(story.allies))
    assert len(most.allies) == 5
    tales = [tale for ally in most.allies for tale in ally.tales]
    assert len(tales) == 31
    assert len({tale.kind for tale in tales}) == 3
    assert any(list(parts_in(tale)) for tale in tales)
