"""The end of a game, in words."""

from collections.abc import Iterator

from client.games.second_edition.tellers.base import SecondEditionContext, tells
from client.tellers.base import Told, Tone
from protocol.games.second_edition import events as se


@tells(se.BackShown)
def _(event: se.BackShown, at: SecondEditionContext) -> Iterator[Told]:
    conditions = at.game.investigators[event.investigator].conditions
    # The event opens a secret by its place on the log, which leads to the Condition.
    ref = (event.back.sequence, event.back.slot)
    for condition in conditions:
        if condition.back is not None and condition.back.ref == ref and condition.back.value:
            card = at.card(condition.back.value)
            yield Tone.ACTION, at.say("back_shown", at.who(event.investigator), card)
            yield from at.written_on(condition.back.value)


@tells(se.GameEnded)
def _(event: se.GameEnded, at: SecondEditionContext) -> Iterator[Told]:
    ending = event.ending
    yield Tone.STEP, at.say("won" if ending.is_won else "lost")
    yield Tone.STORY, at.speaker.text(ending.epilogue)
    for result in ending.results:
        key = "result_won" if result.has_won else "result_lost"
        reason = at.speaker.text(result.reason)
        yield Tone.ACTION, at.say(key, at.who(result.investigator), reason)


@tells(se.CampaignKept)
def _(event: se.CampaignKept, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.say("campaign_kept", at.speaker.name("campaign", event.legacy.campaign))
