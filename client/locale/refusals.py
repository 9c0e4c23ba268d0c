"""Words for choices that the rules refuse, with the rules that refuse them."""

from client.locale.speaker import Speaker
from protocol.common.asks import Question, RefusedChoice


def refusals(question: Question) -> tuple[RefusedChoice, ...]:
    """Return the refused choices of a question. Choices that the same rule refuses are adjacent."""
    return tuple(choice for run in by_rule(question).values() for choice in run)


def by_rule(question: Question) -> dict[str, list[RefusedChoice]]:
    """Return the refused choices by refusing rule, in the order of the question."""
    found: dict[str, list[RefusedChoice]] = {}
    for choice in question.refused:
        found.setdefault(choice.rule, []).append(choice)
    return found


def refusal(speaker: Speaker, choice: RefusedChoice) -> str:
    """Return a refused choice and the reason in words, without a full stop or the rule."""
    what, why = (speaker.text(text).rstrip(".") for text in (choice.text, choice.reason))
    return speaker.say("question.refused", what, why)


def refusal_by_rule(speaker: Speaker, choice: RefusedChoice) -> str:
    """Return a refused choice, the reason, and the name of the rule if it has one, in words."""
    name, _ = speaker.rule(choice.rule)
    return f"{refusal(speaker, choice)} ({name})" if name else refusal(speaker, choice)
