"""
Planted leaks: those of the second edition's twins, in what this game has in their place.

An investigator's seat has no secrets and there is no campaign, so two have none: what a seat's new
player is sent of the time before, and what goes along to the next part. That salts are
random is tested by the twins of the second edition, whose games have other entropy.
"""

from typing import Any, cast

import attrs
import pytest
from twisted.logger import Logger

from content.games.first_edition.schema.story import Knowers
from protocol.common.text import Text
from protocol.event import Audiences, Event
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import MYTHOS_DECK, MYTHOS_HAND
from protocol.games.first_edition.words import KEEPER
from server.admin import view
from server.admin.vocabulary import TableLine
from server.games.first_edition.rules import (
    answers,
    decks,
    hidden_actions,
    keeper_actions,
    monsters,
    mythos,
    newcomers,
    pits,
    rounds,
    setup,
    story_decks,
    tales,
    turn,
)
from server.games.first_edition.rules.play import Play
from server.kernel.batch_writer import Batch
from server.kernel.errors import Refused
from server.kernel.room import Room
from server.kernel.steps import Steps
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.summary import Summary
from server.rulekit.offers import Offers, refusal
from tests.games.first_edition.twins.pairs import (
    BACKS,
    BOT,
    CLUES,
    DELAYED,
    DRAWN,
    FACE_DOWN,
    FALLEN,
    HANDS,
    HIDDEN_ACTIONS,
    OBJECTIVES,
    OPEN_TALES,
    PITS,
    SPELLS,
    STORY_CARDS,
    TALES,
    TRAUMAS,
    VOTES,
    VOTES_APART,
    Pair,
)
from tests.games.twins import planting
from tests.games.twins.leaks import Leaks

LEAKS: Leaks[Pair] = Leaks()
leak = LEAKS.leak
"""Declares a leak: the pairs in which it shows, and the viewers who notice."""
TABLE = ("ann", "ben", "wat", "zoe", "ann again")


def tell(play: Play, *words: str) -> None:
    """Tell everybody some words."""
    play.emit(fe.Told(Text("story/leak", words)))


# In what a viewer is sent --------------------------------------------------------------------


@leak((OBJECTIVES,), "ann", "ann again")
def cut_too_wide(patch: pytest.MonkeyPatch) -> None:
    """Each seat is also sent the openings of the seat before."""
    honest = Audiences.slots_for

    def slots_for(self: Audiences, seat: int | None, *, since: int) -> tuple[int, ...]:
        mine = honest(self, seat, since=since)
        return mine if not seat else tuple(sorted({*mine, *honest(self, seat - 1, since=since)}))

    patch.setattr(Audiences, "slots_for", slots_for)


leak((BOT,), "bot")(planting.bots_are_sent_everything)


leak((CLUES,), "ben", "wat")(planting.an_export_has_anothers_openings)


leak((HANDS,), *TABLE)(planting.words_come_ahead)


leak((HANDS,), "ann", "ben", "wat")(planting.time_tells)


leak((HANDS,), *TABLE)(planting.where_a_message_ends_tells)


leak((DELAYED,), "wat", "zoe")(planting.a_delay_is_off)


leak((DELAYED,), "wat")(planting.an_export_goes_ahead_of_the_delay)


# In what is logged ---------------------------------------------------------------------------


@leak((OBJECTIVES,), *TABLE)
def the_objective_is_told(patch: pytest.MonkeyPatch) -> None:
    """A public record names the objective once all answers are given."""
    honest = setup.place_hidden_cards

    def place_hidden_cards(play: Play) -> None:
        honest(play)
        assert play.table.objective is not None
        tell(play, play.table.objective.value)

    patch.setattr(setup, "place_hidden_cards", place_hidden_cards)


@leak((VOTES,), "kim")
def the_keeper_is_told_the_objective_that_others_chose(patch: pytest.MonkeyPatch) -> None:
    """The objective is sealed to the keeper, as in stories in which the keeper chooses it."""
    patch.setattr(answers, "knower", lambda _story: KEEPER)


@leak((VOTES,), "kim", "wat", "zoe")
def votes_are_told_once_they_are_counted(patch: pytest.MonkeyPatch) -> None:
    """A public record names what the investigators chose."""
    honest = answers.keep

    def keep(play: Play, given: Any, votes: Any) -> None:
        honest(play, given, votes)
        tell(play, *map(answers.count, zip(*votes, strict=True)))

    patch.setattr(answers, "keep", keep)


@leak((VOTES_APART,), "kim", "ann", "wat", "zoe")
def whether_a_vote_was_split_shows(patch: pytest.MonkeyPatch) -> None:
    """A record is added if not all investigators answered alike."""
    honest = answers.keep

    def keep(play: Play, given: Any, votes: Any) -> None:
        honest(play, given, votes)
        if len(set(map(tuple, votes))) > 1:
            tell(play)

    patch.setattr(answers, "keep", keep)


@leak((HIDDEN_ACTIONS,), *TABLE)
def asked_only_if_a_hidden_action_can_be_paid(patch: pytest.MonkeyPatch) -> None:
    """The keeper is asked for an action only if there is one that can be paid."""
    honest = keeper_actions.may_act

    def may_act(play: Play) -> bool:
        cards = [keeper_actions.offers(play, one) for one in hidden_actions.left(play)]
        return honest(play) and (not cards or any(one.options for one in cards))

    patch.setattr(keeper_actions, "may_act", may_act)


@leak((HIDDEN_ACTIONS,), *TABLE)
def hidden_actions_lie_open(patch: pytest.MonkeyPatch) -> None:
    """A public record names the hidden actions that the keeper takes."""
    honest = hidden_actions.lay

    def lay(play: Play, picked: Any) -> None:
        honest(play, picked)
        tell(play, *[one.value.card for one in play.table.hidden_actions])

    patch.setattr(hidden_actions, "lay", lay)


@leak((HIDDEN_ACTIONS,), *TABLE)
def the_cost_of_a_hidden_action_shows_by_size(patch: pytest.MonkeyPatch) -> None:
    """The record of a hidden action has a public word for each token that it costs."""
    honest = hidden_actions.lay

    def lay(play: Play, picked: Any) -> None:
        honest(play, picked)
        for sealed in play.table.hidden_actions:
            tell(play, *(["token"] * len(sealed.value.tokens)))

    patch.setattr(hidden_actions, "lay", lay)


@leak((PITS, FALLEN), *TABLE, "kim")
def a_pit_is_named_as_it_is_placed(patch: pytest.MonkeyPatch) -> None:
    """A public record names the marker that lies face down."""
    honest = pits.place

    def place(play: Play, space: str) -> None:
        honest(play, space)
        handle = [*play.table.features.values()][-1].handle
        tell(play, *([] if handle is None else [play.table.card_of(handle)]))

    patch.setattr(pits, "place", place)


@leak((PITS,), *TABLE, "kim")
def the_supply_of_pits_shows_its_top(patch: pytest.MonkeyPatch) -> None:
    """A record is added if a deep pit lies on top of the supply."""
    honest = pits.lay_out

    def lay_out(play: Play) -> None:
        honest(play)
        top = play.table.card_of(play.table.piles["supply/pits"][0])
        tell(play, *["x"] * play.content.pack.pits[top].damage)

    patch.setattr(pits, "lay_out", lay_out)


@leak((TALES,), "kim")
def the_keeper_is_told_tales_that_the_story_hides(patch: pytest.MonkeyPatch) -> None:
    """Tales are sealed to the keeper, as where the story opens them."""
    patch.setattr(tales, "TaleLaid", lambda _role, ally, card: fe.TaleLaid(KEEPER, ally, card))


@leak((TALES, OPEN_TALES), *TABLE)
def the_next_tale_is_told_by_its_kind(patch: pytest.MonkeyPatch) -> None:
    """A public record tells of what kind the next tale of an ally is."""
    honest = tales.place

    def place(play: Play, ally: str, space: str) -> None:
        honest(play, ally, space)
        (of_story,) = [one for one in play.content.story.allies if one.ally == ally]
        tell(play, of_story.tales[0].kind.value)

    patch.setattr(tales, "place", place)


@leak((STORY_CARDS[Knowers.NOBODY],), "kim")
def the_keeper_is_told_cards_of_the_story_that_nobody_knows(patch: pytest.MonkeyPatch) -> None:
    """All cards of the story are sealed to the keeper."""

    def dealt(kind: Any, owner: str, handle: str, _knowers: Any, card: Any) -> fe.StoryCardDealt:
        return fe.StoryCardDealt(kind, owner, handle, (0,), card)

    patch.setattr(story_decks, "StoryCardDealt", dealt)


@leak((STORY_CARDS[Knowers.KEEPER],), "ann", "ann again")
def who_has_a_card_of_the_story_always_knows_it(patch: pytest.MonkeyPatch) -> None:
    """A card before an investigator is sealed to its player, too."""

    def dealt(kind: Any, owner: str, handle: str, knowers: Any, card: Any) -> fe.StoryCardDealt:
        more = (1,) if owner.startswith("investigator/") else ()
        return fe.StoryCardDealt(kind, owner, handle, (*knowers, *more), card)

    patch.setattr(story_decks, "StoryCardDealt", dealt)


@leak((STORY_CARDS[Knowers.OWNER],), "ben", "wat", "zoe")
def a_card_of_the_story_is_named_as_it_is_dealt(patch: pytest.MonkeyPatch) -> None:
    """A public record names the card that lies face down."""
    honest = story_decks.deal

    def deal(play: Play, kind: Any, owner: str) -> None:
        honest(play, kind, owner)
        tell(play, [*play.table.story_cards.values()][-1].card.value)

    patch.setattr(story_decks, "deal", deal)


@leak((CLUES,), *TABLE)
def no_card_is_laid_for_nothing(patch: pytest.MonkeyPatch) -> None:
    """The last clue is laid in another room."""

    def laid(role: str, room: str, card: Any) -> fe.CardLaid:
        return fe.CardLaid(
            role, "room/front-hall" if card.value == "clue/last-words" else room, card
        )

    patch.setattr(setup, "CardLaid", laid)


@leak((FACE_DOWN,), "ben", "wat", "zoe")
def a_face_down_card_is_named(patch: pytest.MonkeyPatch) -> None:
    """A public record names the mythos card that is laid face down."""
    honest = mythos.play_card

    async def play_card(play: Play, who: str, handle: str) -> None:
        tell(play, play.table.card_of(handle))
        await honest(play, who, handle)

    patch.setattr(mythos, "play_card", play_card)


@leak((BACKS,), *TABLE)
def a_monsters_back_is_told(patch: pytest.MonkeyPatch) -> None:
    """A public record names the back of a monster that comes."""
    honest = monsters.put

    def put(play: Play, kind: str, space: str, token: str | None = None) -> None:
        honest(play, kind, space, token)
        tell(play, [*play.table.monsters.values()][-1].back.value.back)

    patch.setattr(monsters, "put", put)


@leak((BACKS,), *TABLE)
def a_monsters_awareness_follows_its_health(patch: pytest.MonkeyPatch) -> None:
    """A number on a monster's front is one more if the health on its back is odd."""

    def placed(*fields: Any) -> Any:
        made = fe.MonsterPlaced(*fields)
        assert made.back is not None
        return attrs.evolve(
            cast("Any", made), awareness=made.awareness + made.back.value.health % 2
        )

    patch.setattr(monsters, "MonsterPlaced", placed)


@leak((TRAUMAS,), *TABLE)
def a_drawn_card_shapes_the_log(patch: pytest.MonkeyPatch) -> None:
    """A record is added if the name of the trauma card that is drawn has an odd length."""
    honest = decks.draw_trauma

    def draw_trauma(play: Play) -> None:
        top = decks.top(play, "deck/trauma")
        if top is not None and len(play.table.card_of(top)) % 2:
            tell(play)
        honest(play)

    patch.setattr(decks, "draw_trauma", draw_trauma)


@leak((HANDS,), *TABLE)
def a_public_draw_is_among_playable_cards(patch: pytest.MonkeyPatch) -> None:
    """A public draw is made from the cards of the hand that can be played."""
    honest = turn.begin

    def begin(play: Play, who: str) -> None:
        honest(play, who)
        play.pick("leak", [None] * (1 + len(mythos.options(play, who)[0])))

    patch.setattr(turn, "begin", begin)


@leak((CLUES,), *TABLE)
def a_public_list_is_as_long_as_a_secret(patch: pytest.MonkeyPatch) -> None:
    """A public list grows with the name of the first card in each room."""
    honest = rounds.begin_keeper_turn

    async def begin_keeper_turn(play: Play) -> None:
        piles = [pile for _, pile in sorted(play.table.laid.items()) if pile]
        total = sum(at * len(pile[0].card.value) for at, pile in enumerate(piles))
        tell(play, *("x",) * (total % 40))
        await honest(play)

    patch.setattr(rounds, "begin_keeper_turn", begin_keeper_turn)


@leak((SPELLS,), *TABLE)
def a_spells_back_is_told(patch: pytest.MonkeyPatch) -> None:
    """A public record names the back of a spell that is gained."""
    honest = newcomers.gain_spell

    def gain_spell(play: Play, who: str, spell: str) -> None:
        honest(play, who, spell)
        tell(play, play.table.card_of(play.table.investigators[who].spells[-1].handle))

    patch.setattr(newcomers, "gain_spell", gain_spell)


# In what others are asked and refused ---------------------------------------------------------


@leak((HANDS,), "ann", "ben", "wat", "zoe")
def asked_only_if_possible(patch: pytest.MonkeyPatch) -> None:
    """The keeper is asked beside a step only if a card can be played."""
    honest = mythos.is_moment

    def is_moment(play: Play) -> bool:
        who = play.table.active
        return honest(play) and who is not None and bool(mythos.options(play, who)[0])

    patch.setattr(mythos, "is_moment", is_moment)


@leak((CLUES,), "ann", "ben")
def a_refusal_tells_a_hidden_card(patch: pytest.MonkeyPatch) -> None:
    """A refusal in an investigator's question tells which card lies on top in a room."""
    honest = turn.offers

    def offers(play: Play, who: str) -> Offers:
        tops = [pile[0].card.value for pile in play.table.laid.values() if pile]
        return honest(play, who) + refusal(
            Text("choice/leak"), Text("refusal/leak", (*tops,)), "K-GOAL-1"
        )

    patch.setattr(turn, "offers", offers)


@leak((OBJECTIVES,), "ann", "ben")
def a_choice_knows_the_objective(patch: pytest.MonkeyPatch) -> None:
    """What an investigator can do depends on the objective."""
    honest = turn.end_offers

    def end_offers(play: Play, who: str) -> Offers:
        goal = play.table.objective
        assert goal is not None
        offers = honest(play, who)
        if goal.value.endswith("quit"):
            return offers
        return offers + refusal(Text("choice/leak"), Text("refusal/leak"), "K-GOAL-1")

    patch.setattr(turn, "end_offers", end_offers)


@leak((HANDS,), "ben")
def a_refusal_has_another_code(patch: pytest.MonkeyPatch) -> None:
    """A refusal has a different code for another card in the keeper's hand."""
    honest = Room.receiving

    def receiving(self: Room, happened: Event, *, time: int, origin: int) -> Steps[Batch]:
        try:
            return (yield from honest(self, happened, time=time, origin=origin))
        except Refused as refused:
            game = self.table.game
            hand = () if game is None else game.piles.get(MYTHOS_HAND, ())
            if game is not None and sum(len(game.card_of(handle)) for handle in hand) % 2:
                raise Refused("table/another") from refused
            raise

    patch.setattr(Room, "receiving", receiving)


# Beside the table ----------------------------------------------------------------------------


@leak((HANDS,), "log")
def a_line_of_the_log_names_a_card(patch: pytest.MonkeyPatch) -> None:
    """The server's log names the card that the keeper draws."""
    honest = decks.draw_mythos

    def draw_mythos(play: Play) -> None:
        top = decks.top(play, MYTHOS_DECK)
        if top is not None:
            Logger().info("{card} is drawn", card=play.table.card_of(top))
        honest(play)

    patch.setattr(decks, "draw_mythos", draw_mythos)


@leak((HANDS,), "operator")
def an_operator_sees_a_card(patch: pytest.MonkeyPatch) -> None:
    """The operator's line of a table names the keeper's hand."""
    honest = view.table_line

    def table_line(summary: Summary, host: RoomHost | None) -> TableLine:
        game = None if host is None else host.room.table.game
        hand = () if game is None else game.piles.get(MYTHOS_HAND, ())
        cards = tuple(game.card_of(handle) for handle in hand if game is not None)
        return attrs.evolve(honest(summary, host), names=cards)

    patch.setattr(view, "table_line", table_line)


# In chance -----------------------------------------------------------------------------------


leak((SPELLS, PITS, STORY_CARDS[Knowers.NOBODY]), *TABLE)(
    planting.handles_are_in_the_order_of_cards
)


leak((DRAWN,), *TABLE)(planting.handles_are_used_again)
