"""What a question refuses: in words, and by the rule that refuses it."""

from client.locale.speaker import Speaker
from protocol.common.asks import Question, RefusedChoice


def refusals(question: Question) -> tuple[RefusedChoice, ...]:
    """Return the refused choices of a question, grouped by the rule that refuses them."""
    return tuple(choice for run in by_rule(question).values() for choice in run)


def by_rule(question: Question) -> dict[str, list[RefusedChoice]]:
    """Return what a question refuses by the rule that does, in the order of the first of each."""
    found: dict[str, list[RefusedChoice]] = {}
    for choice in question.refused:
        found.setdefault(choice.rule, []).append(choice)
    return found


def refusal(speaker: Speaker, choice: RefusedChoice) -> str:
    """Return what cannot be chosen and why, without a full stop and without the rule."""
    what, why = (speaker.text(text).rstrip(".") for text in (choice.text, choice.reason))
    return speaker.say("question.refused", what, why)


def refusal_by_rule(speaker: Speaker, choice: RefusedChoice) -> str:
    """Return what cannot be chosen and why, and what the rule is called that refuses it."""
    name, _ = speaker.rule(choice.rule)
    return f"{refusal(speaker, choice)} ({name})" if name else refusal(speaker, choice)
