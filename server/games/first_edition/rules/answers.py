"""
Answers to the questions of the story: those of the keeper, and what investigators choose in secret.

K-DECIDE-5, W-STORY-4 to W-STORY-6, W-DECIDE-46, W-DECIDE-47. The keeper's answers are sealed to the
keeper. Choices of the investigators are sealed to whoever has their seats, and neither the keeper
nor a spectator learns it (W-SECRET-6); each answer is sealed to its giver (W-SECRET-14).
"""

from collections.abc import Mapping, Sequence

from content.games.first_edition.schema.story import Story, StoryQuestion
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.first_edition.events import AnswersGiven, VoteCounted
from protocol.games.first_edition.table import FirstEditionTable, InvestigatorId
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER
from server.games.first_edition.rules import monsters
from server.games.first_edition.rules.play import Play
from server.kernel.asks import Option, Prompt


def keeper_prompts(play: Play) -> tuple[Prompt[str], ...]:
    """Return the questions to the keeper, who has none in a fixed setup. K-SETUP-2, K-DECIDE-5."""
    story = play.content.story
    return tuple(
        _prompt(play, question, Text("ask/story", (Text(story.subject_of(question.id)),)))
        for question in story.questions
        if not question.by_vote and not play.is_setup_fixed
    )


def vote_prompts(play: Play, who: InvestigatorId) -> tuple[Prompt[str], ...]:
    """
    Return the questions that an investigator answers in secret; none in a fixed setup.

    Each of two that one player leads has an answer, as in a game of two players (W-PLAYER-3). The
    words of each question warn that the keeper reads the chat of the table. W-DECIDE-47.
    """
    story = play.content.story
    return tuple(
        _prompt(play, question, Text("ask/vote", (who, Text(story.subject_of(question.id)))))
        for question in story.questions
        if question.by_vote and not play.is_setup_fixed
    )


def _prompt(play: Play, question: StoryQuestion, text: Text) -> Prompt[str]:
    """
    Return a question with the answer that counts when time is up.

    Outdoors it is drawn out of sight. That time was up is public, and so would be a first option.
    """
    story = play.content.story
    options = tuple(
        Option(one.id, Text("choice/answer", (Text(story.subject_of(one.id)),)))
        for one in question.options
    )
    if not story.outdoor:
        return Prompt(text, options)
    drawn = monsters.DRAWS.deal(play, "default", range(len(options)))
    assert drawn is not None, "a question without options"
    return Prompt(text, options, default=(drawn,))


def keep(play: Play, given: Sequence[str], votes: Sequence[Sequence[str]]) -> None:
    """
    Seal the answers of the keeper, and what the investigators chose. K-SECRET-5, W-SECRET-6.

    Args:
        play: the game.
        given: the keeper's answers, in the order of the questions.
        votes: the answers of each investigator, by seat, those of one seat as they were claimed.
    """
    story = play.content.story
    own = [one.id for one in story.questions if not one.by_vote]
    voted = [one.id for one in story.questions if one.by_vote]
    if play.is_setup_fixed:
        answers = deal(play)
    else:
        answers = dict(zip(own, given, strict=True))
        answers |= dict(zip(voted, map(count, zip(*votes, strict=True)), strict=True))
    play.emit(AnswersGiven(KEEPER, hidden({one: answers[one] for one in own})))
    if voted:
        play.emit(VoteCounted(INVESTIGATOR, hidden({one: answers[one] for one in voted})))


def count(given: Sequence[str]) -> str:
    """
    Return the answer that was given most often; of several the one that was given first.

    W-DECIDE-47.
    """
    return max(given, key=given.count)


def deal(play: Play) -> dict[str, str]:
    """
    Have the lot answer the questions of the story in a fixed setup. K-SETUP-2, K-DECIDE-5.

    So all tables with this setup have one objective and one placement. Each side learns its answers
    like own ones (K-SECRET-5, W-SECRET-6); others see that they were dealt.
    """
    answers: dict[str, str] = {}
    for question in play.content.story.questions:
        dealt = monsters.DRAWS.deal(play, "answer", tuple(one.id for one in question.options))
        assert dealt is not None, "a question without options"
        answers[question.id] = dealt
    return answers


def of_both(table: FirstEditionTable) -> Mapping[str, str]:
    """Return all answers by question, of whichever side. W-DECIDE-46."""
    given = (sealed.value for sealed in (table.answers, table.vote) if sealed is not None)
    return {question: option for some in given for question, option in some.items()}


def knower(story: Story) -> str:
    """Return the role that knows the objective: the one that chooses it. K-SECRET-6, W-STORY-5."""
    return INVESTIGATOR if story.is_objective_voted else KEEPER
