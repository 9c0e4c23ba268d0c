"""Lots: how many players must ask for a tiebreak."""

from protocol.common.table import OpenAsk, RoomTable

COUNTED_VERSION = 3
"""The first version of logs in which a lot is drawn only once enough players ask for a lot."""


def is_enough_for_lot(room: RoomTable, ask: OpenAsk, seat: int) -> bool:
    """
    Return whether a lot is drawn once `seat` asks, too: more than half of the people must ask.

    Bots and absent seats do not count, so nobody can force a lot alone while another player who was
    asked is present. True if no person who was asked is present.
    """
    people = {s for s in ask.questions if not room.seats[s].is_bot and room.seats[s].is_present}
    # Only bots are left, and none of them can be overruled.
    if not people:
        return True
    wanting = people & {*ask.lot_wanted_by, seat}
    return seat in people and len(wanting) > len(people) // 2
