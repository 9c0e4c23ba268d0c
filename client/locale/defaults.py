"""Words for the default answer of a question that times out."""

from client.locale.speaker import Speaker
from protocol.common.asks import Question


def default_text(speaker: Speaker, question: Question) -> str:
    """Return the default answer of a question in words. A row of questions has several defaults."""
    choices = {choice.choice_id: choice for part in question.row for choice in part.choices}
    named = [speaker.text(choices[pick].text) for pick in question.row_default if pick in choices]
    return ", ".join(named) or speaker.say("question.default_none")
