"""DECIDE-26, 29 and 45, clause by clause: Sight tokens, limits per round, disputed cards."""

from collections.abc import Callable
from typing import Any

import pytest

from content.games.second_edition.schema.cards import (
    ComponentAction,
    Convert,
    ItemBack,
    ItemCard,
    MoreSteps,
    Powers,
    Reroll,
    Rolls,
)
from content.games.second_edition.schema.effects import (
    Choose,
    EffectChoice,
    FlipThis,
    GainClues,
    Say,
)
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common import events
from protocol.common.table import Settings
from protocol.event import CLOCK, everything, read
from protocol.games.second_edition.events import (
    InvestigatorEliminated,
    MythosStepBegan,
    OptionChosen,
    PhaseBegan,
    PossessionDropped,
    PossessionGiven,
    PossessionPickedUp,
    PossessionTaken,
    TurnBegan,
    TurnEnded,
)
from protocol.games.second_edition.table import MythosStep, Phase, Skill, TokenKind
from server.games.second_edition.rules import costs, powers, trade
from server.kernel.batch_writer import Batch
from tests.games.second_edition.house_pack import house
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.test_trade import BOOK, DONE, ROPE, held, room, says, trading
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    begin_turn,
    effect,
    give,
    proceed,
    world,
)
from tests.games.second_edition.rules.worlds_effects import resolve, told
from tests.games.second_edition.simulate import Simulation, simulate

rule = pytest.mark.rule

pytestmark = pytest.mark.issue(38)


# DECIDE-26: any investigator, from any space -------------------------------------------------

LOOK = TokenOption("text/look", effect(GainClues()))
SIGHT = TokenCard("token/well", TokenKind.SIGHT, "house/c", (LOOK,))
APART = {ADA: "house/a", BEN: "house/b", CORA: "house/d"}


def looking(bench: Bench) -> list[int]:
    """Return the seats to which the next question offers a look at a Sight token."""
    proceed(bench, ...)
    assert bench.open is not None
    prompts = bench.open.prompts.items()
    return sorted(
        seat for seat, prompt in prompts if any("text/look" in repr(o.text) for o in prompt.options)
    )


@rule("DECIDE-26")
def test_during_a_turn_everybody_can_look_from_wherever_they_are() -> None:
    """Cora has had her turn, Ben is beside a monster, and both can look."""
    bench = world(at=APART, tokens=[SIGHT], monsters=[(DROWNED, "house/b")], turn_of=None)
    bench.emit(TurnBegan(CORA, 2))
    bench.emit(TurnEnded(CORA))
    begin_turn(bench, ADA)

    assert looking(bench) == [0, 1, 2]
    proceed(bench, {2: "text/look"})
    proceed(bench, {1: "text/look"})

    assert [bench.game_table.investigators[who].clues for who in APART] == [0, 1, 1]
    assert (bench.game_table.active, bench.game_table.actions_left) == (ADA, 2)
    assert told(bench) == []


@rule("DECIDE-26")
def test_nobody_who_is_eliminated_looks_during_a_turn() -> None:
    bench = world(at=APART, tokens=[SIGHT])
    bench.emit(InvestigatorEliminated(BEN, 2))

    assert looking(bench) == [0, 2]


@rule("DECIDE-26")
def test_a_look_needs_no_action_of_the_turn() -> None:
    """Ada has no action left, and her turn still waits for looks."""
    bench = world(at=APART, tokens=[SIGHT], turn_of=None)
    begin_turn(bench, ADA, 0)

    assert looking(bench) == [0, 1, 2]


@rule("DECIDE-26")
def test_a_seat_that_plays_two_is_offered_each_of_their_looks() -> None:
    """In the turn of one investigator, the other one of the seat can look as well."""
    bench = world(at={ADA: "house/a", BEN: "house/b"}, seats=((0, ADA), (0, BEN)), tokens=[SIGHT])

    proceed(bench, lambda option: option.text.subject == "choice/as")

    assert bench.game_table.investigators[BEN].clues == 1
    assert bench.game_table.active == ADA


# DECIDE-26: in the Investigator phase, while no other effect is being resolved ---------------


@rule("DECIDE-26")
def test_nobody_looks_while_something_is_being_resolved() -> None:
    """In the middle of Ada's search only Ada is asked."""
    asks = Choose("text/prompt", (EffectChoice("text/yes", (Say("text/done"),)),) * 2)
    desk = TokenCard(
        "token/desk", TokenKind.SEARCH, "house/a", (TokenOption("text/search", (asks,)),)
    )
    bench = world(at=APART, tokens=[SIGHT, desk])

    proceed(bench, "text/search", ...)

    assert bench.open is not None
    assert list(bench.open.prompts) == [0]
    assert "text/look" not in bench.offered()


@rule("DECIDE-26")
def test_nobody_looks_in_the_middle_of_a_move() -> None:
    bench = world(at=APART, tokens=[SIGHT])

    proceed(bench, "house/b", ...)

    assert bench.open is not None
    assert list(bench.open.prompts) == [0]


@rule("DECIDE-26")
def test_nobody_looks_in_the_mythos_phase() -> None:
    """In the next round everybody can look again."""
    bench = world(at=APART, tokens=[SIGHT], turn_of=None)
    for who in APART:
        bench.emit(TurnBegan(who, 2))
        bench.emit(TurnEnded(who))
    assert looking(bench) == [0, 1, 2]
    proceed(bench, "choice/end_phase")

    while bench.game_table.phase is Phase.MYTHOS:
        proceed(bench)

    asked = [ask for ask in bench.asked if ask.rule not in {"ROUND-5", "ROUND-3"}]
    assert asked == []
    assert looking(bench) == [0, 1, 2]


def beside_the_active_one() -> Simulation:
    """Return a real game in which seat 0 may look during a turn of seat 1."""
    for seed in range(60):
        game = simulate(seed, 2, pack=house())
        game.scenario, game.settings = "house/ways", Settings(time_limit_seconds=600)
        game.open()
        for _ in range(120):
            ask = game.room.table.room.ask
            if ask is None:
                break
            active = game.room.table.seats_of(game.game.active or "")
            if ask.rule == "TURN-2" and len(ask.questions) == 2 and active == (1,):
                return game
            game.step()
    raise AssertionError("no game of the house asks beside the active seat")


@rule("DECIDE-26")
def test_time_that_runs_out_is_that_of_the_active_seat() -> None:
    """The turn ends, and the seat that could have looked at the token does not look."""
    game = beside_the_active_one()
    ask, batches = game.room.table.room.ask, list[Batch]()
    assert ask is not None
    assert [ask.questions[seat].value.may_wait for seat in (0, 1)] == [True, False]

    game.on_batch = batches.append
    active = game.game.active

    game.give(events.TimedOut(ask.ask_id), CLOCK)

    since = [
        read(game.room.room_id, everything(stored)).event
        for batch in batches
        for stored in batch.stored
    ]
    assert [e.investigator for e in since if isinstance(e, TurnEnded)] == [active]
    assert not [e for e in since if isinstance(e, OptionChosen)]


# DECIDE-29: a round, and what is used up in it -----------------------------------------------

KINDS = {
    "action": Powers(action=ComponentAction((GainClues(),), once_per_round=True)),
    "reroll": Powers(reroll=Reroll()),
    "barricade": Powers(reroll=Reroll(rolls=Rolls.BARRICADES)),
    "convert": Powers(convert=Convert()),
    "steps": Powers(more_steps=MoreSteps()),
}
"""Powers of a card that can be limited to once per round, by kind."""


def _fresh(bench: Bench, who: str, kind: str) -> int:
    """Return how many uses of this kind an investigator still has in this round."""
    game = bench.game
    found: dict[str, Callable[[], Any]] = {
        "action": lambda: [
            one for one in powers.component_actions(game, who) if one.refused is None
        ],
        "reroll": lambda: powers.rerolls(game, who, Skill.LORE),
        "barricade": lambda: powers.barricade_rerolls(game, who),
        "convert": lambda: powers.conversions(game, who, Skill.LORE),
        "steps": lambda: powers.more_steps(game, who, Skill.LORE),
    }
    return len(found[kind]())


def _use(bench: Bench, who: str, kind: str) -> None:
    """Have an investigator use the first card with this kind of use."""
    game = bench.game
    if kind == "action":
        used = next(one for one in powers.component_actions(game, who))
        costs.pay(game, who, used.origin, used.action)
    elif kind == "reroll":
        again = powers.rerolls(game, who, Skill.LORE)[0]
        costs.pay(game, who, again.origin, again.reroll)
    elif kind == "barricade":
        again = powers.barricade_rerolls(game, who)[0]
        costs.pay(game, who, again.origin, again.reroll)
    else:
        helps = powers.conversions if kind == "convert" else powers.more_steps
        card = helps(game, who, Skill.LORE)[0]
        costs.pay(game, who, card.origin, card.terms)


def with_card(kind: str) -> Bench:
    """Return a bench on which Ada has used a card that is limited to the round."""
    card = ItemCard("item/lens", "common", copies=2, powers=KINDS[kind])
    bench = world(at=dict.fromkeys((ADA, BEN), "house/a"), items=[card], has={ADA: [card.id]})
    assert _fresh(bench, ADA, kind) == 1
    _use(bench, ADA, kind)
    return bench


HANDED = {
    "given": (PossessionGiven(ADA, BEN, "p1"),),
    "dropped": (PossessionDropped(ADA, "p1", "house/a"), PossessionPickedUp(BEN, "p1", "house/a")),
    "stolen": (PossessionTaken(ADA, BEN, "p1"),),
    "and back": (PossessionGiven(ADA, BEN, "p1"), PossessionGiven(BEN, ADA, "p1")),
    "by one who falls": (
        PossessionDropped(ADA, "p1", "house/a"),
        InvestigatorEliminated(ADA, 2),
        PossessionPickedUp(BEN, "p1", "house/a"),
    ),
}


@rule("DECIDE-29")
@pytest.mark.parametrize("way", HANDED)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_used_up_stays_used_up_whoever_has_it(kind: str, way: str) -> None:
    """In the next round the current owner can use the card."""
    bench = with_card(kind)
    for event in HANDED[way]:
        bench.emit(event)
    owner = ADA if way == "and back" else BEN

    assert _fresh(bench, owner, kind) == 0
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))
    assert _fresh(bench, owner, kind) == 1


@rule("DECIDE-29")
@pytest.mark.parametrize("kind", KINDS)
def test_a_round_lasts_to_the_end_of_the_mythos_phase(kind: str) -> None:
    """The limit outlasts turns, the Investigator phase and each step of the Mythos phase."""
    bench = with_card(kind)
    passing = (
        TurnEnded(ADA),
        TurnBegan(BEN, 2),
        TurnEnded(BEN),
        PhaseBegan(Phase.MYTHOS, 1),
        *(MythosStepBegan(step) for step in MythosStep),
    )

    for event in passing:
        bench.emit(event)
        assert _fresh(bench, ADA, kind) == 0
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))

    assert _fresh(bench, ADA, kind) == 1


@rule("DECIDE-29")
@pytest.mark.parametrize("kind", KINDS)
def test_another_copy_has_a_limit_of_its_own(kind: str) -> None:
    bench = with_card(kind)

    give(bench, BEN, "item/lens")

    assert (_fresh(bench, ADA, kind), _fresh(bench, BEN, kind)) == (0, 1)
    bench.emit(PossessionGiven(ADA, BEN, "p1"))
    assert _fresh(bench, BEN, kind) == 1


@rule("DECIDE-29")
@rule("ITEM-4")
def test_the_back_of_a_card_has_limits_of_its_own() -> None:
    """A card used up on one side can still be used once on the other; each side stays used up."""
    card = ItemCard(
        "item/lens",
        "common",
        powers=Powers(reroll=Reroll()),
        back=ItemBack("back/lens", powers=Powers(reroll=Reroll())),
    )
    bench = world(at=dict.fromkeys((ADA, BEN), "house/a"), items=[card], has={ADA: [card.id]})
    for _ in range(2):
        assert _fresh(bench, ADA, "reroll") == 1
        _use(bench, ADA, "reroll")
        assert _fresh(bench, ADA, "reroll") == 0
        resolve(bench, FlipThis(), possession="p1")
    bench.emit(PossessionGiven(ADA, BEN, "p1"))

    for _ in range(2):
        assert _fresh(bench, BEN, "reroll") == 0
        resolve(bench, FlipThis(), possession="p1")
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))
    assert _fresh(bench, BEN, "reroll") == 1


@rule("DECIDE-29")
def test_actions_are_limited_by_the_turn() -> None:
    """The remaining actions are lost, and the next turn has all of its actions."""
    bench = world(at={ADA: "house/a", BEN: "house/b"})
    bench.emit(TurnEnded(ADA))
    assert bench.game_table.actions_left == 0

    proceed(bench)

    assert (bench.game_table.active, bench.game_table.actions_left) == (BEN, 2)


# DECIDE-45: two want the same card in one trade ----------------------------------------------


def lying(at: Any = None, **parts: Any) -> Bench:
    """Return a bench with a rope on the floor beside three people."""
    bench = room(at, has={BEN: [ROPE]}, **parts)
    bench.emit(PossessionDropped(BEN, "p1", "house/a"))
    return bench


TAKES = (2, says("choice/pick_up", CORA, ROPE))
CLAIMS = (1, says("choice/claim_too", BEN, ROPE, CORA))


@rule("DECIDE-45")
@pytest.mark.parametrize(("keeps", "given"), [(CORA, 0), (BEN, 1)])
def test_the_group_gives_the_card_to_either(keeps: str, given: int) -> None:
    """The vote is between these two, and the one who has the card is the default."""
    bench = lying()

    trading(bench, TAKES, CLAIMS, (0, says("choice/takes", keeps, ROPE)), DONE)

    vote = bench.asked[2]
    assert (vote.rule, vote.settle.value) == ("DECIDE-45", "agree")
    options = {seat: [o.value for o in prompt.options] for seat, prompt in vote.prompts.items()}
    assert options == {seat: [CORA, BEN] for seat in (0, 1, 2)}
    assert all(prompt.default_places == (0,) for prompt in vote.prompts.values())
    assert held(bench) == {ADA: [], BEN: [], CORA: []} | {keeps: [ROPE]}
    assert len(bench.happened(PossessionGiven)) == given


@rule("DECIDE-45")
def test_who_is_elsewhere_has_no_say_in_a_dispute() -> None:
    """Ada, in another space, is no voter, so she cannot be drawn either (CONFLICT-3)."""
    bench = lying({ADA: "house/b", BEN: "house/a", CORA: "house/a"}, turn_of=BEN)
    todo = [("choice/pick_up", 2), ("choice/claim_too", 1)]
    procedure: Any = trade.trade(bench.game, BEN)
    sent = None
    for subject, seat in todo:
        ask = procedure.send(sent)
        (value,) = [o.value for o in ask.prompts[seat].options if o.text.subject == subject]
        sent = {seat: (value,)}

    vote = procedure.send(sent)

    assert vote.voters == ((BEN, 1), (CORA, 2))
    assert sorted(vote.prompts) == [1, 2]
    procedure.close()


@rule("DECIDE-45")
def test_only_others_dispute_and_only_what_was_picked_up() -> None:
    """Cards that were given, or picked up by oneself, cannot be disputed.

    A dispute is possible only while the one who picked the card up has it.
    """
    bench = lying()
    bench.emit(PossessionPickedUp(BEN, "p1", "house/a"))
    trading(bench, (1, says("choice/give", BEN, ROPE, CORA)), DONE)
    claims = [o.text for ask in bench.asked for p in ask.prompts.values() for o in p.options]
    assert not [text for text in claims if text.subject == "choice/claim_too"]

    bench = lying()
    trading(bench, TAKES, (2, says("choice/give", CORA, ROPE, ADA)), DONE)

    claimants = [
        {o.text.params[0] for p in ask.prompts.values() for o in p.options if "claim" in repr(o)}
        for ask in bench.asked
    ]
    assert claimants == [set(), {ADA, BEN}, set()]


@rule("DECIDE-45")
def test_one_seat_does_not_dispute_with_itself() -> None:
    """One person plays Ben and Cora and can simply hand the card over."""
    bench = lying(seats=((0, ADA), (1, BEN), (1, CORA)))

    trading(bench, (1, says("choice/pick_up", CORA, ROPE)), DONE)

    claims = [o.text for p in bench.asked[1].prompts.values() for o in p.options]
    assert [text.params[0] for text in claims if text.subject == "choice/claim_too"] == [ADA]


@rule("DECIDE-45")
def test_the_dispute_is_over_with_the_trade() -> None:
    """In the next trade the card belongs to whoever has it."""
    bench = lying()
    trading(bench, TAKES, DONE)

    trading(bench, DONE)

    words = [o.text.subject for p in bench.asked[-1].prompts.values() for o in p.options]
    assert "choice/give" in words
    assert "choice/claim_too" not in words


@rule("DECIDE-45")
def test_each_card_is_disputed_for_itself() -> None:
    """Cora picks up two. Ben disputes one, and the other can still be disputed."""
    bench = room(has={BEN: [ROPE, BOOK]})
    for possession in ("p1", "p2"):
        bench.emit(PossessionDropped(BEN, possession, "house/a"))

    trading(
        bench,
        TAKES,
        (2, says("choice/pick_up", CORA, BOOK)),
        CLAIMS,
        (0, says("choice/takes", CORA, ROPE)),
        (0, says("choice/claim_too", ADA, BOOK, CORA)),
        (0, says("choice/takes", ADA, BOOK)),
        DONE,
    )

    assert held(bench) == {ADA: [BOOK], BEN: [], CORA: [ROPE]}
    claims = [
        o.text.params[1]
        for ask in bench.asked[4:]
        for prompt in ask.prompts.values()
        for o in prompt.options
        if o.text.subject == "choice/claim_too"
    ]
    assert claims == [BOOK, BOOK]


@rule("DECIDE-45")
def test_time_that_runs_out_in_a_trade_takes_and_drops_nothing() -> None:
    """Every seat but the active one may leave the question open until the trade ends."""
    bench = lying()

    bench.run(trade.trade(bench.game, ADA), ...)

    ask = bench.open
    assert ask is not None
    assert [ask.may_wait(seat) for seat in sorted(ask.prompts)] == [False, True, True]
    (end,) = ask.prompts[0].default_places
    assert ask.prompts[0].options[end].text.subject == "choice/trade_close"
