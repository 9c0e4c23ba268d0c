"""Cards of the story, finds and the ritual of the keeper: W-STORY, W-DECIDE-48 to W-DECIDE-50."""

from typing import Any

import attrs
import pytest

from content.games.first_edition.schema.cards import Modifier, Trigger
from content.games.first_edition.schema.effects import (
    Deal,
    DiscardCard,
    KeeperExplores,
    Ritual,
    Step,
    Suffer,
    Threat,
    TurnUp,
)
from content.games.first_edition.schema.requirements import Solved, StoryCardShown
from content.games.first_edition.schema.story import Knowers, StoryCard, StoryCards
from content.games.first_edition.schema.targets import TheAlly, Who
from protocol.common.events import TimerOpened
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition import words
from protocol.games.first_edition.puzzles import Piece
from protocol.games.first_edition.table import KeeperStep
from protocol.games.first_edition.words import KEEPER, Attribute, StoryDeck, Variant
from server.games.first_edition.rules import (
    death,
    effects,
    keeper_actions,
    mythos,
    puzzles,
    requirements,
    story_decks,
    tests,
)
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.layouts import ORDER, supply_for
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.house import seen
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    HALL,
    RAT,
    STUDY,
    action_card,
    by_id,
    with_points,
    world,
)

rule = pytest.mark.rule

HURT = Suffer(damage=1)
HURT_ALL = Suffer(damage=1, who=Who.ALL)
SHELF = ORDER[0]


def with_deck(*cards: StoryCard, deck: StoryDeck = StoryDeck.TRAIL, **fields: Any) -> Bench:
    """Return a world of Ada and Ben whose story has one deck, laid out."""
    given = {name: fields.pop(name) for name in ("knowers", "rooms", "each_ally") if name in fields}
    decks = (StoryCards(deck, cards, **given),)
    bench = world((ADA, BEN), story={"decks": decks}, **fields)
    story_decks.lay_out(bench.game)
    bench.log.clear()
    return bench


def card(name: str, *effect: Step, **fields: Any) -> StoryCard:
    return StoryCard(name, effect, **fields)


def run(bench: Bench, *steps: Step, actor: str | None = ADA) -> None:
    bench.run(effects.resolve(bench.game, steps, Source("tests/card", actor)))


@rule("W-DECIDE-50", "K-CARD-3")
def test_an_action_about_cards_of_the_story_needs_one_and_somebody() -> None:
    read = action_card("read", TurnUp(StoryDeck.TRAIL, room=HALL))
    tell = action_card("tell", Deal(StoryDeck.TRAIL, TheAlly("ally/bo")))
    given: dict[str, Any] = {"actions": [read, tell], "threat": 1, "step": KeeperStep.ACTIONS}
    bench = with_deck(card("trail/a"), card("trail/b"), **given)

    def refused() -> list[object]:
        bench.run(keeper_actions.step(bench.game), ...)
        assert bench.open is not None
        return [one.text.params[0] for one in bench.open.prompts[KIM].refused]

    assert refused() == ["action/read", "action/tell"]
    story_decks.deal(bench.game, StoryDeck.TRAIL, HALL)
    assert refused() == ["action/tell"]


@rule("W-STORY-2", "W-SECRET-10", "W-CARD-9")
def test_rooms_get_a_card_that_those_know_whom_the_story_says() -> None:
    for knowers, expected in ((Knowers.NOBODY, ()), (Knowers.KEEPER, (KIM,))):
        bench = with_deck(card("trail/ford"), knowers=knowers, rooms=(STUDY,))
        (lying,) = bench.game_table.story_cards.values()

        assert (lying.owner, lying.kind, lying.shown) == (STUDY, StoryDeck.TRAIL, None)
        assert lying.card.audience == expected


@rule("W-STORY-1", "W-STORY-3", "W-SECRET-11")
def test_a_mania_is_known_to_its_owner_and_the_keeper_alone() -> None:
    mania = card("mania/doors")
    bench = with_deck(mania, deck=StoryDeck.MANIA, knowers=Knowers.OWNER)

    run(bench, Deal(StoryDeck.MANIA))

    (dealt,) = bench.happened(fe.StoryCardDealt)
    assert (dealt.owner, dealt.knowers) == (ADA, (KIM, 1))
    reads = {
        seat: [
            record.event.card.is_open
            for record in seen(bench, seat)
            if isinstance(record.event, fe.StoryCardDealt)
        ]
        for seat in (KIM, 1, 2)
    }
    assert reads == {KIM: [True], 1: [True], 2: [False]}


@rule("W-SECRET-10", "W-SECRET-11", "W-DECIDE-49")
@pytest.mark.parametrize(
    ("deck", "knowers"),
    [(StoryDeck.TRAIL, (KIM,)), (StoryDeck.MANIA, (KIM, 1)), (StoryDeck.FIND, ())],
)
def test_who_knows_a_card_goes_by_its_kind_where_the_story_says_nothing(
    deck: StoryDeck, knowers: tuple[int, ...]
) -> None:
    bench = with_deck(card(f"{deck.value}/one"), deck=deck)

    run(bench, Deal(deck))

    (dealt,) = bench.happened(fe.StoryCardDealt)
    assert dealt.knowers == knowers


@rule("W-DECIDE-50")
def test_a_card_is_turned_up_at_its_moment_and_leaves_the_game() -> None:
    bench = with_deck(card("mania/doors", HURT, trigger=Trigger.ATTACKED), deck=StoryDeck.MANIA)
    run(bench, Deal(StoryDeck.MANIA))

    bench.run(mythos.triggered(bench.game, ADA, Trigger.EXPLORED))
    assert not bench.happened(fe.StoryCardShown)
    bench.run(mythos.triggered(bench.game, BEN, Trigger.ATTACKED))
    assert not bench.happened(fe.StoryCardShown)
    bench.run(mythos.triggered(bench.game, ADA, Trigger.ATTACKED))

    assert [one.card for one in bench.happened(fe.StoryCardShown)] == ["mania/doors"]
    assert bench.who(ADA).damage == 1
    assert not bench.game_table.story_cards
    assert bench.game_table.told == ("mania/doors",)


@rule("W-DECIDE-50")
def test_a_card_that_stays_is_turned_up_once_and_can_be_discarded() -> None:
    kept = card("trail/ford", HURT, trigger=Trigger.ROOM_ENTERED, keep=True)
    bench = with_deck(kept, rooms=(HALL,))
    asked = StoryCardShown("trail/ford")
    assert not requirements.holds(bench.game, asked, Source("x"))

    for _ in range(2):
        bench.run(mythos.triggered(bench.game, ADA, Trigger.ROOM_ENTERED))

    assert bench.who(ADA).damage == 1
    assert [one.shown for one in bench.game_table.story_cards.values()] == ["trail/ford"]
    run(bench, DiscardCard("trail/ford"))
    assert not bench.game_table.story_cards
    assert requirements.holds(bench.game, asked, Source("x"))


@rule("W-STORY-2")
def test_a_trail_waits_for_those_who_enter_its_room_and_not_for_what_they_do_elsewhere() -> None:
    bench = with_deck(card("trail/ford", HURT, trigger=Trigger.ROOM_ENTERED), rooms=(STUDY,))

    bench.run(mythos.triggered(bench.game, ADA, Trigger.ROOM_ENTERED))
    assert bench.game_table.story_cards
    bench.emit(fe.Moved(ADA, "house/c"))
    bench.run(mythos.triggered(bench.game, ADA, Trigger.TEST_FAILED))
    assert bench.game_table.story_cards
    bench.run(mythos.triggered(bench.game, ADA, Trigger.ROOM_ENTERED))

    assert not bench.game_table.story_cards
    assert bench.who(ADA).damage == 1


@rule("W-DECIDE-50")
def test_an_effect_turns_up_the_cards_of_a_room_or_of_characters() -> None:
    cards = (card("trail/ford", HURT, copies=3),)
    bench = with_deck(*cards, rooms=(STUDY, HALL))
    run(bench, Deal(StoryDeck.TRAIL, who=Who.OTHERS))

    run(bench, TurnUp(StoryDeck.TRAIL, room=STUDY))
    assert bench.who(ADA).damage == 1
    run(bench, TurnUp(StoryDeck.TRAIL, who=Who.ALL))
    assert bench.who(BEN).damage == 1
    assert [one.owner for one in bench.game_table.story_cards.values()] == [HALL]


@rule("W-DECIDE-50")
def test_an_empty_deck_deals_nothing() -> None:
    bench = with_deck(card("trail/ford"), rooms=(STUDY,))

    run(bench, Deal(StoryDeck.TRAIL, room=HALL))

    assert [one.owner for one in bench.game_table.story_cards.values()] == [STUDY]


@rule("W-DECIDE-50")
def test_a_card_face_down_changes_no_test_and_one_face_up_does() -> None:
    doubt = card("mania/doubt", modifiers=(Modifier(amount=-2),), keep=True)
    bench = with_deck(doubt, deck=StoryDeck.MANIA)
    run(bench, Deal(StoryDeck.MANIA))
    assert tests.worth(bench.game, ADA, Attribute.LORE, words.TestKind.CARD) == 5

    run(bench, TurnUp(StoryDeck.MANIA))

    assert tests.worth(bench.game, ADA, Attribute.LORE, words.TestKind.CARD) == 3
    assert tests.worth(bench.game, BEN, Attribute.LORE, words.TestKind.CARD) == 5


@rule("W-DECIDE-50")
def test_the_cards_of_a_dead_investigator_leave_the_game_unread() -> None:
    bench = with_deck(card("mania/doubt", copies=2), deck=StoryDeck.MANIA)
    run(bench, Deal(StoryDeck.MANIA, who=Who.ALL))

    bench.run(death.kill(bench.game, ADA))

    assert [one.owner for one in bench.game_table.story_cards.values()] == [BEN]
    assert not bench.happened(fe.StoryCardShown)


@rule("W-STORY-7", "W-DECIDE-49")
def test_the_keeper_explores_where_a_monster_of_his_is() -> None:
    explore = action_card("search", KeeperExplores())
    finds = (card("find/bone", Threat(2)), card("find/dust", Threat(2)))
    bench = with_deck(
        *finds,
        deck=StoryDeck.FIND,
        rooms=(STUDY, HALL),
        actions=(explore,),
        monsters_at=[(RAT, "house/c")],
        threat=1,
        step=KeeperStep.ACTIONS,
    )

    bench.run(keeper_actions.step(bench.game), "choice/keeper_action")

    assert [one.owner for one in bench.game_table.story_cards.values()] == [HALL]
    assert bench.game_table.threat == 2
    line = bench.game_table.actions[0]
    assert not keeper_actions.offers(bench.game, line).options


@rule("W-STORY-7", "W-DECIDE-49")
def test_investigators_find_nothing_that_is_the_keepers_to_explore() -> None:
    bench = with_deck(card("find/bone"), deck=StoryDeck.FIND, rooms=(HALL,))

    assert not bench.game_table.laid.get(HALL)
    bench.run(mythos.triggered(bench.game, ADA, Trigger.EXPLORED))
    assert bench.game_table.story_cards


def ritual(*solved: Step, actions: int = 4, lie: str = "edcba", **fields: Any) -> Bench:
    """Return a world in step 4 with a ritual that the keeper can pay for three times."""
    act = action_card("rite", Ritual(SHELF.id, actions, solved))
    bench = world(
        (ADA,),
        actions=(act,),
        threat=3,
        step=KeeperStep.ACTIONS,
        story={"actions": (act.id,)},
        puzzles=by_id(SHELF),
        **fields,
    )
    content = bench.game.content
    assert content.puzzles() == (SHELF,)
    pieces = supply_for(SHELF)
    bench.game.content = attrs.evolve(content, pack=attrs.evolve(content.pack, pieces=pieces))
    puzzles.lay_out_supplies(bench.game)
    bench.emit(fe.PuzzleLaid(SHELF.dealt(tuple(map(Piece, lie)))))
    bench.log.clear()
    return bench


def swap(one: int, other: int) -> Any:
    return lambda option: option.text == Text("choice/puzzle_swap", (one, other))


def act(bench: Bench, *answers: Any) -> None:
    bench.run(keeper_actions.step(bench.game), "choice/keeper_action", *answers)


@rule("W-STORY-8", "W-STORY-10", "W-DECIDE-48", "W-CARD-10")
def test_the_keeper_alone_tries_a_ritual_with_the_actions_that_it_allows() -> None:
    bench = ritual(actions=2)

    act(bench, swap(1, 2), swap(2, 3))

    assert bench.happened(fe.PuzzleAttemptBegan) == [fe.PuzzleAttemptBegan(KEEPER, SHELF.id, 2)]
    assert len(bench.happened(fe.PuzzlePiecesSwapped)) == 2
    assert not bench.game_table.solved
    assert bench.game_table.threat == 2
    assert bench.open is None


@rule("W-DECIDE-48")
def test_no_skill_point_and_no_clock_gives_the_keeper_more() -> None:
    bench = ritual(actions=1)
    bench.emit(fe.VariantsAgreed((Variant.TIMED_PUZZLES,)))
    with_points(bench, ADA, 3)

    act(bench, swap(1, 2))

    assert not bench.happened(TimerOpened)
    assert bench.who(ADA).skill_points == 3


@rule("W-STORY-9", "W-SECRET-12")
def test_the_pieces_of_a_ritual_lie_open_and_stay_until_the_next_attempt() -> None:
    bench = ritual(actions=1, lie="badce")
    act(bench, swap(1, 2))

    for seat in (KIM, 1, None):
        swaps = [one.event for one in seen(bench, seat) if "swapped" in one.event.tag]
        assert swaps == [fe.PuzzlePiecesSwapped(SHELF.id, (0, 1))]
    lie = "".join(piece.face for piece in bench.game_table.puzzles[SHELF.id].pieces)
    assert lie == "abdce"


@rule("W-STORY-8", "W-DECIDE-48")
def test_a_solved_ritual_does_what_it_says_and_cannot_be_tried_again() -> None:
    bench = ritual(HURT_ALL, lie="bacde")
    assert not requirements.holds(bench.game, Solved(SHELF.id), Source("x"))

    act(bench, swap(1, 2))

    assert bench.who(ADA).damage == 1
    assert requirements.holds(bench.game, Solved(SHELF.id), Source("x"))
    offers = keeper_actions.offers(bench.game, bench.game_table.actions[0])
    assert not offers.options
    run(bench, Ritual(SHELF.id, 4, (HURT_ALL,)))
    assert bench.who(ADA).damage == 1
