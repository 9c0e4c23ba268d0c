"""The story, in words."""

from collections.abc import Iterator

from client.games.second_edition.tellers.base import SecondEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.second_edition import events as se

RULE = "stakes/"
"""The prefix of texts on the consequences of a test, which are not part of the story."""
SEEN = "result/facedown_card"
"""The subject of the private text about a facedown card of an investigator."""

PROPOSED = "choice/carries_instead"
"""The subject of a proposal that somebody else starts with a possession."""

one_line(se.ProgressKept, "progress", lambda e, _: (e.total,))


@tells(se.Told)
def _(event: se.Told, at: SecondEditionContext) -> Iterator[Told]:
    is_rule = event.text.subject.startswith(RULE)
    yield Tone.DICE if is_rule else Tone.STORY, at.speaker.text(event.text)


@tells(se.ToldPrivately)
def _(event: se.ToldPrivately, at: SecondEditionContext) -> Iterator[Told]:
    if event.text.is_open:
        yield (
            Tone.PRIVATE,
            at.say("private", at.who(event.investigator), at.speaker.text(event.text.value)),
        )
        if event.text.value.subject == SEEN:
            yield from at.written_on(str(event.text.value.params[0]))


@tells(se.ObjectiveSet)
def _(event: se.ObjectiveSet, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.STORY, at.say("objective", at.speaker.text(event.objective))


@tells(se.ChapterBegan)
def _(event: se.ChapterBegan, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.ROUND, at.speaker.text(event.chapter)


@tells(se.TimerSet)
def _(event: se.TimerSet, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.speaker.timer(event.timer)


@tells(se.TimerRemoved)
def _(event: se.TimerRemoved, at: SecondEditionContext) -> Iterator[Told]:
    text = at.speaker.text(at.game_before.timers[event.timer].text)
    key = "run_out" if event.has_run_out else "stopped"
    yield Tone.STEP, at.speaker.say(f"timer.{key}", text)


@tells(se.OptionChosen)
def _(event: se.OptionChosen, at: SecondEditionContext) -> Iterator[Told]:
    text = at.speaker.text(event.text)
    if event.investigator is None:
        yield Tone.ACTION, at.say("chose_together", text)
    else:
        key = "proposes" if event.text.subject == PROPOSED else "chose"
        yield Tone.ACTION, at.say(key, at.who(event.investigator), text)


@tells(se.StoryVotesShown)
def _(event: se.StoryVotesShown, at: SecondEditionContext) -> Iterator[Told]:
    for investigator, vote in event.votes.items():
        yield Tone.ACTION, at.say("voted_for", at.who(investigator), at.speaker.text(vote))
