"""Words for the refused choices of a question, with the rules that refuse them."""

from client.locale.speaker import Speaker
from protocol.common.asks import Question, RefusedChoice


def refusals(question: Question) -> tuple[RefusedChoice, ...]:
    """Return the refused choices of a question, grouped by the rule that refuses them."""
    return tuple(choice for run in by_rule(question).values() for choice in run)


def by_rule(question: Question) -> dict[str, list[RefusedChoice]]:
    """Return refused choices by rule, in the order of each rule's first one."""
    found: dict[str, list[RefusedChoice]] = {}
    for choice in question.refused:
        found.setdefault(choice.rule, []).append(choice)
    return found


def refusal(speaker: Speaker, choice: RefusedChoice) -> str:
    """Return a refused choice and the reason, without a full stop and without the rule."""
    what, why = (speaker.text(text).rstrip(".") for text in (choice.text, choice.reason))
    return speaker.say("question.refused", what, why)


def refusal_by_rule(speaker: Speaker, choice: RefusedChoice) -> str:
    """Return a refused choice, the reason, and the name of the rule."""
    name, _ = speaker.rule(choice.rule)
    return f"{refusal(speaker, choice)} ({name})" if name else refusal(speaker, choice)
