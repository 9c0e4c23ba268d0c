"""What somebody proposes to a table, in words."""

from client.games.face import face_of
from client.locale.speaker import Speaker
from protocol.common.table import GameTable, Proposal, Table


def proposed(speaker: Speaker, table: Table, proposal: Proposal) -> str:
    """Return what somebody proposes, in one sentence."""
    seat = table.room.seats.get(proposal.by)
    by = seat.name if seat is not None and seat.name else speaker.say("consent.somebody")
    if proposal.kind == "give_seat":
        key = "consent.give_bot" if proposal.is_bot else "consent.give_person"
        return speaker.say(key, by, speaker.place(table, proposal.seat, proposal.by))
    if proposal.kind == "correct":
        named = face_of(table.room.ruleset).names(table, speaker, proposal.piece)
        return speaker.say("consent.damage", by, named, proposal.amount)
    game = table.rests.get(proposal.rest)
    when = "" if game is None else rest_point(speaker, table, game)
    return speaker.say("consent.back", by, when) if when else speaker.say("consent.back_so", by)


def rest_point(speaker: Speaker, table: Table, game: GameTable) -> str:
    """
    Return when somebody could propose to go back to; empty where the game does not say.

    Args:
        speaker: whose words.
        table: as it is now.
        game: as it was then.
    """
    return face_of(table.room.ruleset).moment(game).in_words(speaker)
