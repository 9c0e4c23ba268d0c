"""Commands at a table: chat, tiebreaks, and proposals that need consent."""

from collections.abc import Iterable, Sequence

from client.journal.proposals import offered_checkpoint
from client.journal.proposals import proposed as in_words
from client.model import passing
from client.model.checkpoints import checkpoints
from client.model.off_log import Stops
from client.model.standing_answers import (
    WHERE_AGAIN,
    WHERE_VAIN,
    StandingAnswer,
    answer_text,
    with_answer,
)
from client.plain.choice import UnreadableCommand, place_in
from client.plain.command import Command, Takes
from client.plain.talk import PlayerPlace, Talk
from client.plain.words import speaking_line
from client.plugs.face import face_of
from client.teaching.again import others, play_again
from client.text.ascii_fold import folded_words
from protocol.bounds import MAX_ID, MAX_KINDS
from protocol.common.events import MAX_CHAT
from protocol.common.patience import is_held_up
from protocol.common.standing import StandingPass, lapses_of
from protocol.common.table import Stage
from protocol.plain_text import clean


def say(talk: Talk, argument: str) -> None:
    talk.view()
    if not clean(argument):
        raise UnreadableCommand("plain.need_text")
    if len(clean(argument)) > MAX_CHAT:
        raise UnreadableCommand("error.chat/too_long")
    talk.port.chat(argument)


def tiebreak(talk: Talk, _: str) -> None:
    """Call for a draw between differing votes."""
    view = talk.question()[0]
    if view.ask is None or not view.can_call_tiebreak():
        raise UnreadableCommand("wrong.lot")
    talk.port.call_tiebreak(view.ask.ask_id)


def previous(talk: Talk, _: str) -> None:
    """Return to the previous question of several that are answered together."""
    talk.go_back()


def standing(talk: Talk, argument: str) -> None:
    """
    Change or list the answers of this seat that stand.

    Without an argument, pass every time on the kind of the open question; if this changes nothing,
    list what stands, and what else can be passed on. A number of the list takes something back, or
    passes on what else there is. The word of a lapse at the end limits the pass. Where the game
    offers it, `choice 1` makes the first choice of the open question every time, and `own` passes
    on what is another seat's own, `vain` passes wherever nothing that is offered gains anything,
    and `same` wherever nothing has happened since the seat passed on what is offered.
    """
    view = talk.view()
    passes, others = view.standing, passing.offered(view)
    answers = talk.model.answers.get(view.room_id, ())
    first, _, rest = argument.partition(" ")
    for word, one in (("standing_vain", WHERE_VAIN), ("standing_again", WHERE_AGAIN)):
        if talk.is_own_word(first, word) and not rest:
            _pass_where(talk, one)
            return
    if talk.is_own_word(first, "standing_choice") or talk.is_own_word(first, "standing_own"):
        _answer_on(talk, rest)
        return
    number, lapse = _number_and_lapse(talk, argument)
    if number:
        at = place_in(number, len(answers) + len(passes) + len(others)) - len(answers)
        if at < 0 and not lapse:
            one = answers[at]
            talk.model.answers[view.room_id] = tuple(other for other in answers if other != one)
            talk.tell("plain.asked_again", answer_text(talk.speaker, view, one))
            return
        if 0 <= at < len(passes) and not lapse:
            talk.port.set_standing(passing.without_pass(view, passes[at]))
            talk.tell("plain.asked_again", passing.pass_text(talk.speaker, view, passes[at]))
            return
        kinds = (*(one.kind for one in answers), *(StandingPass.read(one).kind for one in passes))
        _pass_on(talk, (*kinds, *others)[at + len(answers)], lapse)
    elif view.ask is not None and view.ask.kind and (lapse or view.ask.kind in others):
        offer = face_of(view.table.room.ruleset).standing
        kind = view.ask.kind if offer is None else offer.covered(view.ask.kind, lapse)
        _pass_on(talk, kind, lapse)
    else:
        _list_passes(talk, passes, others)


def _answer_on(talk: Talk, number: str) -> None:
    """Have a choice of the open question stand, or without a number a pass for what is others'."""
    view, _ = talk.question()
    offer = face_of(view.table.room.ruleset).standing
    game, listing, ask = view.table.game, talk.listing(), view.ask
    if offer is None or game is None or view.seat is None or ask is None or not ask.kind:
        raise UnreadableCommand("standing.none")
    one = StandingAnswer(ask.kind)
    if number and listing is not None:
        choice = listing.choices[place_in(number, len(listing.choices))]
        if not offer.can_repeat(ask.kind, choice):
            raise UnreadableCommand("standing.none")
        one = StandingAnswer(ask.kind, offer.lasting(choice.text))
    elif offer.is_own(game, view.seat) is None:
        raise UnreadableCommand("standing.none")
    answers = talk.model.answers
    answers[view.room_id] = with_answer(answers.get(view.room_id, ()), one)
    talk.tell("plain.now_passes", answer_text(talk.speaker, view, one))


def _pass_where(talk: Talk, one: StandingAnswer) -> None:
    """Have the seat pass wherever nothing offered gains anything, or has been passed on already."""
    view = talk.view()
    offer = face_of(view.table.room.ruleset).standing
    if offer is None or (one == WHERE_VAIN and not offer.vain) or view.seat is None:
        raise UnreadableCommand("standing.none")
    answers = talk.model.answers
    answers[view.room_id] = with_answer(answers.get(view.room_id, ()), one)
    talk.tell("plain.now_passes", answer_text(talk.speaker, view, one))


def _number_and_lapse(talk: Talk, argument: str) -> tuple[str, str]:
    """Split `2 round` into its number and the name of the lapse; either may be missing."""
    number, _, word = argument.rpartition(" ")
    for lapse in lapses_of(talk.view().table.room, talk.view().table.game):
        if folded_words(word) in {folded_words(lapse), folded_words(_lapse_word(talk, lapse))}:
            return number.strip(), lapse
    return argument, ""


def _lapse_word(talk: Talk, lapse: str) -> str:
    """Return the word to type for a lapse; its name where the game has no words for it."""
    key = f"lapse.{lapse}.word"
    return talk.speaker.say(key) if talk.speaker.locale.has(key) else lapse


def _pass_on(talk: Talk, kind: str, lapse: str) -> None:
    view = talk.view()
    passes = passing.with_pass(view, kind, lapse)
    if passes is None or len(StandingPass(kind, lapse).written) > MAX_ID:
        raise UnreadableCommand("passes.most", MAX_KINDS)
    talk.port.set_standing(passes)
    said = passing.pass_text(talk.speaker, view, StandingPass(kind, lapse).written)
    talk.tell("plain.now_passes", said)


def _list_passes(talk: Talk, passes: Sequence[str], others: Sequence[str]) -> None:
    view, word = talk.view(), talk.word("standing")
    answers = talk.model.answers.get(view.room_id, ())
    said = [answer_text(talk.speaker, view, one) for one in answers]
    said += [passing.pass_text(talk.speaker, view, one) for one in passes]
    said += [passing.kind_name(talk.speaker, view, one) for one in others]
    talk.print(f"{at}. {one}" for at, one in enumerate(said, 1))
    standing = len(answers) + len(passes)
    if answers:
        talk.tell("plain.standing_on", standing, word)
    elif passes:
        talk.tell("plain.passes_on", standing, word)
    else:
        talk.tell("plain.passes_on_nothing")
    if others:
        talk.tell("plain.passes_more", standing + 1, word)
    lapses = lapses_of(view.table.room, view.table.game)
    if lapses and said:
        words = ", ".join(_lapse_word(talk, lapse) for lapse in lapses)
        talk.tell("plain.passes_lapse", words)
    if face_of(view.table.room.ruleset).standing is not None:
        names = ("standing", "standing_choice", "standing_own", "standing_vain", "standing_again")
        talk.tell("plain.standing_more", *map(talk.word, names))


def stop(talk: Talk, argument: str) -> None:
    """Switch one stop by the number of its kind of window, set all or none, or list the stops."""
    view = talk.view()
    room = view.table.room
    if not room.settings.stops:
        raise UnreadableCommand("error.table/no_stops")
    stops = talk.model.off_log.stops.get(view.room_id, Stops())
    kinds = passing.kinds_and_groups(room.kinds)
    if not argument:
        talk.print([_stops_said(talk, stops)])
        talk.print([f"{at}. {_kind(talk, kind)}" for at, kind in enumerate(kinds, 1)])
        talk.tell(
            "plain.stops_how", *(talk.word(word) for word in ("reactions", "everywhere", "nowhere"))
        )
        return
    if talk.is_own_word(argument, "everywhere"):
        stops = Stops(stops.kinds, is_everywhere=True)
    elif talk.is_own_word(argument, "nowhere"):
        stops = Stops()
    else:
        kind = kinds[place_in(argument, len(kinds))]
        stops = Stops(tuple(sorted({*stops.kinds} ^ {kind})), stops.is_everywhere)
        if len(stops.kinds) > MAX_KINDS:
            raise UnreadableCommand("passes.most", MAX_KINDS)
    talk.port.set_stops(stops)
    talk.print([_stops_said(talk, stops)])


def _stops_said(talk: Talk, stops: Stops) -> str:
    if stops.is_everywhere:
        return talk.speaker.say("plain.stops_everywhere")
    names = ", ".join(_kind(talk, kind) for kind in stops.kinds)
    return (
        talk.speaker.say("plain.stops_at", names)
        if names
        else talk.speaker.say("plain.stops_nowhere")
    )


def _kind(talk: Talk, kind: str) -> str:
    return passing.kind_name(talk.speaker, talk.view(), kind)


# Proposals ---------------------------------------------------------------------------------


def proposal(talk: Talk, _: str) -> None:
    """Print the proposal and who agrees."""
    view = talk.view()
    proposed = view.table.room.proposal
    if proposed is None:
        raise UnreadableCommand("plain.no_proposal")
    talk.print([in_words(talk.speaker, view.table, proposed)])
    if proposed.consents:
        talk.tell("consent.agreed", talk.speaker.seats(view.table, proposed.consents))
    if absent := talk.model.agrees_for:
        left = talk.watch.absence_left(view.table.room)
        away = talk.speaker.seats(view.table, absent)
        if left is None:
            talk.tell("plain.absent_hint", away)
        else:
            talk.tell("plain.absent_early", away, left.text(talk.speaker))
    elif view.seat is not None and view.seat not in {proposed.by, *proposed.consents}:
        talk.tell("plain.consent_hint")


def back(talk: Talk, argument: str) -> None:
    """List the checkpoints, or propose to return to one."""
    # A halted game can go on in no other way, whatever was settled.
    if not talk.view().table.room.settings.takebacks and not talk.model.is_halted:
        raise UnreadableCommand("error.proposal/no_takebacks")
    points = checkpoints(talk.view())
    if not argument:
        now = talk.speaker.say("propose.now")
        view = talk.view()
        names = [
            now if one.is_now else offered_checkpoint(talk.speaker, view, one) for one in points
        ]
        talk.tell_list(names, "plain.back_hint")
        return
    talk.port.propose_take_back(points[place_in(argument, len(points))].sequence)


def concede(talk: Talk, argument: str) -> None:
    """Propose to give up if the argument confirms this; else explain what giving up means."""
    if not talk.is_word(argument, "agree"):
        talk.tell("plain.concede_how", talk.word("concede"), talk.word("agree"))
        if is_held_up(talk.view().table.room):
            talk.tell("propose.give_up_away")
        return
    talk.port.propose_give_up()


def again(talk: Talk, argument: str) -> None:
    """Play another game, of the named scenario or the same; after the tutorial, a real game.

    A spectator enters the players' next table.
    """
    if argument and not others(talk.model):
        raise UnreadableCommand("wrong.no_other_scenario")
    wanted = (
        others(talk.model)[talk.which_scenario(argument, others(talk.model))].scenario
        if argument
        else ""
    )

    def leave() -> None:
        talk.is_over = True

    play_again(talk.model, talk.port, leave, wanted)


def _next(talk: Talk) -> Sequence[str]:
    """Return the titles of the scenarios that could be played next."""
    return [talk.model.title(line.scenario) for line in others(talk.model)]


def give(talk: Talk, argument: str) -> None:
    """Propose to give a seat to a bot or to somebody else, or list the seats."""
    seats = list(talk.view().table.room.seats.values())
    if not talk.view().is_practice:
        talk.must_act_as_host()
    if not argument:
        talk.tell_list(_seats(talk), "plain.give_hint")
        if talk.view().table.room.is_apart:
            talk.tell("propose.apart")
        return
    # Names of players may have blanks, so `bot` is the last word.
    whose, _, to = argument.rpartition(" ")
    is_bot = bool(whose) and talk.is_word(to, "bot")
    seat = seats[talk.which(whose if is_bot else argument, _seats(talk))].seat
    talk.port.propose_give_seat(seat, to_bot=is_bot)


def _seats(talk: Talk) -> Iterable[str]:
    table = talk.view().table
    return [talk.speaker.seat(table, seat) for seat in table.room.seats]


def agree(talk: Talk, _: str) -> None:
    """Agree to the proposal; if only absent seats are missing, agree in their name."""
    table = talk.view().table
    room, absent = table.room, talk.model.agrees_for
    if room.proposal is not None and absent:
        left = talk.watch.absence_left(room)
        if left is not None:
            away = talk.speaker.seats(table, absent)
            raise UnreadableCommand("plain.absent_early", away, left.text(talk.speaker))
        talk.port.agree_for_absent(room.proposal.proposal_id)
        return
    _consent(talk, is_agreed=True)


def refuse(talk: Talk, _: str) -> None:
    _consent(talk, is_agreed=False)


def _consent(talk: Talk, *, is_agreed: bool) -> None:
    proposed = talk.view().table.room.proposal
    if proposed is None:
        raise UnreadableCommand("plain.no_proposal")
    talk.port.consent(proposed.proposal_id, is_agreed=is_agreed)


def speak(talk: Talk, argument: str) -> None:
    """In a practice game, print the acting seat, or switch to another."""
    view = talk.view()
    if view.seat is None:
        raise UnreadableCommand("wrong.looking_on")
    seats = list(view.table.room.seats)
    if not argument:
        talk.print([speaking_line(talk.speaker, view)])
        talk.tell_list(_seats(talk), "plain.speak_hint")
        return
    view.seat = seats[talk.which(argument, _seats(talk))]
    talk.model.changed()


def resume(talk: Talk, _: str) -> None:
    if not talk.view().table.room.is_paused:
        raise UnreadableCommand("wrong.not_paused")
    talk.port.resume()


_GAME = frozenset({PlayerPlace.GAME})

PROPOSING = (
    Command("say", say, frozenset({PlayerPlace.WAITING, PlayerPlace.GAME}), Takes.WORDS),
    Command("lot", tiebreak, _GAME),
    Command("previous", previous, _GAME, is_there=lambda talk: talk.is_in_row),
    Command("standing", standing, _GAME, Takes.WORDS),
    Command("reactions", stop, _GAME, Takes.WORDS),
    Command("proposal", proposal, _GAME, is_reading=True),
    Command("agree", agree, _GAME),
    Command("refuse", refuse, _GAME),
    Command("back", back, _GAME, Takes.NUMBERS),
    Command("give", give, _GAME, Takes.NAMES, offers=_seats),
    Command("concede", concede, _GAME, Takes.WORDS),
)
"""Commands in the order of help, before the commands of the game."""

RESUMING = (
    Command("resume", resume, _GAME),
    Command(
        "speak",
        speak,
        _GAME,
        Takes.NAMES,
        offers=_seats,
        is_there=lambda talk: talk.model.view is not None and talk.model.view.is_practice,
    ),
    Command(
        "again",
        again,
        _GAME,
        Takes.NAMES,
        offers=_next,
        is_there=lambda talk: (
            talk.model.view is not None and talk.model.view.table.room.stage is Stage.OVER
        ),
    ),
)
