"""Land: what the board of an outdoor story has besides its drawing. Sections 4 and 6."""

from protocol.games.first_edition.events import LandLaid
from server.games.first_edition.rules.play import Play


def lay(play: Play) -> None:
    """Tell which rooms are outdoors and which spaces are under water. W-OUT-4, W-WATER-1."""
    story = play.content.story
    if story.outdoor:
        outdoor = tuple(room.id for room in story.rooms if room.outdoor)
        play.emit(LandLaid(outdoor, story.submerged))
