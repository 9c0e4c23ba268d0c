"""Addresses, and the network that each counts as: for IPv6 a /64."""

import ipaddress

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def address_of(host: str) -> Address | None:
    """Parse a host as an address, IPv4 within IPv6 as IPv4. None if it is no address."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def network_of(host: str) -> str:
    """Return the unit by which limits count: the address itself, or its /64 network for IPv6."""
    address = address_of(host)
    if address is None:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def network_named(text: str) -> Network:
    """
    Read a network as an operator writes it: an address, or one and the length of its prefix.

    Raises:
        ValueError: it is neither, an address within the network instead of its first one, or IPv4
            written as IPv6, which no address here ever is.
    """
    network = ipaddress.ip_network(text)
    if network.version == 6 and network.network_address.ipv4_mapped is not None:
        raise ValueError("write it as IPv4")
    return network


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host to listen on."""
    address = address_of(host)
    return host == "localhost" if address is None else address.is_loopback


def is_within(host: str, networks: tuple[Network, ...]) -> bool:
    """Whether a host is an address of one of these networks."""
    address = address_of(host)
    return address is not None and any(address in network for network in networks)
