"""Forgers make plausible logs that never happened, with new commitments, chain and signature.

Each changes a valid file and returns the sequence of the first record that a verifier must refuse.
It returns None if the rules of all logs cannot tell the file from an honest one, or if there was
nothing to forge.
"""

import copy
import hashlib
import random
from collections.abc import Callable

from protocol import codec
from tests.verifying.files import File, Line, listed, tupled

Forger = Callable[[random.Random, File], None]
FORGERS: dict[str, Forger] = {}
DRAWS = ("rolled", "picked", "shuffled")


def forger(function: Forger) -> Forger:
    """Register a forger under the name of its function."""
    FORGERS[function.__name__] = function
    return function


def forged(rng: random.Random, file: File, name: str) -> bytes:
    """Return the file that a forger makes. Raises LookupError if it finds nothing to forge."""
    FORGERS[name](rng, file)
    return file.renumbered().committed_anew().sealed()


def _line(rng: random.Random, file: File, *tags: str) -> Line:
    return file.lines[rng.choice(file.of(*tags))]


def _slot_of(file: File, line: Line, name: str) -> int:
    """Return the index of a public field, in the version of the record."""
    tag = line.tag
    is_old = tag in DRAWS
    names = {
        "rolled": ("stream", "number", "purpose", "sides", "faces"),
        "picked": ("stream", "number", "purpose", "bound", "result"),
        "shuffled": ("stream", "number", "purpose", "pile", "handles", "knowers"),
    }[tag.split("/")[0]]
    at = names.index(name)
    # An old draw begins with its number, and says then whether it is the setup's.
    return {0: 1, 1: 0}.get(at, at) if is_old else at


def _put_opened(line: Line, slot: int, value: object) -> None:
    opening = next(opening for at, opening in line.openings if at == slot)
    opening[1] = codec.pack(tupled(value))


def _opened(line: Line, slot: int) -> list[str]:
    opening = next(opening for at, opening in line.openings if at == slot)
    return list(listed(codec.unpack(opening[1])))


# The room and its seats


@forger
def a_seat_is_taken_twice(rng: random.Random, file: File) -> None:
    at = rng.choice(file.of("seat_taken"))
    again = copy.deepcopy(file.lines[at])
    again.fields[2] = rng.randbytes(32)
    file.lines.insert(at + 1, again)


@forger
def somebody_leaves_who_is_not_there(rng: random.Random, file: File) -> None:
    at = file.of("seat_taken")[-1] + 1
    time = file.lines[at - 1].public[1]
    file.lines.insert(at, Line([0, time, 7, "seat_left", [7], []], []))


@forger
def the_room_is_opened_again(rng: random.Random, file: File) -> None:
    again = copy.deepcopy(file.lines[0])
    at = rng.randrange(1, len(file.lines))
    again.public[1] = file.lines[at - 1].public[1]
    file.lines.insert(at, again)


@forger
def another_room_is_opened(rng: random.Random, file: File) -> None:
    file.lines[0].fields[0] = rng.randbytes(4).hex()


@forger
def others_play(rng: random.Random, file: File) -> None:
    """The start names players, roles or characters that the seats have not claimed."""
    players = _line(rng, file, "game_started/3").fields[0]
    how = rng.randrange(4)
    if how == 0:
        players.append([6, "keeper", []])
    elif how == 1:
        players[0][2] = ["somebody"]
    elif how == 2:
        players[0][1] = "keeper"
    else:
        del players[0]


# The ceremony


@forger
def a_share_is_exchanged(rng: random.Random, file: File) -> None:
    _line(rng, file, "share_opened/2").fields[1] = rng.randbytes(32)


@forger
def a_share_and_its_commitment_are_exchanged(rng: random.Random, file: File) -> None:
    opened = _line(rng, file, "share_opened/2")
    share = rng.randbytes(32)
    for at in file.of("share_committed"):
        if file.lines[at].fields[0] == opened.fields[0]:
            file.lines[at].fields[1] = hashlib.sha256(share).digest()
    opened.fields[1] = share


@forger
def a_share_comes_before_all_are_bound(rng: random.Random, file: File) -> None:
    opened, bound = rng.choice(file.of("share_opened/2")), rng.choice(file.of("share_committed"))
    line = file.lines.pop(opened)
    line.public[1] = file.lines[bound].public[1]
    file.lines.insert(bound, line)


@forger
def a_seat_binds_itself_twice(rng: random.Random, file: File) -> None:
    at = rng.choice(file.of("share_committed"))
    file.lines.insert(at, copy.deepcopy(file.lines[at]))


@forger
def a_share_is_missing(rng: random.Random, file: File) -> None:
    del file.lines[rng.choice(file.of("share_opened/2"))]


@forger
def seeds_come_without_a_start(rng: random.Random, file: File) -> None:
    at = rng.randrange(1, len(file.lines))
    again = copy.deepcopy(_line(rng, file, "seeds_committed"))
    again.public[1] = file.lines[at - 1].public[1]
    file.lines.insert(at, again)


@forger
def a_seed_is_exchanged(rng: random.Random, file: File) -> None:
    line = _line(rng, file, "seeds_committed")
    _put_opened(line, rng.choice(line.openings)[0], rng.randbytes(32))


@forger
def a_seed_is_short(rng: random.Random, file: File) -> None:
    """A seed of a few bytes can be tried out."""
    line = _line(rng, file, "seeds_committed")
    _put_opened(line, rng.choice(line.openings)[0], rng.randbytes(4))


# Chance


@forger
def a_number_is_used_twice(rng: random.Random, file: File) -> None:
    line = _line(rng, file, *DRAWS)
    at = _slot_of(file, line, "number")
    line.fields[at] = max(0, line.fields[at] + rng.choice([-1, 1]))


@forger
def a_draw_is_left_out(rng: random.Random, file: File) -> None:
    del file.lines[rng.choice(file.of(*DRAWS))]


@forger
def a_draw_comes_twice(rng: random.Random, file: File) -> None:
    at = rng.choice(file.of(*DRAWS))
    file.lines.insert(at, copy.deepcopy(file.lines[at]))


@forger
def dice_are_turned(rng: random.Random, file: File) -> None:
    line = _line(rng, file, "rolled")
    faces = line.fields[_slot_of(file, line, "faces")]
    faces[rng.randrange(len(faces))] = rng.randrange(-1, 9)


@forger
def another_result_is_picked(rng: random.Random, file: File) -> None:
    line = _line(rng, file, "picked")
    line.fields[_slot_of(file, line, rng.choice(["bound", "result"]))] += rng.choice([-1, 1])


@forger
def dice_have_other_sides(rng: random.Random, file: File) -> None:
    line = _line(rng, file, "rolled")
    line.fields[_slot_of(file, line, "sides")] = rng.choice([0, -1, 7, 1 << 32, (1 << 32) + 1])


@forger
def another_purpose_is_told(rng: random.Random, file: File) -> None:
    """A server could choose the purpose whose outcome it likes."""
    line = _line(rng, file, *DRAWS)
    line.fields[_slot_of(file, line, "purpose")] += rng.choice(["x", " ", "2"])


@forger
def another_stream_is_told(rng: random.Random, file: File) -> None:
    line = _line(rng, file, *DRAWS)
    at = _slot_of(file, line, "stream")
    old = line.fields[at]
    line.fields[at] = (not old) if isinstance(old, bool) else rng.choice(["setup", "deal", "play"])


@forger
def a_deck_is_stacked(rng: random.Random, file: File) -> None:
    line = _line(rng, file, "shuffled")
    order = _opened(line, 0)
    rng.shuffle(order)
    _put_opened(line, 0, order)


@forger
def a_deck_holds_equal_cards(rng: random.Random, file: File) -> None:
    """Any order of equal cards agrees with chance."""
    line = _line(rng, file, "shuffled")
    order = _opened(line, 0)
    _put_opened(line, 0, [rng.choice(order)] * len(order))


@forger
def a_pile_has_more_handles_than_cards(rng: random.Random, file: File) -> None:
    line = _line(rng, file, "shuffled")
    line.fields[_slot_of(file, line, "handles")].append(rng.randbytes(8).hex())


@forger
def a_handle_stands_twice(rng: random.Random, file: File) -> None:
    line = _line(rng, file, "shuffled")
    handles = line.fields[_slot_of(file, line, "handles")]
    handles[0] = rng.choice(handles)


@forger
def a_handle_is_that_of_another_pile(rng: random.Random, file: File) -> None:
    first, other = (file.lines[at] for at in sorted(rng.sample(file.of("shuffled"), 2)))
    handles = first.fields[_slot_of(file, first, "handles")]
    other.fields[_slot_of(file, other, "handles")][0] = rng.choice(handles)


@forger
def somebody_knows_an_order(rng: random.Random, file: File) -> None:
    line = _line(rng, file, "shuffled")
    line.public[5][0][0] = [0]


# Secrets, times, the end


@forger
def a_salt_is_short(rng: random.Random, file: File) -> None:
    """A short salt can be found by trial."""
    lines = [line for line in file.lines if line.openings]
    opening = rng.choice(rng.choice(lines).openings)[1]
    opening[0] = opening[0][: rng.choice([0, 1, 31])]


@forger
def a_secret_is_hidden(rng: random.Random, file: File) -> None:
    lines = [line for line in file.lines if line.openings]
    line = rng.choice(lines)
    del line.openings[rng.randrange(len(line.openings))]


@forger
def openings_change_places(rng: random.Random, file: File) -> None:
    rng.choice([line for line in file.lines if len(line.openings) > 1]).openings.reverse()


@forger
def time_runs_back(rng: random.Random, file: File) -> None:
    at = rng.randrange(1, len(file.lines))
    file.lines[at].public[1] = file.lines[at - 1].public[1] - rng.choice([1, 1000, 1 << 60])


@forger
def what_follows_comes_later(rng: random.Random, file: File) -> None:
    """A record that follows from an input has a later time than the input."""
    following = [line for line in file.lines if line.public[2] == -1]
    rng.choice(following).public[1] += 1


@forger
def another_origin_is_told(rng: random.Random, file: File) -> None:
    line = rng.choice(file.lines)
    line.public[2] = rng.choice([0, -2, -3]) if line.public[2] == -1 else -1


@forger
def other_seeds_are_opened(rng: random.Random, file: File) -> None:
    """The end opens wrong seeds, or not all seeds."""
    seeds = _line(rng, file, "room_closed").fields[0]
    how = rng.randrange(5)
    if how == 0:
        seeds.reverse()
    elif how == 1:
        del seeds[0]
    elif how == 2:
        seeds.append(copy.deepcopy(seeds[0]))
    elif how == 3:
        seeds[0][3] = codec.pack(rng.randbytes(32))
    else:
        seeds[0][rng.randrange(2)] += rng.choice([-1, 1, 1000])


@forger
def something_follows_the_end(rng: random.Random, file: File) -> None:
    [end] = file.of("room_closed")
    again = copy.deepcopy(rng.choice(file.lines[:end]))
    again.public[1] = file.lines[-1].public[1]
    file.lines.append(again)


@forger
def a_whole_log_is_not_finished(rng: random.Random, file: File) -> None:
    """A log that ends too early claims to be whole."""
    [end] = file.of("room_closed")
    del file.lines[rng.randrange(1, end + 1) :]


@forger
def the_header_lies(rng: random.Random, file: File) -> None:
    """The header claims another kind of file, another seat, or another number of records."""
    how = rng.randrange(3)
    if how == 0:
        file.header[2] = not file.header[2]
    elif how == 1:
        file.header[3] = rng.choice([-2, -1, 0, 1, 5])
    else:
        file.header[4] = rng.choice([-1, 1, 60])
