"""When the fault was: the lines that bound it, and the time that all bounds leave."""
