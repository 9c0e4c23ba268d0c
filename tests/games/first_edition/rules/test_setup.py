"""Setup and what may be known: sections 2 and 28, K-DECIDE-1 to 11, 61, 94 to 102, 104, 105."""

from typing import Any

import attrs
import pytest

from content.games.first_edition.schema.cards import LockCard, Opening
from content.games.first_edition.schema.effects import Say
from content.games.first_edition.schema.kinds import NOTHING
from content.games.first_edition.schema.pack import Content
from content.games.first_edition.schema.story import (
    Counter,
    KeeperStart,
    LaidFeature,
    LaidMonster,
    LockRow,
    PlacementRow,
    QuestionOption,
    StoryClue,
    StoryEvent,
    StoryQuestion,
)
from protocol.common.events import Asked, Rolled
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import (
    MYTHOS_HAND,
    TRAUMA_HAND,
    FirstEditionTable,
    KeeperStep,
    Phase,
)
from protocol.games.first_edition.words import FeatureKind, Variant
from server.games.first_edition.rules import effects, exploring, newcomers, setup, turn
from server.games.first_edition.rules.play import Source
from server.games.first_edition.rules.ruleset import FirstEdition
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.house import before_setup, seen, view
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    EVERYBODY,
    HALL,
    RAT,
    STUDY,
    action_card,
    by_id,
    injury,
    item_card,
    mythos_card,
    pack_of,
    spell_card,
    story_of,
    told,
    world,
)

rule = pytest.mark.rule

TWO_QUESTIONS = (
    StoryQuestion("goal", (QuestionOption("wake"), QuestionOption("flood"))),
    StoryQuestion("place", (QuestionOption("shelf"), QuestionOption("well"))),
)


def traits(*people: str, seat: int = 1, second: tuple[int, ...] = ()) -> dict[int, Any]:
    """Return the answers of seats about traits: the first of each group, or the second."""
    return {
        at: tuple(
            f"trait/{who.partition('/')[2]}-{group}-{2 if at in second else 1}"
            for group in ("body", "mind")
        )
        for at, who in enumerate(people, seat)
    }


def set_up(bench: Bench, keeper: Any = "wake", variants: Any = None, **fields: Any) -> None:
    """Set a game up with these answers of the keeper."""
    people = [player.characters[0] for player in bench.players[1:]]
    wanted = variants or {player.seat: 0 for player in bench.players}
    bench.run(setup.set_up(bench.game), wanted, {KIM: keeper, **traits(*people, **fields)})


# Seats


@rule("K-GOAL-1", "K-DECIDE-1", "K-DECIDE-2", "K-DECIDE-3", "K-SETUP-5")
def test_a_table_has_one_keeper_and_one_to_four_investigators_kept_apart() -> None:
    roster = FirstEdition().roster(Content(pack_of(), story_of()))

    roles = {role.name: role for role in roster.roles}
    keeper, others = roles["keeper"], roles["investigator"]
    assert (roster.fewest, roster.most, roster.is_apart) == (2, 5, True)
    assert (keeper.fewest, keeper.most, keeper.characters) == (1, 1, ())
    assert (others.fewest, others.most, others.characters) == (1, 4, EVERYBODY)
    assert others.each[1:] == (1, 1, 1, 1)


@rule("K-DECIDE-10")
def test_a_story_can_have_fewer_investigators_and_seats() -> None:
    few = Content(pack_of(), story_of(investigators=(ADA, BEN)))
    one = Content(pack_of(), story_of(most_investigators=1))

    assert [FirstEdition().roster(each).most for each in (few, one)] == [3, 2]


# The order of setup


@rule("K-DECIDE-4", "K-SETUP-1", "K-SETUP-2", "K-SETUP-3", "K-SETUP-4")
def test_setup_goes_in_its_order() -> None:
    bench = before_setup(placement=(PlacementRow(HALL, (NOTHING,)),))
    set_up(bench, "flood")

    order = [
        fe.VariantsAgreed,
        fe.BoardLaid,
        fe.AnswersGiven,
        fe.ObjectiveSet,
        fe.CardLaid,
        fe.InvestigatorJoined,
        fe.Told,
        fe.RoundBegan,
    ]
    happened = [type(event) for event in bench.log]
    places = [happened.index(kind) for kind in order]
    assert places == sorted(places)
    assert bench.game_table.phase is Phase.INVESTIGATORS
    assert bench.game_table.objective is not None
    assert bench.game_table.objective.value == "objective/flood"
    assert [text.subject for text in told(bench)] == ["tests/intro"]


@rule("K-DECIDE-4", "K-SETUP-2", "K-SETUP-7", "K-DECIDE-8")
def test_the_keeper_answers_beside_the_investigators_who_keep_two_traits() -> None:
    bench = before_setup((ADA, BEN), questions=TWO_QUESTIONS)
    set_up(bench, ("flood", "well"), second=(2,))

    row = bench.asked[-1]
    assert set(row.prompts) == {0, 1, 2}
    for seat in (1, 2):
        parts = [[option.value[1] for option in one.options] for one in row.prompts[seat].row]
        name = (ADA, BEN)[seat - 1].partition("/")[2]
        assert parts == [[f"trait/{name}-{g}-{n}" for n in (1, 2)] for g in ("body", "mind")]
    assert bench.who(BEN).traits == ("trait/ben-body-2", "trait/ben-mind-2")
    assert bench.game_table.answers is not None
    assert bench.game_table.answers.value == {"goal": "flood", "place": "well"}


@rule("K-SETUP-11", "K-DECIDE-106")
@pytest.mark.parametrize("wants", [(True, True), (True, False), (False, True)])
def test_a_variant_is_used_if_every_seat_wants_it(wants: tuple[bool, bool]) -> None:
    bench = before_setup()
    picks = {seat: int(wish) for seat, wish in enumerate(wants)}
    set_up(bench, variants=picks)

    assert bench.game_table.variants == ((Variant.TIMED_PUZZLES,) if all(wants) else ())


@rule("K-SETUP-8", "K-SETUP-9", "K-SETUP-10", "K-DECIDE-7", "K-DECIDE-8")
def test_an_investigator_begins_with_what_card_and_traits_bring() -> None:
    cards = {"items": by_id(item_card("spade")), "spells": by_id(spell_card("ward"))}
    pack = pack_of(**cards)
    ada, traits_of = pack.characters[ADA], pack.traits
    changed = {
        "characters": by_id(attrs.evolve(ada, skill_points=3)),
        "traits": by_id(
            attrs.evolve(traits_of["trait/ada-body-1"], item="item/spade"),
            attrs.evolve(traits_of["trait/ben-body-1"], spell="spell/ward"),
        ),
    }
    pack = pack_of(**cards, **changed)
    bench = Bench(Content(pack, story_of()), (ADA, BEN))
    set_up(bench)

    assert [item.card for item in bench.who(ADA).items] == ["item/spade"]
    assert [spell.card for spell in bench.who(BEN).spells] == ["spell/ward"]
    assert (bench.who(ADA).skill_points, bench.who(BEN).skill_points) == (3, 0)
    assert {bench.who(who).space for who in (ADA, BEN)} == {"house/a"}
    assert len(bench.who(ADA).attributes) == 7


@rule("K-DECIDE-61")
def test_monsters_and_features_of_the_story_stand_there_without_any_test() -> None:
    bench = before_setup(
        monsters=(LaidMonster(RAT, "house/a"),),
        features=(LaidFeature(FeatureKind.FIRE, HALL),),
    )
    set_up(bench)

    assert bench.monster().space == "house/a"
    assert bench.game_table.is_burning(HALL)
    assert not bench.happened(fe.TestDeclared)


@rule("K-DECIDE-6")
def test_the_keeper_begins_with_what_the_story_gives() -> None:
    plain: list[tuple[int, ...]] = []
    rich: list[tuple[int, ...]] = []
    for people in ((ADA,), (ADA, BEN, CORA)):
        for start, found in (
            (KeeperStart(), plain),
            (KeeperStart((4, 3, 2, 1), 1, 1), rich),
        ):
            bench = before_setup(
                people,
                {"mythos": by_id(mythos_card("chill")), "traumas": by_id(injury())},
                mythos=("mythos/chill",),
                keeper_start=start,
            )
            set_up(bench)
            table = bench.game_table
            hands = (len(table.hand(MYTHOS_HAND)), len(table.hand(TRAUMA_HAND)))
            found.append((table.threat, *hands))

    assert plain == [(0, 0, 0)] * 2
    assert rich == [(4, 1, 1), (2, 1, 1)]


@rule("K-DECIDE-105")
def test_a_story_can_name_tokens_of_the_keeper() -> None:
    bench = before_setup(counters=(Counter("blood", 2, 5, is_token=True), Counter("bells")))
    set_up(bench)

    lines = bench.game_table.counters
    assert [(one.amount, one.most, one.is_token) for one in (lines["blood"], lines["bells"])] == [
        (2, 5, True),
        (0, None, False),
    ]


@rule("K-DECIDE-11", "K-SECRET-12", "K-DECIDE-99")
def test_the_mythos_deck_is_the_storys_and_nobody_knows_its_order() -> None:
    cards = [mythos_card(name) for name in ("chill", "draught", "other")]
    bench = before_setup(cards={"mythos": by_id(*cards)}, mythos=("mythos/chill", "mythos/draught"))
    set_up(bench)

    deck = bench.game_table.piles["deck/mythos"]
    assert sorted(map(bench.game_table.card_of, deck)) == ["mythos/chill", "mythos/draught"]
    for seat in (KIM, 1, None):
        table = view(bench, seat)
        assert all(table.known_card(handle) is None for handle in deck)


# What each role sees

ROOMS = (
    PlacementRow(HALL, (NOTHING,)),
    PlacementRow(STUDY, ("item/spade", "clue/diary"), {"place": "shelf"}),
    PlacementRow(STUDY, ("clue/diary", NOTHING), {"place": "well"}),
)


def full(*people: str, answers: tuple[str, str] = ("wake", "shelf")) -> Bench:
    """Return a game at the start of round 1, in which the keeper has something of everything."""
    bench = before_setup(
        people or (ADA,),
        {
            "mythos": by_id(mythos_card("chill"), mythos_card("draught")),
            "traumas": by_id(injury()),
            "actions": by_id(action_card("scurry"), action_card("brood")),
            "items": by_id(item_card("spade")),
            "locks": by_id(LockCard("lock/study", Opening(item="item/spade"))),
        },
        questions=TWO_QUESTIONS,
        placement=ROOMS,
        clues=(StoryClue("clue/diary", 1),),
        locks=(LockRow(STUDY, "lock/study"),),
        monsters=(LaidMonster(RAT, "house/c"),),
        mythos=("mythos/chill", "mythos/draught"),
        actions=("action/scurry", "action/brood"),
        keeper_start=KeeperStart((2,), 1, 1),
        events=tuple(StoryEvent(f"event/{n}", n) for n in (3, 4)),
    )
    set_up(bench, answers)
    return bench


def public(bench: Bench, seat: int | None) -> list[str]:
    """Return what a seat was sent, without the commitments, which tell nothing."""
    return [repr(one.event) for one in seen(bench, seat) if not isinstance(one.event, Asked)]


@rule("K-EX-28", "K-DECIDE-101", "K-DECIDE-102", "K-DECIDE-5", "K-SECRET-5")
def test_games_of_different_answers_look_the_same_to_all_but_the_keeper() -> None:
    one = full(ADA, BEN, answers=("wake", "shelf"))
    other = full(ADA, BEN, answers=("flood", "well"))

    for seat in (1, 2, None):
        assert public(one, seat) == public(other, seat)
        assert repr(view(one, seat)) == repr(view(other, seat))
    assert view(one, KIM).objective.value != view(other, KIM).objective.value  # type: ignore[union-attr]


@rule("K-EX-28", "K-DECIDE-101", "K-DECIDE-62")
def test_what_lies_open_is_counted_by_everybody() -> None:
    for seat in (1, None):
        table = view(full(), seat)

        assert {room: len(cards) for room, cards in table.laid.items()} == {HALL: 1, STUDY: 2}
        assert (set(table.locks), table.event_time, table.threat) == ({STUDY}, 3, 2)
        assert [action.card for action in table.actions] == ["action/scurry", "action/brood"]
        assert (len(table.hand(MYTHOS_HAND)), len(table.piles["deck/mythos"])) == (1, 1)


@rule(
    "K-INFO-2", "K-INFO-8", "K-SECRET-6", "K-SECRET-7", "K-SECRET-8", "K-SECRET-16", "K-SECRET-19"
)
@pytest.mark.parametrize(("seat", "knows"), [(KIM, True), (1, False), (None, False)])
def test_what_the_guide_says_is_known_to_the_keeper_alone(seat: int | None, knows: bool) -> None:
    bench = full()
    table = view(bench, seat)

    sealed = [
        table.answers,
        table.objective,
        *(card.card for cards in table.laid.values() for card in cards),
        *(lock.card for lock in table.locks.values()),
        *(monster.back for monster in table.monsters.values()),
        *table.events,
        *(one.event.text for one in seen(bench, seat) if isinstance(one.event, fe.ToldKeeper)),
    ]
    assert len(sealed) == 10
    assert {one is not None and one.is_open for one in sealed} == {knows}


@rule("K-DECIDE-65", "K-SECRET-19")
def test_a_story_can_hide_its_events_from_the_keeper_too() -> None:
    bench = before_setup(events_hidden_from_keeper=True)
    set_up(bench)

    assert not any(event.is_open for event in view(bench, KIM).events)


@rule("K-INFO-5", "K-SECRET-1", "K-SECRET-2")
@pytest.mark.parametrize(("seat", "knows"), [(KIM, True), (1, False), (None, False)])
def test_the_keepers_hand_is_the_keepers(seat: int | None, knows: bool) -> None:
    table = view(full(), seat)
    hands = [*table.hand(MYTHOS_HAND), *table.hand(TRAUMA_HAND)]

    assert [table.known_card(handle) is not None for handle in hands] == [knows, knows]


@rule("K-DECIDE-97")
def test_a_spectator_sees_what_every_investigator_sees() -> None:
    bench = full(ADA, BEN)

    assert public(bench, None) == public(bench, 1) == public(bench, 2)


@rule("K-INFO-9", "K-INFO-10", "K-DECIDE-95", "K-SECRET-9", "K-CARD-20")
def test_cards_that_were_explored_and_texts_that_were_read_stay_on_the_record() -> None:
    bench = full()
    bench.emit(fe.TurnBegan(ADA, 2))
    bench.run(exploring.explore(bench.game, ADA))

    for seat in (KIM, 1, None):
        events = [one.event for one in seen(bench, seat)]
        shown = [one.card for one in events if isinstance(one, fe.CardTurnedUp)]
        read_aloud = [one.text.subject for one in events if isinstance(one, fe.Told)]
        assert (shown, read_aloud) == ([NOTHING], ["tests/intro"])


@rule("K-DECIDE-99")
def test_every_roll_is_seen_by_all() -> None:
    bench = world(at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")])
    bench.give_rolls(7)
    bench.run(turn.take_step(bench.game), "house/c")

    for seat in (KIM, 1, None):
        rolls = [one.event.faces for one in seen(bench, seat) if isinstance(one.event, Rolled)]
        assert rolls == [(6,)]


@rule("K-SECRET-10", "K-SECRET-11", "K-CARD-12")
def test_the_front_of_a_spell_is_open_and_its_back_to_nobody() -> None:
    bench = world(spells=by_id(spell_card("ward")))
    newcomers.gain_spell(bench.game, ADA, "spell/ward")

    for seat in (KIM, 1, None):
        table = view(bench, seat)
        (spell,) = table.investigators[ADA].spells
        assert spell.card == "spell/ward"
        assert table.known_card(spell.handle) is None


@rule("K-SECRET-12", "K-SECRET-13")
def test_the_decks_of_combat_are_known_to_nobody() -> None:
    bench = world()

    for seat in (KIM, 1, None):
        table = view(bench, seat)
        decks = [pile for pile in table.piles if pile.startswith("deck/combat")]
        assert len(decks) == 3
        assert all(table.known_card(one) is None for deck in decks for one in table.piles[deck])


@rule("K-SECRET-14", "K-SECRET-18", "K-SECRET-21", "K-CARD-19")
def test_counters_and_the_state_of_every_figure_are_open_to_all() -> None:
    counters = (Counter("blood", 1, is_token=True),)
    bench = world(
        (ADA, BEN), threat=3, monsters_at=[(RAT, "house/c")], story={"counters": counters}
    )
    bench.emit(fe.TimeAdded())
    bench.emit(fe.HarmTaken(ADA, 2, 1))
    bench.emit(fe.Stunned(BEN, 1))
    bench.emit(fe.SkillPointsChanged(BEN, 2))
    bench.emit(fe.MonsterHurt("m1", 1))
    bench.emit(fe.MonsterStunned("m1", 2))

    for seat in (KIM, 1, 2, None):
        table = view(bench, seat)
        ada, ben, rat = (*table.investigators.values(), table.monsters["m1"])
        assert (table.threat, table.time, table.event_time) == (3, 1, 3)
        assert table.counters["blood"].amount == 1
        assert (ada.damage, ada.horror, ben.stun, ben.skill_points) == (2, 1, 1, 2)
        assert (rat.damage, rat.stun, rat.awareness, rat.horror) == (1, 2, 0, 0)


@rule("K-DECIDE-100", "K-DECIDE-17")
def test_tables_take_nothing_back_unless_they_say_so() -> None:
    assert not FirstEditionTable.usual_settings.takebacks
    assert FirstEditionTable.usual_settings.window_seconds == 6
    assert {"takebacks", "least_seconds", "window_seconds"} <= set(FirstEditionTable.has_settings)


@rule("K-TEXT-1", "K-INFO-9")
def test_a_text_has_no_effect() -> None:
    bench = world(step=KeeperStep.ACTIONS)
    before = bench.game_table
    bench.run(effects.resolve(bench.game, (Say("tests/storm"),), Source("event/one")))

    assert bench.game_table == before
    assert [text.subject for text in told(bench)] == ["tests/storm"]
