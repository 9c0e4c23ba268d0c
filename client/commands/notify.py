"""
The command `manse notify`: checks at intervals which tables await the player, and reports them.

The command is a small process without a screen; `client.commands.notifier` does the work.
"""

import secrets
import sys
from typing import Final

from client.commands.options import STATUS_USAGE, locale_of, parser_for
from client.commands.servers import add_server, server_named
from client.keyring.identity import (
    KNOWN_FILE,
    IdentityProblem,
    KnownServers,
    ServerTrust,
    home_folder,
    load_player_key,
)
from client.model.remembered import recall
from client.settings import config
from client.settings.preferences import Preferences
from client.terminal.console import tell
from commands.toml_files import BadConfig
from protocol.keys import SEED_BYTES, SigningKey

LEAST_SECONDS: Final = 30
USUAL_SECONDS: Final = 120
MOST_SECONDS: Final = 86_400
STATUS_FAILED: Final = 1
_NOBODY: Final = "Player"
"""Name of a player who never chose a name; no table sees this name."""


def main(argv: list[str]) -> int:
    """Notify the player, or change the mail settings.

    Returns:
        0; 1 after a failure; 2 for an invalid command line or file; 130 after Ctrl-C.
    """
    parser = parser_for("notify", argv)
    parser.add_argument("--once", action="store_true")
    seconds = parser.count(MOST_SECONDS)
    parser.add_argument("--every", metavar="SECONDS", type=seconds, default=USUAL_SECONDS)
    parser.add_argument("--mail", metavar="ADDRESS")
    parser.add_argument("--code", metavar="CODE")
    parser.add_argument("--no-mail", action="store_true")
    parser.add_argument("--stop-mail", metavar="CODE")
    parser.add_argument("--json", action="store_true")
    add_server(parser)
    parser.add_language()
    options = parser.parse_args(argv)
    chosen = (options.once, options.mail, options.code, options.no_mail, options.stop_mail)
    if sum(one is not None and one is not False for one in chosen) > 1:
        parser.error(parser.word("one"))
    try:
        prefs = config.read(config.config_path())
    except BadConfig as problem:
        words = locale_of(options, Preferences())
        tell(f"{parser.prog}: {problem.in_words(words)}", sys.stderr)
        return STATUS_USAGE
    address, locale = server_named(parser, options), locale_of(options, prefs)
    try:
        if options.stop_mail is not None:
            # Mails can be ended with their code, by any key.
            key = SigningKey.from_seed(secrets.token_bytes(SEED_BYTES))
        else:
            key = load_player_key(home_folder(), secrets.token_bytes, locale.say)
    except IdentityProblem as problem:
        tell(f"{parser.prog}: {problem}", sys.stderr)
        return STATUS_FAILED
    from client.commands import notifier  # noqa: PLC0415 (so that --help is quick)

    folder = home_folder()
    known = KnownServers(folder / KNOWN_FILE, locale.say)
    server = notifier.Server(
        address,
        ServerTrust(known, address, options.fingerprint),
        key,
        prefs.name or recall(folder).name or _NOBODY,
        locale,
    )
    every = max(LEAST_SECONDS, options.every)
    return notifier.live(
        notifier.Notifier(server, prefs, folder, is_json=options.json), options, every
    )
