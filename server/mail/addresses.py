"""Addresses: which of them mail can be sent to."""

import re

from protocol.bounds import MAX_MAIL_ADDRESS

_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"({_LOCAL})@({_LABEL}(?:\.{_LABEL})+)")
_MAX_LOCAL = 64


def is_address(text: str) -> bool:
    """
    Return True if this is an address as in RFC 5321: a dot-atom at a domain, in ASCII.

    Quoted names, literal addresses and comments are refused: no part of an address can end a header
    or stand for a second address.
    """
    found = _ADDRESS.fullmatch(text) if len(text) <= MAX_MAIL_ADDRESS else None
    return found is not None and len(found[1]) <= _MAX_LOCAL


def canonical(address: str) -> str:
    """
    Return the inbox of an address, for limits: lower case, without a sub-address (`ada+x@`).

    At a provider where `+` has no meaning, two people may share these limits.
    """
    local, _, domain = address.rpartition("@")
    # The first letter stays, so that nothing is left empty.
    inbox = local[:1] + local[1:].partition("+")[0]
    return f"{inbox.lower()}@{domain.lower()}"
