"""The open questions at one moment of a finished game: offers, refusals, and the picked choices."""

from collections.abc import Mapping

from client.locale.asked import asked_text
from client.locale.refusals import refusal
from client.widgets.paragraphs import HEAD, Paragraph
from client.widgets.scene import Scene

Chosen = Mapping[int, tuple[str, ...]]
"""The ids of the picks, by seat, if the viewer may know the picks."""


def offered(scene: Scene, chosen: Chosen) -> list[Paragraph]:
    """Return each open question with its choices and refusals; picked choices are marked."""
    ask = scene.table.room.ask
    if ask is None:
        return [("", scene.speaker.say("replay.nothing_asked"))]
    said: list[Paragraph] = []
    speaker = scene.speaker
    for seat, sealed in ask.questions.items():
        said += [("", "")] if said else []
        name = speaker.seat(scene.table, seat)
        if not sealed.is_open:
            said.append((HEAD, speaker.say("replay.asked_in_secret", name)))
            continue
        question = sealed.value
        asked = asked_text(speaker, ask, question)
        said.append((HEAD, speaker.say("replay.asked", name, asked)))
        picks = chosen.get(seat, ())
        for choice in question.choices:
            is_chosen = choice.choice_id in picks
            mark, style = (">", "class:cursor") if is_chosen else (" ", "")
            said.append((style, f"{mark} {speaker.choice(choice)}"))
        for refused in question.refused:
            said.append(("class:refused", f"x {refusal(speaker, refused)}"))
    return said
