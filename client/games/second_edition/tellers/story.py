"""The story, in words."""

from collections.abc import Iterator

from client.games.second_edition.tellers.base import SecondEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.second_edition import events as se

RULE = "stakes/"
"""The prefix of texts about what a test decides, which are not part of the story."""
SEEN = "result/facedown_card"
"""The subject of the private text about a facedown card of an investigator."""

one_line(se.ProgressKept, "progress", lambda e, _: (e.total,))


@tells(se.Told)
def _(happened: se.Told, at: SecondEditionContext) -> Iterator[Told]:
    is_rule = happened.text.subject.startswith(RULE)
    yield Tone.DICE if is_rule else Tone.STORY, at.speaker.text(happened.text)


@tells(se.ToldPrivately)
def _(happened: se.ToldPrivately, at: SecondEditionContext) -> Iterator[Told]:
    if happened.text.is_open:
        yield (
            Tone.PRIVATE,
            at.say("private", at.who(happened.investigator), at.speaker.text(happened.text.value)),
        )
        if happened.text.value.subject == SEEN:
            yield from at.written_on(str(happened.text.value.params[0]))


@tells(se.ObjectiveSet)
def _(happened: se.ObjectiveSet, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.STORY, at.say("objective", at.speaker.text(happened.objective))


@tells(se.ChapterBegan)
def _(happened: se.ChapterBegan, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.ROUND, at.speaker.text(happened.chapter)


@tells(se.TimerSet)
def _(happened: se.TimerSet, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.speaker.timer(happened.timer)


@tells(se.TimerRemoved)
def _(happened: se.TimerRemoved, at: SecondEditionContext) -> Iterator[Told]:
    text = at.speaker.text(at.game_before.timers[happened.timer].text)
    key = "run_out" if happened.has_run_out else "stopped"
    yield Tone.STEP, at.speaker.say(f"timer.{key}", text)


@tells(se.OptionChosen)
def _(happened: se.OptionChosen, at: SecondEditionContext) -> Iterator[Told]:
    text = at.speaker.text(happened.text)
    if happened.investigator is None:
        yield Tone.ACTION, at.say("chose_together", text)
    else:
        yield Tone.ACTION, at.say("chose", at.who(happened.investigator), text)


@tells(se.StoryVotesShown)
def _(happened: se.StoryVotesShown, at: SecondEditionContext) -> Iterator[Told]:
    for investigator, vote in happened.votes.items():
        yield Tone.ACTION, at.say("voted_for", at.who(investigator), at.speaker.text(vote))
