"""Reports and acts for the operator of a running server, over a local socket."""
