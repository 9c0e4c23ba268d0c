"""The Ninth Stone: what is chosen in secret, what the hill finds out, and how each errand ends."""

import attrs
import pytest

from content.games.first_edition.schema.effects import KeeperExplores, Ritual
from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.story import Knowers, Story
from content.language.walk import parts_in
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import Side, StoryDeck
from server.games.first_edition.rules import newcomers, objective, story
from server.games.first_edition.rules.play import GameOver
from tests.games.first_edition.house import manor
from tests.games.first_edition.rules.bench import Bench
from tests.games.first_edition.rules.test_stories_played import AGNES, NORA, at_event, texts

pytestmark = pytest.mark.issue(41)

STORY = "manor/ninth-stone"
ERRANDS = ("to-carry-off", "to-break", "to-make-whole")
ASKED_BY = {"find/carriers-note": "to-carry-off", "find/chalk-marks": "to-break"}
"""The errand of which a find tells whether it is theirs."""
TEXTS = {
    "to-carry": {"to-carry-off"},
    "to-blow-up": {"to-break"},
    "not-to-carry": {"to-break", "to-make-whole"},
    "not-to-break": {"to-carry-off", "to-make-whole"},
}
"""The errands that a text of the hill leaves possible."""
COUNTS = 1
"""The first event at which the hill understands, by its number of earlier events."""


@pytest.fixture(scope="module", name="pack")
def load_pack() -> Pack:
    return manor()


@pytest.fixture(name="ninth_stone")
def story_of(pack: Pack) -> Story:
    return pack.scenarios[STORY]


@pytest.mark.rule("W-COMP-6", "W-STORY-8", "W-STORY-9", "W-CARD-10")
def test_the_ritual_has_six_pieces_in_one_layout_and_is_the_keepers(
    pack: Pack, ninth_stone: Story
) -> None:
    """No lock, obstacle or deed of investigators leads to it."""
    rituals = {
        step.puzzle
        for action in ninth_stone.all_actions
        for step in parts_in(pack.actions[action])
        if isinstance(step, Ritual)
    }
    assert len(rituals) == 1
    (puzzle,) = rituals
    assert len(pack.puzzles[puzzle].pieces) == 6
    assert puzzle not in [one.opening.puzzle for one in pack.locks.values()]
    assert puzzle not in [one.opening.puzzle for one in pack.obstacles.values()]
    assert not [step for deed in ninth_stone.deeds for step in parts_in(deed) if step == puzzle]


@pytest.mark.rule("W-COMP-7", "W-CARD-11", "W-STORY-4", "W-STORY-5")
def test_each_ritual_clue_stands_for_one_objective_and_there_are_at_most_six(
    ninth_stone: Story,
) -> None:
    (voted,) = [question for question in ninth_stone.questions if question.by_vote]
    assert 2 <= len(voted.options) <= 6
    options = sorted(option.id for option in voted.options)
    assert sorted(one.option for one in ninth_stone.objectives) == options


@pytest.mark.rule("W-COMP-9", "W-STORY-3", "W-SECRET-11")
def test_six_manias_wait_for_six_moments_and_the_owner_knows_them(ninth_stone: Story) -> None:
    (deck,) = [deck for deck in ninth_stone.decks if deck.deck is StoryDeck.MANIA]
    assert deck.knowers is Knowers.OWNER
    assert sum(card.copies for card in deck.cards) == 6
    assert len({card.trigger for card in deck.cards} - {None}) == 6


@pytest.mark.rule("W-STORY-7", "W-DECIDE-49")
def test_the_keeper_can_explore_and_nobody_knows_what_lies_where(
    pack: Pack, ninth_stone: Story
) -> None:
    (deck,) = [deck for deck in ninth_stone.decks if deck.deck is StoryDeck.FIND]
    assert deck.known_to is Knowers.NOBODY
    assert len(deck.rooms) == sum(card.copies for card in deck.cards)
    steps = [step for one in ninth_stone.all_actions for step in parts_in(pack.actions[one])]
    assert any(isinstance(step, KeeperExplores) for step in steps)


def at(number: int, errand: str, *found: str) -> Bench:
    """Return the story at an event, with finds that the keeper has turned up."""
    answers = {"errand": errand, "asking": "in-the-barrow", "left-things": "as-they-were-left"}
    bench = at_event("ninth-stone", number, answers)
    table = bench.game_table
    bench.table = bench.with_game(attrs.evolve(table, told=(*table.told, *found)))
    return bench


def understood(bench: Bench) -> set[str]:
    """Resolve the event, and return the errands that are left after what the hill understands."""
    bench.run(story.resolve_event(bench.game), ...)
    said = [left for text, left in TEXTS.items() if f"ninth-stone/{text}" in texts(bench)]
    return set(ERRANDS).intersection(*said)


@pytest.mark.parametrize("errand", ERRANDS)
def test_of_both_finds_the_hill_understands_the_errand(errand: str) -> None:
    both = at(COUNTS, errand, "find/carriers-note", "find/chalk-marks")

    assert understood(both) == {errand}


@pytest.mark.parametrize("find", ASKED_BY)
def test_each_find_tells_of_one_errand_whether_it_is_theirs(find: str) -> None:
    asked = ASKED_BY[find]

    assert understood(at(COUNTS, asked, find)) == {asked}


@pytest.mark.parametrize("find", ASKED_BY)
def test_a_find_says_the_same_of_all_errands_that_it_leaves_open(find: str) -> None:
    """A keeper who has played the story before learns no more by the text than by what it says."""
    others = {*ERRANDS} - {ASKED_BY[find]}

    assert [understood(at(COUNTS, errand, find)) for errand in others] == [others, others]


def test_without_a_find_the_hill_understands_nothing() -> None:
    assert understood(at(COUNTS, "to-break")) == {*ERRANDS}


def test_what_was_understood_is_not_said_again() -> None:
    bench = at(COUNTS + 1, "to-break", "find/carriers-note")
    bench.emit(fe.CounterChanged("note-understood", 1))

    assert understood(bench) == {*ERRANDS}


def ready(errand: str, *people: str, **counters: int) -> Bench:
    """Return the story after the asking, with investigators in these spaces."""
    bench = at(0, errand)
    goals = manor().scenarios[STORY].objectives
    goal = next(one.id for one in goals if one.option == errand)
    table = attrs.evolve(bench.game_table, revealed=goal)
    bench.table = bench.with_game(table)
    for name, amount in counters.items():
        bench.emit(fe.CounterChanged(name, amount))
    for who, space in zip((NORA, AGNES), people, strict=True):
        bench.emit(fe.Moved(who, space))
    return bench


def won_by(bench: Bench) -> tuple[Side, ...]:
    """Return the winners, after a check of the objective; none if the game goes on."""
    try:
        objective.check(bench.game)
    except GameOver:
        ending = bench.game_table.ending
        assert ending is not None
        return ending.winners
    return ()


def test_the_little_stone_is_carried_off_once_it_is_in_the_lane() -> None:
    bench = ready("to-carry-off", "lane/a", "ring/e", lifted=1)
    assert won_by(bench) == ()
    newcomers.gain_item(bench.game, NORA, "item/little-stone")

    assert won_by(bench) == (Side.INVESTIGATORS,)


@pytest.mark.parametrize(
    ("people", "laid", "winners"),
    [
        (("quarry/c", "ring/d"), 2, (Side.INVESTIGATORS,)),
        # Somebody is in the ring, nobody in the quarry, or the fuse is not run.
        (("quarry/c", "ring/e"), 2, ()),
        (("ring/g", "ring/d"), 2, ()),
        (("quarry/c", "ring/d"), 1, ()),
    ],
)
def test_the_ring_is_broken_from_the_quarry_with_nobody_in_it(
    people: tuple[str, str], laid: int, winners: tuple[Side, ...]
) -> None:
    assert won_by(ready("to-break", *people, laid=laid)) == winners


@pytest.mark.parametrize(
    ("people", "winners"),
    [(("barrow/a", "barrow/a"), (Side.INVESTIGATORS,)), (("barrow/a", "barrow/b"), ())],
)
def test_two_must_say_at_the_barrow_that_the_ninth_is_whole(
    people: tuple[str, str], winners: tuple[Side, ...]
) -> None:
    assert won_by(ready("to-make-whole", *people, mended=2)) == winners


def test_whoever_is_left_alone_says_it_alone() -> None:
    """After the asking nobody comes for the dead: the errand could not be ended any more."""
    bench = ready("to-make-whole", "barrow/a", "ring/e", mended=2)
    assert won_by(bench) == ()
    bench.emit(fe.InvestigatorKilled(AGNES, returns=False))

    assert won_by(bench) == (Side.INVESTIGATORS,)


@pytest.mark.parametrize("errand", ERRANDS)
def test_only_the_way_of_the_errand_stops_it(errand: str) -> None:
    ways = {"to-carry-off": "mist", "to-break": "water", "to-make-whole": "thorn"}
    others = {way: 6 for one, way in ways.items() if one != errand}

    assert won_by(ready(errand, "lane/b", "lane/b", **others)) == ()
    assert won_by(ready(errand, "lane/b", "lane/b", **{ways[errand]: 6})) == (Side.KEEPER,)


def test_before_the_asking_was_found_nothing_is_done() -> None:
    bench = ready("to-break", "quarry/c", "ring/d", laid=2)
    bench.table = bench.with_game(attrs.evolve(bench.game_table, revealed=None))

    assert won_by(bench) == ()
