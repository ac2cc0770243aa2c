"""iostat, vmstat, sar, mpstat and sadf, of any system."""
