"""Places: where each kind of record may stand, compared with a list from sections 8 and 14.

Both verifiers take the places from one table, so a wrong entry would be wrong in both.
"""

import pytest

from protocol.common import events
from protocol.common.table import Stage
from protocol.event import Event, kinds
from protocol.validity import order

pytestmark = pytest.mark.issue(10)

LOBBY, STARTING, PLAYING, OVER = Stage
STANDS: dict[str, tuple[object, ...]] = {
    "room_opened/9": (None,),
    **dict.fromkeys(("seat_taken", "seat_left", "seat_emptied"), (LOBBY,)),
    **dict.fromkeys(("pieces_claimed", "role_claimed", "setup_fixed"), (LOBBY,)),
    "start_requested/2": (LOBBY,),
    **dict.fromkeys(("prepared", "brought_along"), (LOBBY,)),
    "seeds_committed": (events.SeedsCommitted,),
    **dict.fromkeys(("share_committed", "share_opened/2", "start_failed"), (STARTING,)),
    "game_started/3": (events.GameStarted,),
    "branched": (PLAYING,),
    "branch_started": (events.BranchStarted,),
    **dict.fromkeys(("presence_changed", "chatted", "seat_filled"), (*Stage,)),
    **dict.fromkeys(("operator_paused", "operator_resumed", "operator_closed"), (PLAYING,)),
    "seat_filled_knowing": (PLAYING,),
    "setup_opened": (OVER,),
}
"""Stages at which kinds stand, except inputs that stand before the end, and others in play."""
LEADS: dict[str, object] = {
    "room_opened/9": LOBBY,
    "start_requested/2": events.SeedsCommitted,
    "seeds_committed": STARTING,
    "start_failed": LOBBY,
    "game_started/3": PLAYING,
    "branched": events.SeedsCommitted,
    "branch_started": PLAYING,
    "room_closed/2": OVER,
}
"""Stage or kind to which a kind leads; the others, except the last share, lead to none."""


def differences() -> list[str]:
    """Return the kinds whose places in the table differ from the document."""
    shared: dict[str, type[Event]] = {
        tag: kind for tag, kind in kinds().items() if kind.__module__.startswith("protocol.common")
    }
    return [
        tag
        for tag, kind in shared.items()
        if order.places_of(kind)
        != STANDS.get(tag, (LOBBY, STARTING, PLAYING) if kind.is_input else (PLAYING,))
        or order.LEADS_TO.get(kind) != LEADS.get(tag)
    ]


def test_each_kind_stands_where_the_document_says() -> None:
    assert differences() == []


def test_a_wrong_place_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(order._VALID_IN, events.ShareOpened, (STARTING, PLAYING))
    monkeypatch.delitem(order.LEADS_TO, events.GameStarted)

    assert differences() == ["share_opened/2", "game_started/3"]
