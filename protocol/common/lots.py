"""Lots: how many have to want one before it decides what a table cannot agree on."""

from protocol.common.table import OpenAsk, RoomTable


def is_enough_for_lot(room: RoomTable, ask: OpenAsk, seat: int) -> bool:
    """
    Return whether a lot is drawn if one more seat wants it: more than half of the people here.

    Bots have no say in it, and nobody waits for who is away. So nobody decides alone while somebody
    else who was asked is here.
    """
    people = {s for s in ask.questions if not room.seats[s].is_bot and room.seats[s].is_present}
    if not people:
        return True
    wanting = people & {*ask.lot_wanted_by, seat}
    return seat in people and len(wanting) > len(people) // 2
