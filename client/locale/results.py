"""Results of games in words: the sides that won, and the scores in the order of the game."""

import functools
from collections.abc import Sequence

from client.locale.speaker import Speaker
from protocol.common.table import Score, Table


def winners_in_words(speaker: Speaker, winners: Sequence[str], rounds: int) -> str:
    """Return the sides that won, as a clause, with the round unless it is 0; or that nobody won."""
    names = ", ".join(side_named(speaker, side) for side in winners)
    is_many = len(winners) > 1 or any(map(functools.partial(_is_of_several, speaker), winners))
    said = speaker.say("results.sides", names, 2 if is_many else 1)
    if not winners:
        said = speaker.say("results.nobody")
    return speaker.say("results.in_round", said, rounds) if rounds else said


def side_named(speaker: Speaker, side: str) -> str:
    """Return the name of a side: that of its role, in the plural if the game calls it so."""
    key = f"results.side.{side}"
    return speaker.say(key) if _is_of_several(speaker, side) else speaker.name("role", side)


def _is_of_several(speaker: Speaker, side: str) -> bool:
    return speaker.locale.has(f"results.side.{side}")


def scores_in_words(speaker: Speaker, scores: Sequence[Score], *, has_sides: bool) -> str:
    """Return the scores as a clause, each with its side if there are several; may be empty."""
    return ", ".join(
        speaker.say("results.score_of", name, speaker.name("role", score.side), score.value)
        if has_sides and score.side
        else speaker.say("results.score", name, score.value)
        for score in scores
        for name in [speaker.name("score", score.name)]
    )


def result_lines(speaker: Speaker, table: Table) -> tuple[str, ...]:
    """
    Return sentences on the result of a game: which sides won, and the scores.

    They are empty before the end of a game, and for a co-operative game without scores: such a game
    has its own words.
    """
    end = table.game.came_out() if table.game is not None else None
    if end is None:
        return ()
    has_sides = len(table.sides) > 1
    clauses = [winners_in_words(speaker, end.winners, end.rounds)] if has_sides else []
    if end.scores:
        clauses.append(scores_in_words(speaker, end.scores, has_sides=has_sides))
    return tuple(
        speaker.say("results.sentence", f"{said[0].upper()}{said[1:]}") for said in clauses
    )


def ending_lines(speaker: Speaker, table: Table, seat: int | None) -> tuple[str, ...]:
    """
    Return paragraphs on the end of a game whose face has none; empty before the end.

    A seat reads its own result first; None stands for a spectator.
    """
    end = table.game.came_out() if table.game is not None else None
    if table.game is None or end is None:
        return ()
    lines = result_lines(speaker, table)
    has_sides = len(table.sides) > 1
    if has_sides and not end.winners:
        return lines
    if own := own_result(speaker, table, seat):
        return (own, *lines)
    if has_sides:
        return lines
    return (speaker.say("results.all_won" if end.winners else "results.all_lost"), *lines)


def own_result(speaker: Speaker, table: Table, seat: int | None) -> str:
    """Return whether a seat has won; empty before the end, for spectators, and if no side won."""
    end = table.game.came_out() if table.game is not None else None
    is_drawn = end is not None and len(table.sides) > 1 and not end.winners
    if table.game is None or end is None or is_drawn or seat not in table.room.seats:
        return ""
    assert seat is not None
    has_won = table.game.has_won(table.room, seat)
    return speaker.say("results.you_won" if has_won else "results.you_lost")
