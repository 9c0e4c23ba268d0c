"""Setup, from an empty table to the first turn."""

from collections.abc import Callable
from typing import Any, cast

import attrs
import pytest

from content.games.second_edition.schema.cards import InsaneBack, ItemCard
from content.games.second_edition.schema.effects import PlaceTile, PlaceToken, Say
from content.games.second_edition.schema.pack import Content
from content.games.second_edition.schema.scenario import Moment, TokenCard, TokenOption, Trigger
from protocol.common.asks import Reason, Settle
from protocol.common.chance import Stream
from protocol.common.events import Asked, Picked, Shuffled
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    InvestigatorJoined,
    InvestigatorMoved,
    OptionChosen,
    PhaseBegan,
    PossessionGained,
    SupplyLaidOut,
    TilePlaced,
    TokenPlaced,
    Told,
)
from protocol.games.second_edition.table import INSANE_DECK, Harm, Phase, Skill, TokenKind, deck
from server.games.second_edition.rules.ruleset import SecondEdition
from server.kernel.asks import Option
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    HOUSE_ROOMS,
    harm_card,
    investigator_card,
    pack,
    proceed,
    scenario,
    tile,
)

AS_PROPOSED = "choice/as_proposed"
DESK = TokenCard("token/desk", TokenKind.SEARCH, "house/b", (TokenOption("text/search", ()),))
SETUP = (PlaceToken("token/desk"), PlaceTile("house"), Say("text/begun"))
ROPE = ItemCard("item/rope", "common", copies=2)
BOOK = ItemCard("item/book", "unique")
BACKS = (
    InsaneBack("insane/alone", 2, 1),
    InsaneBack("insane/two", 3, 2),
    InsaneBack("insane/five", 1, 5),
)


def table(*pieces: tuple[int, str], items: Any = (), **scenario_parts: Any) -> Bench:
    """Return a bench with nothing on it yet."""
    parts = {"setup": SETUP, "tokens": (DESK,), "tiles": (tile(rooms=HOUSE_ROOMS),)}
    content = Content(
        pack(
            items=[ROPE, BOOK],
            insane=BACKS,
            harms=[
                harm_card("damage/cut", Harm.DAMAGE, copies=2),
                harm_card("horror/whisper", Harm.HORROR, copies=3),
            ],
        ),
        scenario(**{**parts, "starting_items": tuple(items), **scenario_parts}),
    )
    return Bench(content, pieces=pieces or ((0, ADA), (1, BEN)))


def held(bench: Bench) -> dict[str, list[str]]:
    """Return the cards of each investigator."""
    people = bench.game_table.investigators.values()
    return {who.investigator_id: [p.card for p in who.possessions] for who in people}


def gets(card: str, who: str) -> Callable[[Option[Any]], bool]:
    """Return the answer that moves a card to an investigator."""
    return lambda option: option.text.params[:2] == (card, who)


def kinds(bench: Bench, *wanted: type) -> list[str]:
    """Return the types of the wanted events, in order, without immediate repetitions."""
    names = [type(e).__name__ for e in bench.log if isinstance(e, wanted)]
    return [name for at, name in enumerate(names) if at == 0 or names[at - 1] != name]


@pytest.mark.rule("SETUP-17")
@pytest.mark.rule("SETUP-14")
@pytest.mark.rule("SETUP-15")
@pytest.mark.rule("SETUP-16")
@pytest.mark.rule("SETUP-18")
def test_the_steps_come_in_the_order_of_the_rulebook() -> None:
    """Decks, investigators, possessions, prologue, tiles, figures, tokens, round 1."""
    bench = table(items=["item/rope"])

    proceed(bench, AS_PROPOSED)

    assert kinds(
        bench,
        *(Shuffled, SupplyLaidOut, InvestigatorJoined, PossessionGained, Told),
        *(TilePlaced, InvestigatorMoved, TokenPlaced, PhaseBegan),
    ) == [
        "Shuffled",
        "SupplyLaidOut",
        "InvestigatorJoined",
        "PossessionGained",
        "Told",
        "TilePlaced",
        "InvestigatorMoved",
        "TokenPlaced",
        "Told",
        "PhaseBegan",
    ]
    assert bench.happened(PhaseBegan) == [PhaseBegan(Phase.INVESTIGATOR, 1)]


@pytest.mark.rule("SETUP-3")
@pytest.mark.rule("SECRET-1")
def test_damage_and_horror_are_shuffled_apart_and_facedown() -> None:
    bench = table()

    proceed(bench)

    by_pile = {e.pile: e.order for e in bench.happened(Shuffled)}
    assert sorted(by_pile[deck(Harm.DAMAGE)].value) == ["damage/cut"] * 2
    assert sorted(by_pile[deck(Harm.HORROR)].value) == ["horror/whisper"] * 3
    assert all(order.audience == () for order in by_pile.values())


@pytest.mark.rule("SETUP-4")
@pytest.mark.rule("LIMIT-2")
def test_items_and_conditions_lie_faceup_with_their_copies() -> None:
    bench = table()

    proceed(bench)

    assert bench.game_table.supply["item/rope"] == 2
    assert bench.game_table.supply["condition/wounded"] == 4


@pytest.mark.rule("INSANE-5")
@pytest.mark.rule("INSANE-6")
@pytest.mark.rule("DECIDE-4")
@pytest.mark.rule("DECIDE-59")
@pytest.mark.rule("DECIDE-60")
@pytest.mark.rule("DECIDE-62")
@pytest.mark.rule("DECIDE-150")
@pytest.mark.rule("EX-23")
@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (((0, ADA), (0, BEN)), ["insane/alone"] * 2),
        (((0, ADA), (1, BEN)), ["insane/alone"] * 2 + ["insane/two"] * 3),
        (((0, ADA), (1, BEN), (2, CORA)), ["insane/alone"] * 2 + ["insane/two"] * 3),
    ],
)
def test_the_insane_deck_holds_what_this_many_players_can_have(
    pieces: Any, expected: list[str]
) -> None:
    """A player with two investigators counts as one."""
    bench = table(*pieces)

    proceed(bench)

    (shuffled,) = [e for e in bench.happened(Shuffled) if e.pile == INSANE_DECK]
    assert sorted(shuffled.order.value) == expected


@pytest.mark.rule("SETUP-8")
@pytest.mark.rule("SETUP-10")
@pytest.mark.rule("SETUP-11")
@pytest.mark.rule("INVESTIGATOR-1")
@pytest.mark.rule("INVESTIGATOR-3")
@pytest.mark.rule("SKILL-1")
def test_the_chosen_investigators_join_by_seat_with_their_printed_values() -> None:
    bench = table((0, BEN), (2, ADA))

    proceed(bench)

    people = bench.game_table.investigators
    assert [(i.investigator_id, i.seat) for i in people.values()] == [(BEN, 0), (ADA, 2)]
    assert (people[ADA].health, people[ADA].sanity) == (7, 7)
    assert people[ADA].skills == dict.fromkeys(Skill, 3)


@pytest.mark.rule("SETUP-12")
@pytest.mark.rule("SETUP-13")
@pytest.mark.rule("DECIDE-18")
def test_the_group_divides_the_starting_possessions() -> None:
    """All cards are proposed at once, dealt in turn, and accepted if nobody objects."""
    bench = table(items=["item/rope", "item/rope", "item/book"])

    proceed(bench, AS_PROPOSED)

    assert held(bench) == {ADA: ["item/rope", "item/book"], BEN: ["item/rope"]}
    (ask,) = bench.asked
    assert (ask.settle, sorted(ask.prompts)) == (Settle.FIRST_OR_ALL_PASS, [0, 1])
    assert ask.about.params == ("item/rope", "item/book")


@pytest.mark.rule("SETUP-13")
def test_anybody_changes_who_is_proposed_for_a_card() -> None:
    bench = table(items=["item/rope", "item/book"])

    proceed(bench, gets("item/rope", BEN), AS_PROPOSED)

    assert held(bench) == {ADA: [], BEN: ["item/rope", "item/book"]}
    first, again = (ask.prompts[0].options[0].text.params[0] for ask in bench.asked)
    rope, book = (Text("choice/carries", pair) for pair in (("item/rope", ADA), ("item/book", BEN)))
    assert first == Text("choice/and", (rope, book))
    assert again == Text("choice/and", (Text("choice/carries", ("item/rope", BEN)), book))


@pytest.mark.issue(38)
@pytest.mark.rule("SETUP-13")
def test_everybody_learns_who_changed_the_proposal() -> None:
    """Each seat's answer is secret, so the log names the first investigator of the seat."""
    bench = table((0, ADA), (0, CORA), (1, BEN), items=["item/rope", "item/book"])

    proceed(bench, gets("item/rope", BEN), AS_PROPOSED)

    move = Text("choice/carries_instead", ("item/rope", BEN, ADA))
    assert bench.happened(OptionChosen) == [OptionChosen(ADA, move)]


@pytest.mark.rule("SETUP-13")
@pytest.mark.rule("DECIDE-18")
def test_a_card_that_is_moved_to_and_fro_is_voted_on() -> None:
    bench = table(items=["item/rope", "item/book"])
    moves = [gets("item/rope", who) for who in (BEN, ADA, BEN)]

    proceed(bench, *moves, AS_PROPOSED, BEN)

    assert held(bench) == {ADA: [], BEN: ["item/rope", "item/book"]}
    last, vote = bench.asked[-2:]
    assert [o.text.params[:1] for o in last.prompts[0].options[1:]] == [("item/book",)]
    rope = Text("choice/carries", ("item/rope", BEN), "disputed")
    both = Text("choice/and", (rope, Text("choice/carries", ("item/book", BEN))))
    assert last.prompts[0].options[0].text == Text(AS_PROPOSED, (both,))
    assert vote.settle is Settle.AGREE
    assert [voter for voter, _ in vote.voters] == [ADA, BEN]


@pytest.mark.rule("SETUP-13")
def test_one_player_with_two_investigators_shares_out_for_both() -> None:
    """The question is to that player alone, about all cards at once."""
    bench = table((0, ADA), (0, BEN), items=["item/rope", "item/book"])

    proceed(bench, gets("item/book", ADA), AS_PROPOSED)

    assert held(bench) == {ADA: ["item/rope", "item/book"], BEN: []}
    assert [ask.settle for ask in bench.asked] == [Settle.EACH] * 2


@pytest.mark.rule("SETUP-13")
def test_one_investigator_alone_takes_everything_unasked() -> None:
    bench = table((0, ADA), items=["item/rope"])

    proceed(bench)

    assert bench.happened(Asked) == []
    assert len(bench.game_table.investigators[ADA].possessions) == 1


@pytest.mark.rule("DECIDE-125")
def test_a_starting_possession_of_which_no_copy_is_left_is_not_gained() -> None:
    bench = table((0, ADA), items=["item/book", "item/book"])

    proceed(bench)

    assert len(bench.happened(PossessionGained)) == 1


@pytest.mark.rule("SETUP-15")
@pytest.mark.rule("MOVE-12")
def test_the_figures_stand_where_the_scenario_begins() -> None:
    bench = table()

    proceed(bench)

    places = {i.space for i in bench.game_table.investigators.values()}
    assert places == {"house/a"}


@pytest.mark.rule("SETUP-14")
@pytest.mark.rule("DECIDE-19")
def test_the_prologue_is_told_to_all() -> None:
    bench = table()

    proceed(bench)

    assert [e.text.subject for e in bench.happened(Told)] == ["text/prologue", "text/begun"]


@pytest.mark.rule("SECRET-15")
@pytest.mark.rule("WIN-2")
def test_the_objective_is_not_shown_before_the_scenario_reveals_it() -> None:
    bench = table()

    proceed(bench)

    assert bench.game_table.objective is None


@pytest.mark.rule("SETUP-18")
def test_the_first_round_begins_by_itself() -> None:
    dawn = Trigger("dawn", Moment.ROUND_BEGAN, (Say("text/dawn"),))
    bench = table(triggers=(dawn,))

    proceed(bench)

    assert bench.game_table.round_number == 1
    assert bench.happened(Told)[-1].text.subject == "text/dawn"


def test_all_chance_of_the_setup_is_the_setups_own() -> None:
    """The setup has a stream of chance of its own, so that a tournament can fix it."""
    bench = table(items=["item/rope"])

    proceed(bench, AS_PROPOSED)

    assert all(e.stream is Stream.SETUP for e in bench.log if isinstance(e, Shuffled | Picked))


@pytest.mark.rule("SETUP-1")
@pytest.mark.rule("SETUP-2")
@pytest.mark.rule("SETUP-9")
@pytest.mark.rule("DECIDE-16")
def test_one_to_five_play_and_one_alone_plays_two() -> None:
    """With two to five players each has one investigator.

    A scenario may allow fewer numbers of players.
    """
    rules = SecondEdition()
    five = pack(investigators=[investigator_card(f"investigator/{n}") for n in ("dora", "eli")])

    roster = rules.roster(Content(five, scenario()))

    assert (roster.fewest, roster.most) == (1, 5)
    assert [role.name for role in roster.roles] == ["investigator"]
    assert [roster.roles[0].count_for(count) for count in range(1, 6)] == [2, 1, 1, 1, 1]
    parts = {"minimum_players": 2, "maximum_players": 4}
    smaller = rules.roster(Content(five, scenario(**parts)))
    assert (smaller.fewest, smaller.most) == (2, 4)


@pytest.mark.rule("SETUP-8")
def test_a_scenario_may_name_its_investigators() -> None:
    """Investigators that a scenario names stay in the order of the pack."""
    own = scenario(investigators=(CORA, ADA))

    roster = SecondEdition().roster(Content(pack(), own))

    assert roster.characters == (ADA, CORA)
    assert roster.most == 2, "a third would have nobody to play"


@pytest.mark.rule("DECIDE-17")
@pytest.mark.rule("SETUP-8")
def test_each_investigator_can_be_chosen_once() -> None:
    content = Content(pack(investigators=[investigator_card("investigator/dora")]), scenario())

    assert SecondEdition().roster(content).characters == (ADA, BEN, CORA, "investigator/dora")


@pytest.mark.rule("SETUP-8")
@pytest.mark.rule("SETUP-9")
@pytest.mark.parametrize(
    ("most", "people", "each"),
    [(5, 3, (2, 1, 1)), (2, 3, (2, 1)), (9, 7, (2, 1, 1, 1, 1)), (5, 1, (2,))],
)
def test_a_scenario_is_for_as_many_as_it_says_as_there_are_and_as_five(
    most: int, people: int, each: tuple[int, ...]
) -> None:
    cards = {
        f"investigator/{one}": investigator_card(f"investigator/{one}") for one in range(people)
    }
    everybody = attrs.evolve(pack(), investigators=cards)

    (role,) = SecondEdition().roster(Content(everybody, scenario(maximum_players=most))).roles

    assert (role.most, role.each) == (len(each), each)


def test_nobody_prepares_anything_for_this_game() -> None:
    content = Content(pack(), scenario())
    seat = cast("Any", None)

    assert SecondEdition().prepared_fault(content, seat, None) == ()
    refused = SecondEdition().prepared_fault(content, seat, b"")
    assert refused == (Reason(Text("refusal/nothing_to_prepare")),)
