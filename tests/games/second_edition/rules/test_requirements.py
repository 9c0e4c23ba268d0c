"""Requirements: each question that content can ask, answered both ways."""

import attrs
import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema import requirements as asked
from content.games.second_edition.schema.cards import SpellBack, SpellCard
from content.games.second_edition.schema.counters import Counter, Scope
from content.games.second_edition.schema.effects import Who
from content.games.second_edition.schema.products import Product
from content.games.second_edition.schema.requirements import Requirement
from content.games.second_edition.schema.scenario import (
    MapRoom,
    Moment,
    MythosEvent,
    TokenCard,
    TokenOption,
    Trigger,
)
from content.reading.parts import kinds_of
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    CluesGained,
    CodeGuessed,
    CodeLaidOut,
    GameEnded,
    InvestigatorMoved,
    PhaseBegan,
)
from protocol.games.second_edition.table import (
    CodePuzzle,
    Ending,
    FeatureKind,
    Guess,
    Phase,
    TokenKind,
)
from server.games.second_edition.rules import (
    elimination,
    interplay,
    mythos,
    requirements,
    tokens,
    triggers,
)
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    counted,
    monster_card,
    spawned,
    world,
)
from tests.games.second_edition.rules.worlds_effects import KNIFE, LAMP, given, resolve, shown_to

rule = pytest.mark.rule
ROOMS = (
    MapRoom("room/hall"),
    MapRoom("room/study", traits=("books",)),
    MapRoom("room/c", traits=("wine",)),
)
TIDES = Product("product/tides", ())
WARD = SpellCard("spell/ward", (SpellBack("back/ward", 1),))
TOKEN = TokenCard("token/desk", TokenKind.SEARCH, "house/b", ())


def eventful() -> Bench:
    """Return a world of two in round 3 in which much has happened to Ada and nothing to Ben."""
    bench = world(
        at={ADA: "house/a", BEN: "house/c"},
        items=[KNIFE, LAMP],
        tokens=[TOKEN],
        scenario_parts={"counters": counted("clock", "bell"), "rooms": ROOMS},
        spells=[WARD],
        monster_cards=[monster_card("monster/rat", traits=("vermin",))],
    )
    pack = attrs.evolve(bench.game.content.pack, products={TIDES.id: TIDES})
    bench.game.content = attrs.evolve(bench.game.content, pack=pack)
    given(bench, LAMP.id, WARD.id)
    bench.emit(CluesGained(ADA, 2))
    spawned(bench, "monster/rat", "house/b")
    resolve(
        bench,
        steps.Become(interplay.WOUNDED),
        steps.Become(interplay.INSANE),
        steps.Count("bell", add=4),
        steps.PlaceFeature(FeatureKind.FIRE, "house/b"),
    )
    bench.emit(CodeLaidOut(CodePuzzle("safe", 3, ("1", "2"))))
    bench.emit(CodeGuessed("safe", Guess(("1", "1", "2"), 3, 0), is_solved=True))
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 3))
    return bench


@pytest.mark.parametrize(
    ("requirement", "answer"),
    [
        (asked.Round(at_least=3), True),
        (asked.Round(at_most=2), False),
        (asked.CounterWithin("bell", at_least=4), True),
        (asked.CounterWithin("bell", at_least=5), False),
        (asked.CounterWithin("clock", at_most=0), True),
        (asked.Investigators(at_least=2), True),
        (asked.Investigators(at_least=3), False),
        (asked.HasItem(LAMP.id), True),
        (asked.HasItem(KNIFE.id), False),
        (asked.HasTrait("light_source"), True),
        (asked.HasTrait("bladed"), False),
        (asked.AnyoneHasItem(LAMP.id), True),
        (asked.AnyoneHasItem(KNIFE.id), False),
        (asked.HasClues(2), True),
        (asked.HasClues(3), False),
        (asked.AnyoneHasTrait("light_source"), True),
        (asked.AnyoneHasTrait("bladed"), False),
        (asked.HasSpell("true"), True),
        (asked.HasSpell(WARD.id), True),
        (asked.HasSpell("spell/other"), False),
        (asked.HasCondition(interplay.WOUNDED), True),
        (asked.HasCondition("condition/dazed"), False),
        (asked.Is(ADA), True),
        (asked.Is(BEN), False),
        (asked.InPlay(BEN), True),
        (asked.InPlay(CORA), False),
        (asked.Standing(BEN), True),
        (asked.Standing(CORA), False),
        (asked.IsWounded(value=True), True),
        (asked.IsWounded(value=False), False),
        (asked.IsInsane(value=True), True),
        (asked.IsInsane(value=False), False),
        (asked.IsEliminated(value=False), True),
        (asked.IsEliminated(value=True), False),
        (asked.InRoom("room/hall"), True),
        (asked.InRoom("room/study"), False),
        (asked.InSpace("house/a"), True),
        (asked.InSpace("house/b"), False),
        (asked.AnyoneIn("room/study"), True),
        (asked.AnyoneIn("room/cellar"), False),
        (asked.WithOthers(value=True), False),
        (asked.WithOthers(value=False), True),
        (asked.MonsterHere("true"), False),
        (asked.MonsterHere("monster/rat"), False),
        (asked.RoomTrait("books"), True),
        (asked.RoomTrait("wine"), False),
        (asked.Enabled("product/tides"), True),
        (asked.Enabled("product/storms"), False),
        (asked.FinalRound(value=False), True),
        (asked.FinalRound(value=True), False),
        (asked.TokenOnBoard("token/desk"), True),
        (asked.TokenOnBoard("token/other"), False),
        (asked.FeatureOnBoard(FeatureKind.FIRE), True),
        (asked.FeatureOnBoard(FeatureKind.FIRE, "actor"), False),
        (asked.RoomIsOpen("room/study"), True),
        (asked.RoomIsOpen("room/cellar"), False),
        (asked.Solved("safe"), True),
        (asked.Solved("other"), False),
        (asked.Monsters(at_least=1), True),
        (asked.Monsters(at_least=2), False),
        (asked.Monsters(kind="monster/rat", at_most=0), False),
        (asked.Monsters(kind="monster/drowned", at_most=0), True),
        (asked.Monsters(trait="vermin", at_least=1), True),
        (asked.Monsters(trait="drowned", at_least=1), False),
        (asked.Monsters(room="room/hall", at_least=1), True),
        (asked.Monsters(room="room/study", at_least=1), False),
        (asked.Monsters(kind="monster/rat", room="room/hall", trait="vermin", at_least=1), True),
        (asked.AllOf((asked.HasClues(1), asked.HasItem(LAMP.id))), True),
        (asked.AllOf((asked.HasClues(1), asked.HasItem(KNIFE.id))), False),
        (asked.AnyOf((asked.HasClues(9), asked.HasItem(LAMP.id))), True),
        (asked.AnyOf((asked.HasClues(9), asked.HasItem(KNIFE.id))), False),
        (asked.Not(asked.HasClues(9)), True),
        (asked.Not(asked.HasClues(1)), False),
        (asked.Always, True),
    ],
)
def test_question_is_answered(requirement: Requirement, answer: bool) -> None:
    assert requirements.holds(eventful().game, requirement, ADA) is answer


@pytest.mark.parametrize(
    "of_somebody",
    [
        asked.HasItem(LAMP.id),
        asked.HasTrait("light_source"),
        asked.HasClues(1),
        asked.IsWounded(value=True),
        asked.IsInsane(value=True),
        asked.IsEliminated(value=False),
        asked.InRoom("room/hall"),
        asked.InSpace("house/a"),
        asked.Is(ADA),
        asked.HasSpell("true"),
        asked.HasCondition(interplay.WOUNDED),
        asked.WithOthers(value=True),
        asked.WithOthers(value=False),
        asked.MonsterHere("true"),
    ],
)
def test_question_about_somebody_does_not_hold_for_nobody(of_somebody: Requirement) -> None:
    """A trigger may concern no investigator."""
    assert not requirements.holds(eventful().game, of_somebody, None)


@rule("EX-14")
@rule("EXPLORE-5")
@rule("TRAIT-3")
def test_light_source_is_asked_of_the_one_who_acts() -> None:
    game = eventful().game
    light = asked.HasTrait("light_source")

    assert [requirements.holds(game, light, who) for who in (ADA, BEN)] == [True, False]


def test_item_of_an_eliminated_investigator_is_nobodys() -> None:
    bench = eventful()

    bench.run(elimination.eliminate(bench.game, ADA))

    assert not requirements.holds(bench.game, asked.AnyoneHasItem(LAMP.id), BEN)


@rule("DECIDE-150")
def test_investigators_are_counted_as_they_were_at_the_start() -> None:
    """One of two is eliminated, and the count is still two."""
    bench = eventful()

    bench.run(elimination.eliminate(bench.game, ADA))

    assert requirements.holds(bench.game, asked.Investigators(at_least=2), BEN)


def test_common_result_holds_for_neither_before_the_end() -> None:
    bench = eventful()
    won, lost = asked.IsWon(value=True), asked.IsWon(value=False)
    assert not requirements.holds(bench.game, won, ADA)
    assert not requirements.holds(bench.game, lost, ADA)

    bench.emit(GameEnded(Ending(True, Text("text/end"), ())))

    assert requirements.holds(bench.game, won, ADA)
    assert not requirements.holds(bench.game, lost, ADA)


def test_every_requirement_has_an_answer() -> None:
    """Without this test, a requirement without an answer would show only in a game."""
    kinds = set(kinds_of(Requirement))

    assert kinds == set(requirements.answered())


def test_others_and_monsters_are_looked_for_in_the_same_space() -> None:
    bench = eventful()
    resolve(
        bench, steps.PlaceInvestigator("house/a"), steps.PlaceInvestigator("house/a", Who.OTHERS)
    )
    spawned(bench, "monster/rat", "house/a")

    rat, any_monster = asked.MonsterHere("monster/rat"), asked.MonsterHere("true")
    for question in (asked.WithOthers(value=True), rat, any_monster):
        assert requirements.holds(bench.game, question, ADA)
    assert not requirements.holds(bench.game, asked.MonsterHere("monster/drowned"), ADA)


def test_last_round_is_known_once_it_has_come() -> None:
    bench = eventful()
    bench.run(elimination.eliminate(bench.game, ADA))
    last = asked.FinalRound(value=True)
    assert not requirements.holds(bench.game, last, BEN)
    assert not requirements.holds(bench.game, asked.Standing(ADA), BEN)

    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 4))

    assert requirements.holds(bench.game, last, BEN)


# What has happened -------------------------------------------------------------------------

CANARIES = ("drawn", "set-off", "called", "token/canary")


def remembering() -> Bench:
    """Return a world whose scenario asks about an event, a trigger, an effect and a token."""
    option = TokenOption("text/look", ())
    token = TokenCard("token/canary", TokenKind.INTERACT, "house/a", (option,))
    asks = Trigger(
        "asks",
        Moment.ROUND_ENDED,
        (steps.When(asked.AnyOf(tuple(asked.Happened(event, 2) for event in CANARIES))),),
    )
    return world(
        tokens=[token],
        scenario_parts={
            "mythos": (MythosEvent("drawn", (), repeats=True),),
            "triggers": (Trigger("set-off", Moment.ROUND_BEGAN, (), once=False), asks),
            "effects": {"called": (), "never-asked": ()},
        },
    )


def let_happen(bench: Bench, event: str) -> None:
    """Make the event, trigger, effect or token occur once."""
    if event == "drawn":
        bench.run(mythos.draw_event(bench.game))
    elif event == "set-off":
        bench.run(triggers.run(bench.game, Moment.ROUND_BEGAN))
    elif event == "called":
        resolve(bench, steps.Call("called"))
    else:
        bench.run(tokens.use(bench.game, ADA, event, 0))


@pytest.mark.parametrize("event", CANARIES)
def test_what_happened_is_remembered(event: str) -> None:
    bench = remembering()
    for times in (1, 2):
        assert not requirements.holds(bench.game, asked.Happened(event, times), None)
        let_happen(bench, event)
        assert requirements.holds(bench.game, asked.Happened(event, times), None)

    others = [other for other in CANARIES if other != event]
    assert not any(requirements.holds(bench.game, asked.Happened(other), None) for other in others)


def test_nobody_learns_what_is_remembered() -> None:
    """The log has numbers instead of names; what no content asks about is not remembered."""
    bench = remembering()
    resolve(bench, steps.Call("called"), steps.Call("never-asked"))

    assert bench.game.noted == {"h3": 1}
    assert not [word for word in shown_to(bench, 0) if "called" in word]


def test_looking_at_a_token_counts_as_using_it() -> None:
    bench = remembering()

    bench.run(tokens.use_free_option(bench.game, ADA, "token/canary", 0))

    assert requirements.holds(bench.game, asked.Happened("token/canary"), None)


def test_counter_that_each_has_is_that_of_the_one_concerned() -> None:
    trust = {"trust": Counter(of=Scope.INVESTIGATOR)}
    two = {ADA: "house/a", BEN: "house/a"}
    bench = world(at=two, scenario_parts={"counters": trust})
    resolve(bench, steps.Count("trust", add=2), actor=BEN)

    question = asked.CounterWithin("trust", at_least=2)

    assert [requirements.holds(bench.game, question, who) for who in two] == [False, True]


@pytest.mark.parametrize(("has", "answer"), [(KNIFE.id, False), (WARD.id, True), (None, False)])
def test_any_spell_is_asked_for_among_spells_alone(has: str | None, *, answer: bool) -> None:
    bench = world(items=[KNIFE], spells=[WARD])
    given(bench, *([has] if has else []))

    assert requirements.holds(bench.game, asked.HasSpell("true"), ADA) == answer


def test_one_of_the_others_is_enough_not_to_be_alone() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/a", CORA: "house/c"})

    with_others = asked.WithOthers(value=True)

    assert [requirements.holds(bench.game, with_others, who) for who in (ADA, BEN, CORA)] == [
        *(True, True, False)
    ]


def test_who_is_off_the_board_is_with_nobody() -> None:
    """Figures off the board are not with one another either."""
    bench = world(at={ADA: "house/a", BEN: "house/a", CORA: "house/c"})
    for who in (ADA, BEN):
        bench.emit(InvestigatorMoved(who, None))

    fire_here = asked.FeatureOnBoard(FeatureKind.FIRE, "actor")
    for question in (asked.WithOthers(value=True), asked.MonsterHere("true"), fire_here):
        assert not requirements.holds(bench.game, question, ADA)


def test_feature_is_looked_for_where_the_one_concerned_stands() -> None:
    bench = world(at={ADA: "house/a", BEN: "house/c"})
    resolve(bench, steps.PlaceFeature(FeatureKind.FIRE, "house/a"))

    def found(kind: FeatureKind, who: str) -> bool:
        return requirements.holds(bench.game, asked.FeatureOnBoard(kind, "actor"), who)

    assert [found(FeatureKind.FIRE, who) for who in (ADA, BEN)] == [True, False]
    assert not found(FeatureKind.DARKNESS, ADA)


def test_puzzle_that_lies_there_need_not_be_solved() -> None:
    bench = world()
    bench.emit(CodeLaidOut(CodePuzzle("safe", 3, ("1", "2"))))

    assert not requirements.holds(bench.game, asked.Solved("safe"), ADA)
