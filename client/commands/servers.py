"""Options that name the server of a command."""

import argparse

from client.keyring.identity import home_folder
from client.locale import load
from client.model.remembered import recall
from client.text.printable import printable
from commands.parser import Parser
from protocol.invitation import Address, UnreadableInvitation, parse_address
from protocol.keys import Unreadable, UnreadableFingerprint, parse_fingerprint


def add_server(parser: Parser) -> None:
    """Add the options that name a server."""

    def read(text: str) -> bytes:
        try:
            return parse_fingerprint(text)
        except UnreadableFingerprint as error:
            raise argparse.ArgumentTypeError(unreadable(parser, error)) from error

    parser.add_argument("--server", metavar="HOST:PORT")
    parser.add_argument("--fingerprint", type=read)


def unreadable(parser: Parser, error: Unreadable) -> str:
    """Return a message about an unreadable text, safe for a terminal."""
    return printable(load(parser.words.language).unreadable(error))


def server_named(parser: Parser, options: argparse.Namespace) -> Address:
    """Return the server that the options name, else the last server used, else this machine."""
    try:
        if options.server:
            return parse_address(options.server)
    except UnreadableInvitation as error:
        parser.error(unreadable(parser, error))
    try:
        return parse_address(recall(home_folder()).server)
    except UnreadableInvitation:
        return Address("127.0.0.1")
