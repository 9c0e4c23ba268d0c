"""
Planted leaks: each makes a twin fail, as the spectator too can tell its two games apart.

A comparison that finds none of them would have a hole.
"""

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import pytest

from content.games.cards.schema.cards import LocationFace
from protocol.common.text import Text
from protocol.games.cards.events import Opened, Told
from protocol.games.cards.table import ENCOUNTER, Place
from protocol.games.cards.words import Zone
from server.games.cards.rules import (
    answers,
    costs,
    elimination,
    encounter,
    hands,
    locations,
    odds,
    play,
    playing,
    setup,
    weaknesses,
    windows,
    zones,
)
from server.games.cards.rules.steps import cards as steps
from server.games.cards.rules.steps import flow
from server.kernel.asking import Asking
from server.kernel.game import Game
from tests.games.cards.twins import test_hands, test_table, test_windows

pytestmark = pytest.mark.issue(42)
Plant = Callable[[pytest.MonkeyPatch], None]
SPECTATOR_TELLS = r"assert \{.*-1.*\} == "


@attrs.frozen
class Leak:
    """A leak, and a twin that fails with it."""

    plant: Plant
    twin: Callable[..., None]
    how: tuple[Any, ...]


LEAKS: dict[str, Leak] = {}


def leak(twin: Callable[..., None], *how: Any) -> Callable[[Plant], Plant]:
    """Return a decorator that registers a function that plants a leak, which a twin finds."""

    def declare(plant: Plant) -> Plant:
        LEAKS[plant.__name__] = Leak(plant, twin, how)
        return plant

    return declare


def tell(game: play.Play, *words: str) -> None:
    """Tell everybody some words."""
    game.emit(Told(Text("notice/leak", words)))


# Handles and places -----------------------------------------------------------------------------


@leak(test_table.test_nobody_can_tell_when_a_hidden_card_was_drawn_that_leaves_a_hand)
def a_card_keeps_its_handle_in_the_hand(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hands, "hide", lambda *_: None)


@leak(test_hands.test_in_which_order_cards_are_put_back_is_known_to_who_did_it_alone)
def cards_that_are_put_back_keep_their_handles(patch: pytest.MonkeyPatch) -> None:
    honest = Game.arrange

    def arrange(self: Game[Any, Any], pile: str, handles: Sequence[str], knowers: Any) -> None:
        tell(self, pile, *handles)
        honest(self, pile, handles, knowers)

    patch.setattr(Game, "arrange", arrange)


@leak(test_table.test_a_swarm_card_is_known_to_nobody)
def a_facedown_card_is_shown_as_it_goes_to_a_deck(patch: pytest.MonkeyPatch) -> None:
    honest = zones.move_out

    def move_out(game: play.Play, pieces: Sequence[str], to: Any) -> None:
        down = [game.table.cards[one].handle for one in pieces if one in game.table.cards]
        tell(game, *(game.table.card_of(handle) for handle in down if handle))
        honest(game, pieces, to)

    patch.setattr(zones, "move_out", move_out)


# Hidden cards -----------------------------------------------------------------------------------

_HIDDEN = test_table.test_a_hidden_card_is_known_to_its_holder_alone


@leak(_HIDDEN)
def the_log_entry_of_a_hidden_card_names_it(patch: pytest.MonkeyPatch) -> None:
    honest = hands.into_hand

    def into_hand(game: play.Play, who: str, pile: str, handles: Any, **how: Any) -> None:
        if pile == ENCOUNTER:
            tell(game, *map(game.table.card_of, handles))
        honest(game, who, pile, handles, **how)

    patch.setattr(hands, "into_hand", into_hand)


@leak(_HIDDEN)
def a_use_of_a_hidden_card_is_told_like_any_other(patch: pytest.MonkeyPatch) -> None:
    honest = costs.note

    def note(game: play.Play, use: play.Use, limit: Any, **how: bool) -> None:
        honest(game, attrs.evolve(use, handle="h") if use.is_secret else use, limit, **how)

    patch.setattr(costs, "note", note)


@leak(_HIDDEN)
def an_effect_of_a_hidden_card_is_told_like_any_other(patch: pytest.MonkeyPatch) -> None:
    honest = play.told_and_sealed

    def told_and_sealed(game: play.Play, step: Any, source: play.Source) -> Any:
        _, sealed = honest(game, step, source)
        return sealed.value, sealed

    patch.setattr(flow, "told_and_sealed", told_and_sealed)


@leak(_HIDDEN)
def what_is_being_resolved_names_a_hidden_card(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(play.Source, "about", lambda self: Text("about/card", (self.code,)))


# What a hand could do ---------------------------------------------------------------------------


@leak(test_hands.test_whether_a_card_in_hand_fits_what_may_be_done_is_not_told, "card/toll", False)
def nobody_is_asked_what_the_hand_does_not_allow(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hands, "may_hide", lambda *_: False)


@leak(test_hands.test_how_many_cards_in_hand_fit_a_discard_is_not_told)
def one_way_alone_is_taken_without_asking(patch: pytest.MonkeyPatch) -> None:
    honest = Asking.choose_some

    async def choose_some(self: Any, seat: int, options: Any, **how: Any) -> Any:
        if len(options) == how["at_least"]:
            return tuple(one.value for one in options)
        return await honest(self, seat, options, **how)

    patch.setattr(Asking, "choose_some", choose_some)


@leak(test_hands.test_a_search_tells_the_searcher_alone_what_was_seen, ("card/push",) * 3, False)
def a_search_tells_how_many_cards_fitted(patch: pytest.MonkeyPatch) -> None:
    honest = steps._search_deck

    async def search(run: Any, step: Any, one: Any) -> None:
        await honest(run, step, one)
        tell(run.game, str(run.source.found))

    patch.setattr(steps, "_search_deck", search)


@leak(test_hands.test_who_looks_at_a_deck_is_alone_to_know_cards_and_order, test_hands.OTHER_TOP)
def all_see_the_cards_that_one_looks_at(patch: pytest.MonkeyPatch) -> None:
    honest = Game.look_at

    def look_at(self: Game[Any, Any], pile: str, handles: Sequence[str], knowers: Any) -> None:
        tell(self, *map(self.table.card_of, handles))
        honest(self, pile, handles, knowers)

    patch.setattr(Game, "look_at", look_at)


@leak(test_windows.test_how_many_ways_a_seat_could_use_in_a_window_is_not_told)
def a_window_says_how_many_options_there_are(patch: pytest.MonkeyPatch) -> None:
    honest = windows.first_use

    async def first_use(game: play.Play, prompts: Any, **how: Any) -> Any:
        tell(game, *(str(len(prompt.options)) for prompt in prompts.values()))
        return await honest(game, prompts, **how)

    patch.setattr(windows, "first_use", first_use)


@leak(test_hands.test_a_committed_card_tells_nothing_of_those_that_could_be_committed, True)
def the_odds_with_a_card_in_hand_are_told_to_all(patch: pytest.MonkeyPatch) -> None:
    honest = odds.with_card

    def with_card(game: play.Play, plan: Any, who: str, handle: str) -> int:
        found = honest(game, plan, who, handle)
        tell(game, str(found))
        return found

    patch.setattr(odds, "with_card", with_card)


@leak(test_windows.test_nothing_is_told_under_strict_windows, "one card")
def strict_windows_ask_who_can(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(windows, "holders", lambda _: iter(()))


@leak(test_windows.test_a_cost_that_is_paid_from_the_hand_tells_nothing_under_strict)
def strict_windows_forget_costs_that_a_hand_pays(patch: pytest.MonkeyPatch) -> None:
    module = "content.games.cards.schema.pack.takes_from_hand"
    patch.setattr(module, lambda _: False)


@leak(test_windows.test_what_is_being_resolved_does_not_tell_that_a_hand_could_answer_it)
def what_is_being_resolved_follows_from_hands(patch: pytest.MonkeyPatch) -> None:
    def may_be_answered(game: play.Play, kind: Any) -> bool:
        codes, held = game.content.answered.get(kind, frozenset()), game.table.piles.items()
        hands_ = [
            handle for pile, handles in held if pile.startswith("hand/") for handle in handles
        ]
        return not codes.isdisjoint(map(game.table.card_of, hands_))

    patch.setattr(answers, "may_be_answered", may_be_answered)


@leak(test_hands.test_the_cards_in_a_hand_are_known_to_their_owner_alone, False)
def a_refusal_is_told_to_all(patch: pytest.MonkeyPatch) -> None:
    honest = playing.refused

    def told(game: play.Play, reasons: Any) -> Any:
        found = honest(game, reasons)
        tell(game, *(one.rule for one in found), *(one.reason.subject for one in found))
        return found

    patch.setattr(playing, "refused", told)


# Setup and the end ------------------------------------------------------------------------------


@leak(test_table.test_which_location_was_dealt_is_known_to_nobody)
def a_dealt_location_lies_with_its_own_back(patch: pytest.MonkeyPatch) -> None:
    honest = locations.lay

    def lay(game: play.Play, code: str, piece: str = "", **how: Any) -> str:
        return honest(game, code, piece, **{**how, "looks": ""})

    patch.setattr(locations, "lay", lay)


@leak(test_table.test_which_location_was_dealt_is_known_to_nobody)
def the_ways_of_a_location_are_those_of_its_revealed_face(patch: pytest.MonkeyPatch) -> None:
    honest = locations.connects

    def connects(game: play.Play, card: Any) -> tuple[str, ...]:
        if card.hidden is None:
            return honest(game, card)
        face = game.content.faces[card.hidden.value]
        assert isinstance(face, LocationFace)
        return face.connects or honest(game, card)

    patch.setattr(locations, "connects", connects)


@leak(test_table.test_which_version_of_an_act_comes_later_is_known_to_nobody)
def the_first_words_tell_which_act_comes(patch: pytest.MonkeyPatch) -> None:
    honest = setup._lay_locations

    async def lay_locations(game: play.Play) -> None:
        tell(game, *game.table.plan.value.values())  # type: ignore[union-attr]  # made by then
        await honest(game)

    patch.setattr(setup, "_lay_locations", lay_locations)


@leak(test_table.test_a_random_weakness_is_known_to_its_owner_alone)
def a_weakness_is_picked_in_the_open(patch: pytest.MonkeyPatch) -> None:
    honest = weaknesses.give

    def give(game: play.Play, who: str) -> bool:
        given = honest(game, who)
        tell(game, *weaknesses.dealt_to(game, who))
        return given

    patch.setattr(weaknesses, "give", give)


@leak(test_table.test_hand_and_deck_of_an_eliminated_investigator_stay_unknown)
def the_hand_of_an_eliminated_investigator_is_shown(patch: pytest.MonkeyPatch) -> None:
    honest = elimination._remove_piles

    def remove_piles(game: play.Play, who: str) -> None:
        for handle, code in play.hand(game, who):
            place = Place(Zone.DISCARD, who)
            game.emit(Opened(f"hand/{who}", handle, code, place, who))
        honest(game, who)

    patch.setattr(elimination, "_remove_piles", remove_piles)


@leak(test_hands.test_the_order_of_the_encounter_deck_is_known_to_nobody)
def a_draw_shows_the_card_below(patch: pytest.MonkeyPatch) -> None:
    honest = encounter.remake

    def remake(game: play.Play, deck: str) -> None:
        tell(game, *map(game.table.card_of, game.table.piles.get(deck, ())[:2]))
        honest(game, deck)

    patch.setattr(encounter, "remake", remake)


@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leak = LEAKS[name]
    leak.plant(monkeypatch)

    with pytest.raises(AssertionError, match=SPECTATOR_TELLS):
        leak.twin(*leak.how)
