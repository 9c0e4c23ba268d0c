"""The command `manse content`: the tools of authors, such as `new`, `check` and `play`."""

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

from commands.parser import Parser, Tools
from commands.speaking import CommandWords
from content.plugs.kind import LoadedPack, kind_of
from content.plugs.packs import bundled
from content.reading.entries import entries_in
from content.reading.files import BASE
from content.reading.gaps import Gap
from content.reading.mistakes import ContentError, ContentErrors, suggestion
from content.reading.remarks import Level, Remark
from protocol.bounds import MAX_SEATS
from protocol.common.visible import visible
from server.authoring import balance, playing, report, starter, stubs, verdict
from server.authoring.bot_brains import USUAL_BRAIN, BotBrains, brains_in
from server.authoring.scripted import play, words_of
from server.authoring.scripts import scripts_of
from server.kernel.game import ruleset_of
from server.packs import sandbox, sources
from server.system.command_line import parser_for
from server.system.game_option import add_game

INTERRUPTED = 130
"""Exit status after Ctrl-C."""
_MOST = 1_000_000
"""Maximum number of games or processes that an option accepts."""


def main(argv: list[str]) -> int:
    """Run one of the tools. Returns 0 without findings, 1 with findings, 130 after Ctrl-C."""
    options = _parser(argv).parse_args(argv)
    try:
        return int(options.run(options))
    except KeyboardInterrupt:
        return INTERRUPTED
    except ContentErrors as errors:
        tell([Remark.of_mistake(error) for error in errors.errors], as_json=options.json)
        return 1


def _parser(argv: Sequence[str]) -> Parser:
    parser = parser_for("content", argv)
    tools = parser.add_tools("TOOL", required=True)
    beginning = tools.add("new")
    beginning.add_argument("folder", metavar="NAME")
    beginning.add_argument("--on", metavar="PACK", default="")
    beginning.set_defaults(run=_new)
    describing = tools.add("schema")
    describing.add_argument("folder", metavar="FOLDER")
    describing.set_defaults(run=_schema)
    for tool in (beginning, describing):
        add_game(tool, is_required=True)
    listing = tools.add("list")
    listing.add_argument("pack", metavar="PACK")
    listing.add_argument("word", metavar="WORD", nargs="?", default="")
    listing.set_defaults(run=_list)
    checking = tools.add("check")
    checking.add_argument("pack", metavar="PACK")
    checking.set_defaults(run=_check)
    wording = tools.add("words")
    wording.add_argument("pack", metavar="PACK")
    wording.add_argument("--check", action="store_true")
    wording.set_defaults(run=_words)
    drawing = tools.add("map")
    drawing.add_argument("scenario", metavar="PACK/SCENARIO")
    drawing.set_defaults(run=_map)
    playing_ = _add_play(tools)
    testing = tools.add("test")
    testing.add_argument("pack", metavar="PACK")
    testing.add_argument("--only", metavar="ID", default="")
    testing.add_argument("--show", action="store_true")
    testing.set_defaults(run=_test)
    balancing = tools.add("balance")
    balancing.add_argument("pack", metavar="PACK")
    balancing.add_argument("--games", metavar="N", type=parser.count(_MOST), default=40)
    balancing.add_argument("--jobs", metavar="N", type=parser.count(_MOST), default=1)
    balancing.add_argument("--bots", metavar="BOTS", type=brains_in(parser.words))
    balancing.set_defaults(run=_balance, bots=BotBrains())
    given = (beginning, describing, listing, checking, wording, drawing, playing_, testing)
    for tool in (*given, balancing):
        tool.add_argument("--json", action="store_true")
        tool.add_language()
        tool.set_defaults(words=parser.words, parser=tool)
    return parser


def _add_play(tools: Tools) -> Parser:
    playing_ = tools.add("play")
    playing_.add_argument("scenario", metavar="PACK/SCENARIO")
    playing_.add_argument("--games", metavar="N", type=playing_.count(_MOST), default=100)
    playing_.add_argument("--players", type=_players(playing_.words), default=None)
    who = playing_.add_mutually_exclusive_group()
    for name, *others in (("sense", "--sensible"), ("random",)):
        who.add_argument(
            *(f"--{name}", *others),
            dest="bots",
            action="store_const",
            const=BotBrains(USUAL_BRAIN if name == "sense" else name),
            help=playing_.word(name),
        )
    who.add_argument(
        *("--bots",), metavar="BOTS", type=brains_in(playing_.words), help=playing_.word("bots")
    )
    playing_.add_argument("--seed", metavar="N", type=int, default=1)
    playing_.add_argument("--jobs", metavar="N", type=playing_.count(_MOST), default=1)
    playing_.set_defaults(run=_play, bots=BotBrains())
    return playing_


def tell(remarks: Sequence[Remark], *, as_json: bool) -> None:
    """
    Print each remark on a line, as JSON or as text.

    The text begins with `file:line:column`, which editors turn into links.
    """
    for remark in remarks:
        shown = json.dumps(attrs.asdict(remark)) if as_json else visible(str(remark))
        sys.stdout.write(f"{shown}\n")


def _players(words: CommandWords) -> Callable[[str], tuple[int, ...]]:
    """Return an argparse type that reads numbers of players, such as `3` or `2-4`, as a tuple."""

    def read(text: str) -> tuple[int, ...]:
        first, dash, last = text.partition("-")
        with contextlib.suppress(ValueError):
            found = tuple(range(int(first), int(last if dash else first) + 1))
            if found and found[0] >= 1 and found[-1] <= MAX_SEATS:
                return found
        raise argparse.ArgumentTypeError(words.say("content.bad_players", text, MAX_SEATS))

    return read


def _new(options: argparse.Namespace) -> int:
    written = starter.begin(options.folder, options.game, options.on)
    if options.json:
        sys.stdout.write(json.dumps({"folder": options.folder, "files": written}) + "\n")
        return 0
    for name in written:
        sys.stdout.write(f"{options.folder}/{name}\n")
    sys.stderr.write(options.words.say("content.new.next", options.folder) + "\n")
    return 0


def _schema(options: argparse.Namespace) -> int:
    folder = Path(options.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in kind_of(options.game).schemas().items():
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        reason = f"cannot be written: {error.strerror or error}"
        raise ContentErrors([ContentError(options.folder, 1, 1, "", reason)]) from error
    return 0


def _list(options: argparse.Namespace) -> int:
    files = _judged(options.pack)
    pack = files.load()
    names = pack.catalogs[options.words.language]
    shipped = bundled(pack.game) / kind_of(pack.game).base
    folder = shipped if sources.game_with(options.pack) else options.pack.rstrip("/")
    for entry in entries_in(files.files):
        name = names.get(entry.id, {}).get("name", "")
        if options.word.casefold() not in f"{entry.id} {name}".casefold():
            continue
        if options.json:
            told = {"id": entry.id, "name": name, "file": entry.file, "line": entry.line}
            sys.stdout.write(json.dumps(told) + "\n")
        else:
            # Authors open the file, to read how a card is made.
            theirs = entry.file.removeprefix(f"{BASE}/")
            where = folder if theirs == entry.file else shipped
            place = f"{where}/{theirs}:{entry.line}"
            sys.stdout.write(visible(f"{place}: {entry.id}  {name}".rstrip()) + "\n")
    return 0


def _check(options: argparse.Namespace) -> int:
    remarks = sandbox.remarks_on(options.pack)
    tell(remarks, as_json=options.json)
    mistakes = sum(remark.level == Level.MISTAKE.value for remark in remarks)
    findings = sum(remark.level == Level.FINDING.value for remark in remarks)
    if not options.json:
        if not mistakes and not findings:
            told = options.words.say("content.check.none")
        elif not findings:
            told = options.words.say("content.check.mend", mistakes)
        else:
            told = options.words.say("content.check.mend_and_look", mistakes, findings)
        sys.stderr.write(told + "\n")
    return 1 if mistakes or findings else 0


def _words(options: argparse.Namespace) -> int:
    done = stubs.write(options.pack, is_dry=options.check)
    if options.json:
        told = {"missing": [attrs.asdict(gap) for gap in done.gaps], "files": list(done.files)}
        sys.stdout.write(json.dumps(told) + "\n")
    elif options.check:
        sys.stdout.writelines(f"{visible(line)}\n" for line in stubs.lines(done.gaps))
    else:
        sys.stdout.writelines(f"{options.pack.rstrip('/')}/{name}\n" for name in done.files)
        sys.stdout.writelines(f"{visible(line)}\n" for line in stubs.lines(done.left))
    if not options.json:
        if not done.gaps:
            told_all = options.words.say("content.words.none")
        elif options.check:
            told_all = options.words.say("content.words.missing", len(done.gaps))
        else:
            counts = len(done.gaps) - len(done.left), len(done.left)
            told_all = options.words.say("content.words.written", *counts)
        sys.stderr.write(told_all + "\n")
    return 1 if (done.gaps if options.check else done.left) else 0


@attrs.frozen
class Opened:
    """A scenario to draw or play, from a pack that passed the sandbox."""

    pack: LoadedPack
    scenario: str
    files: sources.PackFiles
    gaps: tuple[Gap, ...]
    """Words that the pack lacks; players see the subjects instead."""

    def tell_gaps(self, words: CommandWords) -> None:
        """Print the number of missing words to standard error, if there are any."""
        if self.gaps:
            sys.stderr.write(words.say("content.words.missing", len(self.gaps)) + "\n")


def opened(name: str) -> Opened:
    """
    Return the scenario that `PACK/SCENARIO` names.

    Raises:
        ContentErrors: the pack cannot be used, even with stubs for missing words.
    """
    pack_name, short = sources.split(name)
    files, gaps = drafted(pack_name)
    pack = files.load()
    return Opened(pack, sources.scenario_of(pack, short), files, gaps)


def drafted(name: str) -> tuple[sources.PackFiles, tuple[Gap, ...]]:
    """
    Return the files of a pack with stubs for its missing words, and the gaps.

    Raises:
        ContentErrors: the pack has other mistakes.
    """
    try:
        return _judged(name), ()
    except ContentErrors:
        return sandbox.draft(name)


def _players_of(pack: LoadedPack, scenario: str, options: argparse.Namespace) -> range:
    """
    Return the numbers of players that a scenario allows.

    If `--bots` names a role that the scenario lacks, exit with status 2.
    """
    content = kind_of(pack.game).content(pack, scenario)
    roster = ruleset_of(pack.game).roster(content)
    roles = [role.name for role in roster.roles]
    if (stranger := options.bots.stranger(roles)) is not None:
        said = options.words.say("content.no_role", scenario, stranger, ", ".join(roles))
        options.parser.error(said)
    return range(roster.fewest, roster.most + 1)


def _judged(name: str) -> sources.PackFiles:
    """
    Return the files of a pack that is bundled, or else has passed the sandbox.

    Raises:
        ContentErrors: the pack has mistakes.
    """
    # A pack that is bundled needs no sandbox: it came with the code.
    is_ours = sources.game_with(name) is not None
    return sources.find(name) if is_ours else sandbox.judged(name)


def _play(options: argparse.Namespace) -> int:
    named = opened(options.scenario)
    pack, scenario = named.pack, named.scenario
    named.tell_gaps(options.words)
    # Numbers that the scenario does not take are left out; it is a mistake if none is left.
    allowed = _players_of(pack, scenario, options)
    order = playing.Order(
        named.files,
        scenario,
        options.games,
        tuple(n for n in options.players or allowed if n in allowed),
        options.bots,
        options.seed,
        options.jobs,
    )
    if not order.players:
        reason = f"is for {allowed[0]} to {allowed[-1]} players"
        raise ContentErrors([ContentError(scenario, 1, 1, "", reason)])
    trial = playing.trial_of(pack, scenario)
    played, is_whole = playing.run(order, trial)
    found = report.report(scenario, str(order.bots), trial.marked.everything, played)
    if options.json:
        told = {**report.as_json(found), "missing_words": len(named.gaps)}
        sys.stdout.write(json.dumps(told) + "\n")
    else:
        sys.stdout.writelines(f"{visible(line)}\n" for line in report.lines(found))
    if not is_whole:
        return INTERRUPTED
    return 1 if found.faults else 0


def _test(options: argparse.Namespace) -> int:
    files, gaps = drafted(options.pack)
    pack = files.load()
    written = scripts_of(options.pack, kind_of(pack.game).dice)
    chosen = [script for script in written if options.only in {"", script.id}]
    if not chosen:
        advice = suggestion(options.only, [script.id for script in written])
        reason = f"no play is called {options.only[:60]!r}; {advice}"
        raise ContentErrors([ContentError(options.pack, 1, 1, "", reason)])
    words, failed = words_of(pack), 0
    if gaps:
        sys.stderr.write(options.words.say("content.words.missing", len(gaps)) + "\n")
    for script in chosen:
        result = play(pack, sources.scenario_of(pack, script.scenario), script, words)
        failed += bool(result.faults)
        if options.json:
            sys.stdout.write(json.dumps(verdict.as_json(result)) + "\n")
        else:
            told = verdict.lines(result, is_whole=options.show)
            sys.stdout.writelines(f"{visible(line)}\n" for line in told)
    if not options.json:
        told_all = options.words.say("content.test.done", len(chosen), failed)
        sys.stderr.write(told_all + "\n")
    return 1 if failed else 0


def _balance(options: argparse.Namespace) -> int:
    pack = _judged(options.pack).load()
    reports = []
    for scenario in (entry.id for entry in kind_of(pack.game).scenarios(pack)):
        sys.stderr.write(f"{scenario}\n")
        players = tuple(_players_of(pack, scenario, options))
        order = playing.Order(
            sources.find(options.pack),
            scenario,
            # `--games` counts for each number of players.
            options.games * len(players),
            players,
            options.bots,
            1,
            options.jobs,
        )
        trial = playing.trial_of(pack, scenario)
        played, is_whole = playing.run(order, trial)
        if not is_whole:
            return INTERRUPTED
        reports.append(report.report(scenario, str(order.bots), trial.marked.everything, played))
    bounds = kind_of(pack.game).bounds
    command = f"manse content balance {options.pack} --games {options.games}"
    command += "" if options.bots == BotBrains() else f" --bots {options.bots}"
    if options.json:
        found = [report.as_json(each) for each in reports]
        sys.stdout.write(json.dumps(found) + "\n")
    else:
        sys.stdout.writelines(
            f"{visible(line)}\n" for line in balance.page(pack, reports, bounds, command)
        )
    is_well = all(balance.is_balanced(each, bounds) and not each.faults for each in reports)
    return 0 if is_well else 1


def _map(options: argparse.Namespace) -> int:
    named = opened(options.scenario)
    pack, scenario = named.pack, named.scenario
    named.tell_gaps(options.words)
    if options.json:
        drawn = kind_of(pack.game).map_as_json(pack, scenario, options.words.language)
        drawn["missing_words"] = len(named.gaps)
        sys.stdout.write(json.dumps(drawn) + "\n")
        return 0
    for lines in kind_of(pack.game).map_lines(pack, scenario, options.words.language):
        sys.stdout.writelines(f"{visible(line)}\n" for line in ("", *lines))
    return 0
