"""Offers and refusals at one moment of a finished game, with the choices made."""

from collections.abc import Iterator, Mapping

from client.locale.refusals import refusal
from client.widgets.paragraphs import HEAD, Paragraph
from client.widgets.scene import Scene
from protocol.common.table import OpenAsk

Chosen = Mapping[int, tuple[str, ...]]
"""Ids of the picks, by seat, where the viewer may know them."""


def offered(scene: Scene, chosen: Chosen) -> list[Paragraph]:
    """Return each open question with its choices, the ones chosen next marked."""
    ask = scene.table.room.ask
    if ask is None:
        return [("", scene.speaker.say("replay.nothing_asked"))]
    said: list[Paragraph] = []
    for seat in ask.questions:
        said += [("", "")] if said else []
        said += _asked(scene, ask, seat, chosen)
    return said


def _asked(scene: Scene, ask: OpenAsk, seat: int, chosen: Chosen) -> Iterator[Paragraph]:
    speaker = scene.speaker
    name = speaker.seat(scene.table, seat)
    sealed = ask.questions[seat]
    if not sealed.is_open:
        yield HEAD, speaker.say("replay.asked_in_secret", name)
        return
    yield HEAD, speaker.say("replay.asked", name, speaker.text(sealed.value.prompt))
    picks = chosen.get(seat, ())
    for choice in sealed.value.choices:
        is_chosen = choice.choice_id in picks
        mark, style = (">", "class:cursor") if is_chosen else (" ", "")
        yield style, f"{mark} {speaker.text(choice.text)}"
    for refused in sealed.value.refused:
        yield "class:refused", f"x {refusal(speaker, refused)}"
