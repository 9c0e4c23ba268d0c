"""Reviews, and the notes stored with a game, in words for screens and for plain mode."""

from collections.abc import Iterator, Mapping, Sequence

from client.journal.replay_model import ReplayModel
from client.locale.speaker import Speaker
from client.model.model import ClientModel
from client.model.review import Review
from client.widgets.scene import SPACE
from protocol.common.templates import Nickname
from protocol.messages import GameNote, ReviewLine, ReviewPointed, ReviewSaid


def review_line(model: ClientModel, line: ReviewLine) -> str:
    """Return a review that the player may join, as a line with scenario, players and members."""
    title, played = model.title_in_full(line.scenario), ", ".join(line.names)
    return model.spoken.say("review.line", title, played, ", ".join(line.members))


def status_line(speaker: Speaker, review: Review, follow: str = "") -> str:
    """
    Return the leader, whether the viewer follows, and the other members.

    Args:
        speaker: puts the line into words.
        review: the viewer's review.
        follow: in plain mode, the command for following the leader again.
    """
    others = ", ".join(one.name for one in review.others) or speaker.say("review.nobody_else")
    if review.is_leader:
        return speaker.say("review.leading", others)
    leader = Nickname(review.leader)
    key = "review.following" if review.is_following else "review.free"
    if follow and not review.is_following:
        return speaker.say("plain.review_free", leader, others, follow)
    return speaker.say(key, leader, others)


def said_line(speaker: Speaker, said: ReviewSaid) -> str:
    return speaker.say("review.said", said.name, said.words)


def spaces_at(replay: ReplayModel, speaker: Speaker, event: int) -> Mapping[str, str]:
    """Return the names of the board's spaces just after an event, by id."""
    # The number comes from another member, so it is not trusted to be on the log.
    table = replay.tables[max(0, min(event + 1, len(replay.tables) - 1))]
    return replay.face.spaces(table, speaker)


def pointed_line(speaker: Speaker, replay: ReplayModel, pointed: ReviewPointed) -> str:
    if not pointed.kind:
        return speaker.say("review.pointed_event", pointed.name, max(0, pointed.event))
    if pointed.kind == SPACE:
        unknown = speaker.say("point.unknown_space")
        name = spaces_at(replay, speaker, pointed.event).get(pointed.piece, unknown)
    else:
        name = speaker.name(pointed.kind, pointed.piece)
    return speaker.say("review.pointed", pointed.name, name)


def game_note_line(speaker: Speaker, note: GameNote) -> str:
    """Return a note stored with a game, with the number of its event."""
    return speaker.say("notes.line", max(0, note.event), _text_of(speaker, note))


def game_notes_at(speaker: Speaker, notes: Sequence[GameNote], event: int) -> Iterator[str]:
    yield from (_text_of(speaker, note) for note in notes if note.event == event)


def _text_of(speaker: Speaker, note: GameNote) -> str:
    key = "review.tag_of" if note.is_tag else "review.note_of"
    return speaker.say(key, Nickname(note.author), note.text)
