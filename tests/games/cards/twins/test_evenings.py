"""Twin evenings: nothing that a server sends, logs or counts tells others what Kim holds."""

import functools
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from content.games.cards.schema.kinds import CardType, Keyword
from protocol import messages
from protocol.archive import load
from protocol.audit import audit
from protocol.common.events import SeedsCommitted
from protocol.event import Audiences, everything, openings_of, read
from protocol.games.cards.table import ENCOUNTER, hand_of
from protocol.games.cards.words import Zone
from tests.games.cards.house_pack import house
from tests.games.cards.twins.evenings import (
    KIMS,
    PEOPLE,
    SCENARIO,
    Evening,
    differences,
    evening,
    exchanged,
)
from tests.games.first_edition.twins.evenings import Order, as_it_falls
from tests.games.twins import planting
from tests.games.twins.leaks import Leaks, Plant

pytestmark = pytest.mark.issue(42)
rule = pytest.mark.rule
OTHERS = {"ann", "ben", "wat", "zoe", "ann again"}
"""Those who sit or look on, and read all that is open."""


UNSEEN = 4
"""Cards on top of a deck that may be drawn in the rounds that a test adds."""


@functools.cache
def usual() -> Evening:
    return evening(rounds=1)


def below(order: Order, *piles: str) -> Order:
    """Return the order in which the lower halves of some piles lie upside down."""

    def turned(purpose: str, mixed: Any) -> Any:
        if purpose not in {f"shuffle {pile}" for pile in piles}:
            return order(purpose, mixed)
        half = len(mixed) // 2
        return [*mixed[:half], *reversed(mixed[half:])]

    return turned


@functools.cache
def other_hand() -> Order:
    """
    Return the order by which Kim holds another asset, in place of one of the first hand.

    Both have the same icons and neither is Fast, so that Kim is asked about them alike.
    """
    held, below = kims_hand(usual()), kims_deck(usual())[UNSEEN:]
    return next(
        exchanged(KIMS, one, other)
        for one in held
        for other in below
        if asset_icons(one) == asset_icons(other) is not None
    )


def asset_icons(code: str) -> tuple[str, ...] | None:
    """Return the icons of an asset that is not Fast; None of any other card."""
    face = house().players.get(code)
    is_slow = face is not None and Keyword.FAST not in face.keywords
    return face.icons if face is not None and is_slow and face.type is CardType.ASSET else None


def kims_deck(one: Evening) -> list[str]:
    """Return the cards of Kim's deck, the top first."""
    return [one.game.card_of(handle) for handle in one.game.piles[KIMS]]


def kims_hand(one: Evening) -> list[str]:
    """Return the cards in Kim's hand, sorted."""
    return sorted(one.game.card_of(handle) for handle in one.game.piles[hand_of(PEOPLE["kim"])])


@rule("C-SECRET-1", "C-SECRET-38", "C-DECIDE-6")
def test_what_a_seat_holds_is_told_to_no_other_seat_and_no_spectator() -> None:
    twin = evening(rounds=1, order=other_hand())

    assert kims_hand(twin) != kims_hand(usual())
    assert differences(usual(), twin) == {}


@rule("C-SECRET-3", "C-SECRET-6")
def test_the_order_of_what_lies_below_is_told_to_nobody() -> None:
    decks = (ENCOUNTER, *(f"deck/{who}" for who in PEOPLE.values()))
    twin = evening(rounds=1, order=below(as_it_falls, *decks))

    assert kims_deck(twin) != kims_deck(usual())
    assert kims_hand(twin) == kims_hand(usual())
    assert differences(usual(), twin) == {}


@rule("C-SECRET-21")
def test_no_seed_of_chance_is_sent_while_the_game_goes_on() -> None:
    room = usual().house.host_of(usual().clients["kim"]).room.table.room
    records = [
        (stored, read(room.room_id, everything(stored)).event)
        for stored in usual().house.log_of(room.room_id)
    ]
    (committed,) = [stored for stored, event in records if isinstance(event, SeedsCommitted)]
    seeds = [opening.value[-32:] for opening in openings_of(committed)]
    heard = [message for told in usual().heard.values() for _, message in told]
    sent = [
        part
        for message in heard
        if isinstance(message, messages.Records)
        for cut in message.cuts
        for part in (cut.public, *(opening.value for _, opening in cut.openings))
    ]

    assert len(seeds) == 2
    assert len(sent) > 500
    assert [part for part in sent if any(seed in part for seed in seeds)] == []


@rule("C-SECRET-10", "C-SECRET-11", "C-SECRET-34")
def test_words_of_what_is_not_reached_are_sent_to_nobody() -> None:
    sent = {
        subject
        for told in usual().heard.values()
        for _, message in told
        if isinstance(message, messages.Words)
        for subject, _ in message.subjects
    }
    scenario = house().scenarios[SCENARIO]
    ahead = {*scenario.acts[1:], *scenario.agendas[1:], *(one.id for one in scenario.resolutions)}
    closed = {
        house().locations[card.code].face.id
        for card in usual().game.lying(Zone.MAP)
        if not card.face
    }

    assert {scenario.acts[0], "card/hall-seen"} <= sent
    assert ahead | closed
    assert (ahead | closed) & sent == set()


def test_what_kim_does_is_seen_by_all() -> None:
    """The comparison can find a difference."""
    twin = evening(rounds=1, wishes={"kim": ["choice/resource"]})

    assert set(differences(usual(), twin)) >= OTHERS


# What takes longer ------------------------------------------------------------------------------

STRICT: Mapping[str, Any] = {"strict_windows": True, "window_seconds": 3}


def pair(**how: Any) -> Mapping[str, Any]:
    """Return the differences between two evenings in which Kim holds different cards."""
    first, twin = evening(**how), evening(order=other_hand(), **how)
    assert kims_hand(first) != kims_hand(twin)
    return differences(first, twin)


@pytest.mark.long
@rule("C-SECRET-1", "C-SECRET-31", "C-DECIDE-52")
def test_nothing_is_told_under_strict_windows_in_whole_rounds() -> None:
    assert pair(rounds=2, **STRICT) == {}


@pytest.mark.long
@rule("C-SECRET-39", "C-DECIDE-52")
def test_on_what_a_seat_passes_beforehand_is_told_to_nobody_under_strict_windows() -> None:
    games = [
        evening(rounds=1, passes=(kind,), **STRICT) for kind in ("window/hunters", "window/upkeep")
    ]

    rooms = [one.house.host_of(one.clients["kim"]).room.table.room for one in games]
    assert [room.standing[0].value for room in rooms] == [("window/hunters",), ("window/upkeep",)]
    assert differences(*games) == {}


@pytest.mark.long
@rule("C-SECRET-38")
def test_an_observer_sees_all_and_shows_to_nobody() -> None:
    games = [
        evening(rounds=1, observed_after=0, order=order) for order in (as_it_falls, other_hand())
    ]

    assert set(differences(*games)) == {"rea"}
    for name in ("ben", "wat", "rea"):
        assert audit(load(games[0].exported(name))).has_game_laws


@pytest.mark.long
@rule("C-SECRET-38")
def test_delayed_spectators_see_nothing_ahead() -> None:
    games = [
        evening(rounds=1, delay=3600, wishes={"kim": [f"choice/{taken}"]})
        for taken in ("draw", "resource")
    ]
    found = set(differences(*games))

    assert {"ann", "ben"} <= found
    assert not {"wat", "zoe"} & found


LEAKS: Leaks[str] = Leaks()


def leak(*kinds: str) -> Callable[[Plant], Plant]:
    """Return a decorator that registers a planted leak, and the viewers who notice."""
    return LEAKS.leak((), *kinds)


@leak("ann", "ann again")
def cut_too_wide(patch: pytest.MonkeyPatch) -> None:
    """Each seat is also sent the openings of the seat before."""
    honest = Audiences.slots_for

    def slots_for(self: Audiences, seat: int | None, *, since: int) -> tuple[int, ...]:
        mine = honest(self, seat, since=since)
        return mine if not seat else tuple(sorted({*mine, *honest(self, seat - 1, since=since)}))

    patch.setattr(Audiences, "slots_for", slots_for)


leak(*OTHERS)(planting.words_come_ahead)
leak("ben", "wat")(planting.an_export_has_anothers_openings)


@pytest.mark.long
@pytest.mark.parametrize("name", LEAKS)
def test_a_planted_leak_of_the_server_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant: Plant = LEAKS[name].plant
    plant(monkeypatch)

    assert {*LEAKS[name].kinds} <= set(pair(rounds=1))
