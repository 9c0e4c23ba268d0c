"""Exploring, searching, interacting, looking."""

from typing import Any

import attrs
import pytest

from content.games.second_edition.schema.cards import Attack, ItemCard, Reach, WeaponKind
from content.games.second_edition.schema.effects import (
    Choose,
    EffectChoice,
    GainClues,
    MayEnter,
    PlaceInvestigator,
    PlaceTile,
    PlaceToken,
    RemoveToken,
    Say,
    SkillTest,
)
from content.games.second_edition.schema.requirements import (
    CounterWithin,
    HasClues,
    HasItem,
    HasTrait,
    Not,
    Round,
)
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    CluesGained,
    DiceShown,
    InvestigatorEliminated,
    PossessionDropped,
    TestDeclared,
    TilePlaced,
    TokenPlaced,
)
from protocol.games.second_edition.table import Skill, TokenKind, TokenOffer
from server.games.second_edition.rules import board, tokens
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DROWNED,
    HOUSE_ROOMS,
    ROW,
    begin_turn,
    counted,
    effect,
    entry,
    monster_card,
    offered,
    proceed,
    refused,
    tile,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import spent, told

LAMP = ItemCard("item/lamp", "common", traits=("light_source",))


def option(*steps: Any, text: str = "text/option", **parts: Any) -> TokenOption:
    return TokenOption(text, effect(*steps), **parts)


def token(
    at: str,
    *options: TokenOption,
    kind: TokenKind = TokenKind.SEARCH,
    id: str = "it",  # noqa: A002
) -> TokenCard:
    return TokenCard(f"token/{id}", kind, at, options or (option(Say("text/found")),))


def row(*cards: TokenCard, **parts: Any) -> Bench:
    """Return a bench with tokens on a row of spaces."""
    return world(tiles=[tile(ROW)], tokens=cards, **parts)


# Search and interact -------------------------------------------------------------------------


@pytest.mark.rule("SEARCH-1")
@pytest.mark.rule("ACTION-5")
@pytest.mark.rule("ACTION-7")
@pytest.mark.rule("ACTION-8")
@pytest.mark.rule("TOKEN-1")
def test_a_search_spends_an_action_and_does_what_the_option_says() -> None:
    bench = row(token("house/a", option(Say("text/found"), GainClues())))

    proceed(bench, "text/option")

    assert spent(bench) == ["search"]
    assert bench.game_table.investigators[ADA].clues == 1


@pytest.mark.rule("SEARCH-1")
@pytest.mark.rule("TEST-1")
@pytest.mark.rule("EX-7")
def test_a_search_text_that_names_a_skill_has_it_tested_at_once() -> None:
    test = SkillTest(Skill.OBSERVATION, passed=(GainClues(),))
    bench = row(token("house/a", option(Say("text/papers"), test)))
    bench.give_dice("SBB")

    proceed(bench, "text/option")

    assert [e.skill for e in bench.happened(TestDeclared)] == [Skill.OBSERVATION]
    assert len(bench.happened(DiceShown)[0].faces) == 3
    assert bench.game_table.investigators[ADA].clues == 1


@pytest.mark.rule("SEARCH-2")
@pytest.mark.rule("INTERACT-2")
@pytest.mark.rule("DECIDE-25")
@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        (TokenKind.SEARCH, "SEARCH-2"),
        (TokenKind.INTERACT, "INTERACT-2"),
        (TokenKind.PERSON, "INTERACT-2"),
    ],
)
def test_a_token_in_another_space_is_refused_with_the_rule(kind: TokenKind, rule: str) -> None:
    bench = row(token("house/b", kind=kind))

    assert not any("text/option" in choice for choice in offered(bench))
    assert refused(bench, "text/option") == [("text/option", rule)]


@pytest.mark.rule("INTERACT-1")
@pytest.mark.rule("TOKEN-1")
@pytest.mark.parametrize("kind", [TokenKind.INTERACT, TokenKind.PERSON])
def test_persons_and_things_are_interacted_with(kind: TokenKind) -> None:
    bench = row(token("house/a", kind=kind))

    proceed(bench, "text/option")

    assert spent(bench) == ["interact"]


@pytest.mark.rule("INTERACT-3")
def test_an_interaction_can_ask_for_further_choices() -> None:
    talk = Choose(
        "text/prompt",
        (EffectChoice("text/ask", (Say("text/answer"),)), EffectChoice("text/leave")),
    )
    bench = row(token("house/a", option(talk), kind=TokenKind.PERSON))

    proceed(bench, "text/option", "text/ask")

    assert told(bench) == ["text/answer"]
    assert spent(bench) == ["interact"]


@pytest.mark.rule("TURN-2")
@pytest.mark.rule("ACTION-5")
def test_without_an_action_left_the_icon_options_cannot_be_chosen() -> None:
    free = option(Say("text/seen"), text="text/free", action=False)
    bench = row(token("house/a", option(), free))
    proceed(bench, "text/option")
    proceed(bench, "text/option")

    assert offered(bench) == ["text/free token/it", "choice/end_turn"]


# Without the icon ----------------------------------------------------------------------------


@pytest.mark.rule("ACTION-6")
@pytest.mark.rule("DECIDE-24")
def test_an_option_without_the_icon_costs_nothing_from_anywhere() -> None:
    """The option is used in one's turn, from any space, ignoring monsters."""
    bench = row(
        token("house/e", option(Say("text/seen"), action=False)), monsters=[(DROWNED, "house/a")]
    )

    proceed(bench, "text/option")

    assert spent(bench) == []
    assert told(bench) == ["text/seen"]
    assert bench.game_table.active == ADA


@pytest.mark.rule("TOKEN-2")
@pytest.mark.rule("DECIDE-26")
def test_a_sight_token_is_looked_at_for_nothing() -> None:
    bench = row(token("house/e", kind=TokenKind.SIGHT))

    proceed(bench, "text/option")

    assert spent(bench) == []
    assert told(bench) == ["text/found"]


@pytest.mark.rule("DECIDE-26")
def test_any_investigator_can_look_at_a_sight_token_between_turns() -> None:
    """Investigators who have had their turn can look too; eliminated ones cannot."""
    bench = world(
        at={ADA: "house/a", BEN: "house/b", CORA: "house/b"},
        tokens=[token("house/c", option(GainClues()), kind=TokenKind.SIGHT)],
    )
    proceed(bench, "choice/end_turn")
    bench.emit(InvestigatorEliminated(CORA, 2))

    assert offered(bench) == [
        "text/option token/it",
        f"choice/take_turn {BEN}",
        "text/option token/it",
    ]
    bench.run(bench_look(bench, ADA))
    assert bench.game_table.investigators[ADA].clues == 1
    assert bench.game_table.active is None


def bench_look(bench: Bench, person: str) -> Any:
    return tokens.use_free_option(bench.game, person, "token/it", 0)


@pytest.mark.rule("ACTION-9")
@pytest.mark.rule("DECIDE-25")
def test_anybody_can_examine_a_token_from_anywhere() -> None:
    """Everybody sees the options and their icons, but not the effects."""
    free = option(GainClues(), text="text/free", action=False)
    gone = option(GainClues(), text="text/later", when=Round(at_least=9))
    bench = row(token("house/e", option(GainClues()), free, gone))

    (placed,) = bench.happened(TokenPlaced)

    assert placed.token.offers == (
        TokenOffer(Text("text/option"), needs_action=True),
        TokenOffer(Text("text/free"), needs_action=False),
    )


# What an option asks for ---------------------------------------------------------------------


@pytest.mark.rule("EXPLORE-5")
@pytest.mark.rule("TRAIT-3")
@pytest.mark.rule("EX-14")
def test_an_option_can_ask_for_a_card_with_a_trait() -> None:
    """Ada without a light is refused and keeps her action; Ben with one explores."""
    dark = option(Say("text/down"), requires=HasTrait("light_source"))
    bench = row(
        token("house/a", dark, kind=TokenKind.EXPLORE),
        at={ADA: "house/a", BEN: "house/a"},
        items=[LAMP],
        has={BEN: ["item/lamp"]},
    )

    offered(bench)
    assert refused(bench, "text/option") == [("text/option", "EXPLORE-5")]
    assert bench.game_table.actions_left == 2

    proceed(bench, "choice/end_turn")
    proceed(bench)
    proceed(bench, "text/option")
    assert told(bench) == ["text/down"]


@pytest.mark.rule("EXPLORE-5")
@pytest.mark.parametrize(
    ("requirement", "reason"),
    [
        (HasTrait("light_source"), Text("refusal/needs_trait", ("trait/light_source",))),
        (HasItem("item/key"), Text("refusal/needs_item", ("item/key",))),
        (HasClues(2), Text("refusal/needs_clues", (2,))),
        (Not(Round()), Text("refusal/needs_more")),
    ],
)
def test_the_reason_says_what_is_lacking(requirement: Any, reason: Text) -> None:
    bench = row(token("house/a", option(requires=requirement)))
    offered(bench)

    assert bench.open is not None
    assert bench.open.prompts[0].refused[0].reason == reason


@pytest.mark.rule("DECIDE-25")
def test_an_option_that_is_not_there_yet_is_not_shown() -> None:
    """While its condition does not hold, the option is neither offered nor refused."""
    hidden = option(when=CounterWithin("told", at_least=1))
    bench = row(token("house/a", hidden), scenario_parts={"counters": counted("told")})

    assert not any("text/option" in choice for choice in offered(bench))
    assert refused(bench, "text/option") == []


@pytest.mark.rule("EVADE-4")
def test_a_check_that_carries_the_searcher_off_leaves_nothing_to_search() -> None:
    """The token is in the space that was left; the action is spent."""
    thrower = monster_card(evades=(entry(PlaceInvestigator("house/e")),))
    bench = row(token("house/a"), monsters=[(DROWNED, "house/a")], monster_cards=[thrower])

    proceed(bench, "text/option")

    assert told(bench) == ["text/entry"]
    assert spent(bench) == ["search"]


# Explore -------------------------------------------------------------------------------------

HALL = "+---+---+\n| a : b 1\n+---+---+"
STUDY = "+---+\n= a |\n+---+"


def door(*steps: Any, **parts: Any) -> Bench:
    """Return a bench with a hall, a study not yet on the board, and the door between."""
    card = token("hall/1", option(*steps), kind=TokenKind.EXPLORE)
    later = token("study/a", id="desk")
    hall, study = tile(HALL, id="hall"), tile(STUDY, id="study", column=8)
    bench = world(tiles=[hall], at={ADA: "hall/b", BEN: "hall/a"}, tokens=[card], **parts)
    content = bench.game.content
    whole = attrs.evolve(content.scenario, tiles=(hall, study), tokens=(card, later))
    bench.game.content = attrs.evolve(content, scenario=whole)
    return bench


OPENS = (PlaceTile("study"), PlaceToken("token/desk"), MayEnter("hall/1"))


@pytest.mark.rule("EXPLORE-1")
@pytest.mark.rule("TILE-1")
@pytest.mark.rule("TILE-4")
@pytest.mark.rule("TILE-2")
@pytest.mark.rule("EXPLORE-3")
@pytest.mark.rule("DECIDE-98")
def test_exploring_reveals_a_room_and_offers_the_way_in() -> None:
    """Tile and token are placed, the Explore token goes, and Ada enters by the same action."""
    bench = door(*OPENS)

    proceed(bench, "text/option", "study/a")

    assert spent(bench) == ["explore"]
    assert [placed.tile for placed in bench.game_table.tiles] == ["hall", "study"]
    assert list(bench.game_table.tokens) == ["token/desk"]
    assert where(bench)[ADA] == "study/a"


@pytest.mark.rule("EXPLORE-2")
@pytest.mark.rule("DECIDE-7")
@pytest.mark.rule("ADJACENT-3")
def test_a_door_is_explored_from_the_spaces_beside_it() -> None:
    """Ben is one space farther away and is refused."""
    bench = door(*OPENS)
    proceed(bench, "choice/end_turn")
    begin_turn(bench, BEN)

    offered(bench)

    assert refused(bench, "text/option") == [("text/option", "EXPLORE-2")]


@pytest.mark.rule("EXPLORE-2")
def test_an_explore_token_on_a_space_is_explored_from_that_space() -> None:
    near = row(token("house/a", kind=TokenKind.EXPLORE))
    far = row(token("house/b", kind=TokenKind.EXPLORE))

    assert "text/option token/it" in offered(near)
    assert "text/option token/it" not in offered(far)


@pytest.mark.rule("SECRET-14")
def test_what_lies_behind_a_door_is_not_on_the_table_before() -> None:
    """Before the exploration, the tile, its tokens and the far side of the door are absent."""
    bench = door(*OPENS)

    assert "study" not in repr(bench.log)
    assert "study" not in repr(bench.game_table)
    proceed(bench, "text/option", "choice/stay")
    assert [e.tile.tile for e in bench.happened(TilePlaced)] == ["hall", "study"]


@pytest.mark.rule("DECIDE-98")
def test_an_exploration_that_reveals_nothing_keeps_its_token() -> None:
    """A door that was not forced can be tried again."""
    bench = door(SkillTest(Skill.STRENGTH, passed=OPENS))
    bench.give_dice("BBB")

    proceed(bench, "text/option")

    assert "token/it" in bench.game_table.tokens


@pytest.mark.rule("DECIDE-98")
def test_an_exploration_without_an_entry_takes_its_token_too() -> None:
    """Removing the token is the default of the scenario language."""
    bench = door(PlaceTile("study"))

    proceed(bench, "text/option")

    assert "token/it" not in bench.game_table.tokens


@pytest.mark.rule("DECIDE-98")
@pytest.mark.rule("DECIDE-99")
def test_a_search_that_reveals_something_keeps_its_token() -> None:
    bench = door(PlaceTile("study"))
    scenario = bench.game.content.scenario
    lever = token("hall/b", option(PlaceTile("study"), text="text/lever"), id="lever")
    whole = attrs.evolve(scenario, tokens=(*scenario.tokens, lever))
    bench.game.content = attrs.evolve(bench.game.content, scenario=whole)
    board.place_token(bench.game, "token/lever")

    proceed(bench, "text/lever")

    assert bench.happened(TilePlaced)[-1].tile.tile == "study"
    assert "token/lever" in bench.game_table.tokens


@pytest.mark.rule("DECIDE-99")
@pytest.mark.rule("DISCARD-3")
def test_other_tokens_stay_until_the_scenario_discards_them() -> None:
    bench = row(token("house/a", option(), option(RemoveToken("token/it"), text="text/take")))

    proceed(bench, "text/option")
    assert "token/it" in bench.game_table.tokens
    proceed(bench, "text/take")
    assert bench.game_table.tokens == {}


@pytest.mark.rule("TILE-3")
def test_a_tile_that_was_discarded_can_be_placed_again() -> None:
    bench = world(tiles=[tile(rooms=HOUSE_ROOMS)])

    board.place_tile(bench.game, "house")
    assert len(bench.game_table.tiles) == 1
    board.remove_tile(bench.game, "house")
    assert bench.game_table.map.rooms == {}
    board.place_tile(bench.game, "house")

    assert [placed.tile for placed in bench.game_table.tiles] == ["house"]


@pytest.mark.rule("TOKEN-1")
def test_a_token_that_lies_there_is_not_placed_twice() -> None:
    bench = row(token("house/a"))

    board.place_token(bench.game, "token/it")

    assert len(bench.happened(TokenPlaced)) == 1


@pytest.mark.rule("CLUE-2")
@pytest.mark.rule("CLUE-3")
@pytest.mark.rule("POSSESSION-1")
@pytest.mark.rule("POSSESSION-2")
def test_clues_are_no_possessions() -> None:
    """With only Clues there is nothing to trade, with an Item there is."""
    knife = ItemCard("item/knife", "common", attack=Attack(Reach.MELEE, WeaponKind.BLADED, 1))
    poor, rich = row(items=[knife]), row(items=[knife], has={ADA: ["item/knife"]})
    poor.emit(CluesGained(ADA, 3))

    assert not any("trade" in choice for choice in offered(poor))
    assert any("trade" in choice for choice in offered(rich))
    assert poor.happened(PossessionDropped) == []


@pytest.mark.rule("TOKEN-2")
@pytest.mark.rule("DECIDE-26")
def test_others_can_look_at_a_sight_token_during_a_turn() -> None:
    """Ben looks while Ada acts. That costs her nothing, and her turn continues."""
    bench = world(
        at={ADA: "house/a", BEN: "house/b"},
        tokens=[token("house/c", option(GainClues()), kind=TokenKind.SIGHT)],
    )

    proceed(bench, {1: "text/option"})

    assert bench.asked[-1].settle.value == "any_one"
    assert not bench.asked[-1].prompts[1].can_end
    assert bench.game_table.investigators[BEN].clues == 1
    assert (bench.game_table.active, spent(bench)) == (ADA, [])
