"""Words for a question: its prompt, with the reason that the record gives for it."""

from client.locale.speaker import Speaker
from protocol.common.asks import Question
from protocol.common.table import OpenAsk
from protocol.common.text import Text


def asked_text(
    speaker: Speaker, ask: OpenAsk | None, question: Question, *, is_about_told: bool = False
) -> str:
    """
    Return a question in words, with its reason: the innermost effect that is being resolved.

    Args:
        speaker: puts the question into words.
        ask: the open question; None if it is not known.
        question: the part of the question that one seat reads.
        is_about_told: True if the caller also shows the subject of the question. If the subject
            names the reason, the reason is left out.
    """
    prompt = speaker.text(question.prompt)
    if ask is None or not ask.within or (is_about_told and _names(ask.about, ask.within[-1])):
        return prompt
    # An author's prompt may be no whole sentence.
    prompt = f"{prompt}." if prompt[-1:].isalnum() else prompt
    return speaker.say("question.reason", prompt, speaker.text(ask.within[-1]).rstrip("."))


def about_text(speaker: Speaker, ask: OpenAsk, seat: int | None) -> str:
    """Return what an open question is about, for a seat that waits; None for a spectator.

    Empty if a pack put it as a question and the seat is not asked: its "you" is another player.
    """
    about = speaker.text(ask.about)
    return about if seat in ask.questions or not about.rstrip().endswith("?") else ""


def _names(text: Text, other: Text) -> bool:
    """Return whether a text is, or contains, another."""
    inner = (param for param in text.params if isinstance(param, Text))
    return text == other or any(_names(param, other) for param in inner)
