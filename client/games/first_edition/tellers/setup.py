"""Setup, in words."""

from collections.abc import Iterator

from client.games.first_edition.tellers.base import FirstEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import KEEPER

one_line(fe.AnswersGiven, "answers_given", lambda _e, _at: (), Tone.STEP)
one_line(fe.KeeperEquipped, "equipped", lambda e, _: (e.threat, e.clues))


@tells(fe.VariantsAgreed)
def _(event: fe.VariantsAgreed, at: FirstEditionContext) -> Iterator[Told]:
    for variant in event.variants:
        yield Tone.STEP, at.say("variant", at.speaker.say(f"variant.{variant.value}"))


@tells(fe.BoardLaid)
def _(event: fe.BoardLaid, at: FirstEditionContext) -> Iterator[Told]:
    del event
    rooms = len(set(at.game.map.rooms.values()))
    yield Tone.STEP, at.say("board_laid", rooms, at.space(at.game.start))


@tells(fe.ObjectiveSet)
def _(event: fe.ObjectiveSet, at: FirstEditionContext) -> Iterator[Told]:
    is_keepers = event.role == KEEPER
    if event.objective.is_open:
        # Not a page of its own: the guide comes next, and is about it.
        key = "objective_set" if is_keepers else "objective_voted"
        yield Tone.ACTION, at.say(key, at.card(event.objective.value))
    elif not is_keepers:
        yield Tone.STEP, at.say("objective_unknown")


@tells(fe.VoteCounted)
def _(event: fe.VoteCounted, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.say("vote_counted")
    if event.answers.is_open:
        # The keeper reads the chat: W-DECIDE-47.
        chosen = [
            f"{at.speaker.of_story(at.table, question)} {at.speaker.of_story(at.table, option)}"
            for question, option in event.answers.value.items()
        ]
        yield Tone.PRIVATE, at.say("vote_known", " ".join(chosen))


@tells(fe.EventFaced)
def _(event: fe.EventFaced, at: FirstEditionContext) -> Iterator[Told]:
    if event.time:
        yield Tone.ACTION, at.say("event_faced", event.time)


@tells(fe.InvestigatorJoined)
def _(event: fe.InvestigatorJoined, at: FirstEditionContext) -> Iterator[Told]:
    traits = ", ".join(map(at.card, event.traits))
    yield Tone.ACTION, at.say("joined", at.who(event.investigator), at.seat(event.seat), traits)
