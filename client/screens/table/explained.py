"""Explanation of a question: the rule behind it, and the rules that refuse choices."""

from client.locale.defaults import default_text
from client.locale.refusals import by_rule, refusal
from client.locale.speaker import Speaker
from client.widgets.paragraphs import HEAD, Paragraph
from protocol.common.asks import Question, RefusedChoice
from protocol.common.table import OpenAsk


def explained_refusal(speaker: Speaker, refused: RefusedChoice) -> list[Paragraph]:
    """Return the reason why a choice is refused, and the rule behind the refusal."""
    name, text = speaker.rule_named(refused.rule), speaker.rule(refused.rule)[1]
    said = [
        (HEAD, speaker.say("help.refused")),
        ("class:refused", f"x {refusal(speaker, refused)}"),
        ("", ""),
        (HEAD, speaker.say("help.refused_by", name)),
    ]
    return [*said, ("", text)] if text else said


def chain_lines(speaker: Speaker, ask: OpenAsk) -> list[str]:
    """Return the effects being resolved around a question, outermost first, a line each."""
    chain = [speaker.text(text) for text in ask.within]
    if len(chain) < 2:
        return [speaker.say("help.within", text) for text in chain]
    return [speaker.say("help.within_all"), *(f"{at}. {text}" for at, text in enumerate(chain, 1))]


def explained(
    speaker: Speaker, ask: OpenAsk | None, question: Question | None, *, is_limited: bool = False
) -> list[Paragraph]:
    """
    Return the rule behind the open question, and the choices refused to the viewer.

    Args:
        speaker: puts the explanation into words.
        ask: the open question; None if there is none.
        question: the viewer's part of the question; None if the viewer is not asked.
        is_limited: whether the default answer is given after a timeout.
    """
    if ask is None:
        return []
    name, text = speaker.rule_named(ask.rule), speaker.rule(ask.rule)[1]
    said = [(HEAD, speaker.say("help.rule", name)), *([("", text)] if text else [])]
    said += [("", line) for line in chain_lines(speaker, ask)]
    if is_limited:
        # What the viewer may read of the questions to others.
        readable = (sealed.value for sealed in ask.questions.values() if sealed.is_open)
        of = question if question is not None else next(readable, None)
        said += [("", ""), (HEAD, speaker.say("help.default"))]
        said += [("", speaker.say("help.default.about"))]
        if of is not None:
            said += [("", speaker.say("question.default", default_text(speaker, of)))]
    refused = by_rule(question) if question is not None else {}
    if refused:
        said += [("", ""), (HEAD, speaker.say("help.refused"))]
    for at, (rule, choices) in enumerate(refused.items()):
        said += [("", "")] if at else []
        said += [("class:refused", f"x {refusal(speaker, choice)}") for choice in choices]
        # The rule behind the question is explained above already.
        meaning = "" if rule == ask.rule else speaker.rule(rule)[1]
        name = speaker.rule_named(rule)
        said.append(("", f"{name}. {meaning}" if meaning else name))
    return said
