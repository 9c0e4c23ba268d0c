"""The release and operation of Manse: changelog, archives and their checks, container, service."""
