"""The open choices of the viewer that point at one piece on the table."""

from collections.abc import Iterator

from client.plugs.face import face_of
from client.widgets.answering import listed
from client.widgets.paragraphs import HEAD, Paragraph
from client.widgets.scene import Scene
from protocol.common.asks import Point


def choices_about(scene: Scene, kind: str, piece: str) -> Iterator[Paragraph]:
    """Yield the choices that point at a piece, with their numbers."""
    ask = scene.table.room.ask
    sealed = None if ask is None or scene.seat is None else ask.questions.get(scene.seat)
    if sealed is None or not sealed.is_open:
        return
    listing = face_of(scene.table.room.ruleset).listing
    about = [
        (number, choice)
        for number, choice in enumerate(listed(sealed.value, listing), 1)
        if Point(kind, piece) in choice.points
    ]
    if about:
        yield "", ""
        yield HEAD, scene.speaker.say("box.you_can")
    for number, choice in about:
        yield "", f"  {number} {scene.speaker.choice(choice)}"
