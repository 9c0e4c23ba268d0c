"""Addresses and networks. Limits count an IPv6 address by its /64 network."""

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def address_of(host: str) -> Address | None:
    """Parse a host as an address, IPv4 within IPv6 as IPv4; None for other text."""
    try:
        # A zone, as in `fe80::1%eth0`, names an interface of this machine.
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def network_of(host: str) -> str:
    """
    Return the unit by which limits count a host: its address, or its /64 network for IPv6.

    A host that is no address stays as it is.
    """
    address = address_of(host)
    if address is None:
        return host
    # One subscriber usually has a whole /64.
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def network_named(text: str) -> Network:
    """
    Parse a network as an operator writes it: an address, with or without a prefix length.

    Raises:
        ValueError: the text is neither form, its address has bits set after the prefix, or it has
            IPv4 written as IPv6, a form that no peer address has after parsing.
    """
    network = ipaddress.ip_network(text)
    if network.version == 6 and network.network_address.ipv4_mapped is not None:
        raise ValueError("write it as IPv4")
    return network


def is_loopback(host: str) -> bool:
    """Return True if only this machine can reach a server that listens on this host."""
    address = address_of(host)
    return host == "localhost" if address is None else address.is_loopback


def is_within(host: str, networks: tuple[Network, ...]) -> bool:
    """Return True if a host is an address in one of these networks."""
    address = address_of(host)
    return address is not None and any(address in network for network in networks)
