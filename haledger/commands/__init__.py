"""One module per family of commands: read options, call one function, show its result."""
