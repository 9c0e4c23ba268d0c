"""Words for proposals, and for the checkpoints to which a table can return."""

from client.locale.speaker import Speaker
from client.model.checkpoints import Checkpoint
from client.model.tables import TableView
from client.plugs.face import face_of
from protocol.common.events import Asked
from protocol.common.patience import is_held_up
from protocol.common.proposals import Correct, GiveSeat, GiveUp
from protocol.common.table import GameTable, Proposal, Table


def proposed(speaker: Speaker, table: Table, proposal: Proposal) -> str:
    seat = table.room.seats.get(proposal.by)
    by = seat.name if seat is not None and seat.name else speaker.say("consent.somebody")
    match proposal.aim:
        case GiveSeat(given, is_bot=is_bot):
            key = "consent.give_bot" if is_bot else "consent.give_person"
            said = speaker.say(key, by, speaker.place(table, given, proposal.by))
            return f"{said} {speaker.say('consent.apart')}" if table.room.is_apart else said
        case Correct(piece, amount):
            named = face_of(table.room.ruleset).names(table, speaker, piece)
            return speaker.say("consent.damage", by, named, amount)
        case GiveUp():
            said = speaker.say("consent.give_up", by)
            return (
                f"{said} {speaker.say('propose.give_up_away')}" if is_held_up(table.room) else said
            )
    game = table.checkpoints.get(proposal.checkpoint)
    when = "" if game is None else moment_of(speaker, table, game)
    return speaker.say("consent.back", by, when) if when else speaker.say("consent.back_so", by)


def moment_of(speaker: Speaker, table: Table, game: GameTable) -> str:
    """
    Return the name of a checkpoint; empty if the game has no name for the checkpoint.

    Args:
        speaker: the words.
        table: the table in its current state.
        game: the game at the time of the checkpoint.
    """
    return face_of(table.room.ruleset).moment(game).in_words(speaker)


def offered_checkpoint(speaker: Speaker, view: TableView, point: Checkpoint) -> str:
    """Return the game's name for a checkpoint, or a description by the question that followed."""
    when = moment_of(speaker, view.table, point.game)
    if when:
        return when
    later = (record.event for record in view.records[point.sequence + 1 :])
    asked = next((event for event in later if isinstance(event, Asked)), None)
    about = "" if asked is None else speaker.text(asked.about)
    return speaker.say("propose.back_asked", point.sequence, about)
