"""Tables of disks, processors and log writes."""
