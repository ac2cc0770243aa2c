"""The commands, one module each: read options, call one function, show its result."""
