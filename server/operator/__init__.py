"""`manse admin`: command line, screen and words for the operator of a server."""
