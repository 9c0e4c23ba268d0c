"""What is done where nobody answers in time, in words."""

from client.locale.speaker import Speaker
from protocol.common.asks import Question


def default_text(speaker: Speaker, question: Question) -> str:
    """Return what an answer is taken to be that did not come; of several in a row, of all."""
    choices = {choice.choice_id: choice for part in question.row for choice in part.choices}
    named = [speaker.text(choices[pick].text) for pick in question.row_default if pick in choices]
    return ", ".join(named) or speaker.say("question.default_none")
