"""Lines of db2logscan and hadrCalculator.pl that several tests read."""

# REAL: found_db2logscan_rate_V10.1.txt, found_hadrcalculator_wan.txt
HEAD = ["This machine is small endian.", 'Environment variable TZ is "US/Pacific".']
INTERVAL = (
    "2013-02-26 15:32:09  7.307 MB/s, 60 sec,  17.6 pg/f, 0.009435 sec/f,  15.9 pg/tr, 0.186589 sec/tr, "
    "0.008580 sec/cmt, nOpenTrans  22.7"
)
SYNC = (
    "SYNC       ???   5.484 MB/s@ 360 pg/f 0.257087 s/f, min   0.627 MB/s@  17 pg/f 0.109563 s/f, "
    "max   5.484 MB/s@ 360 pg/f 0.257087 s/f"
)
CALCULATOR = [
    "hadrCalculator.pl: Network speed 10 MB/s, .1 second round trip time",
    "hadrCalculator.pl: Disk speed 200 MB/s, .001 second overhead per write",
]
GAP = "WARNING: Non-continuous extent number. Context cleared."
CATCHUP = "REMOTE CATCHUP      10.000 MB/s@  16 pg/f 0.006250 s/f"
