"""The line in which HammerDB gives the result of a test, on its console and in JSON."""

import re

from parsers.benchmark.measurement_lines import row
from parsers.measurement import PER_MINUTE

# REAL: Vuser 1:TEST RESULT : System achieved 2602 NOPM from 6190 PostgreSQL TPM
RESULT = re.compile(r"System achieved (?P<nopm>[0-9]{1,15}) NOPM from (?P<tpm>[0-9]{1,15}) (?P<database>.+?) TPM\b")
# RECONSTRUCTED: TEST RESULT : System achieved 6190 PostgreSQL TPM at 2602 NOPM
OLD_RESULT = re.compile(r"System achieved (?P<tpm>[0-9]{1,15}) (?P<database>.+?) TPM at (?P<nopm>[0-9]{1,15}) NOPM\b")
# REAL: Vuser 1:10 Active Virtual Users configured
CLIENTS = re.compile(r"(?P<clients>[0-9]{1,9}) Active (?:Virtual Users|Sessions) configured")


def result_in(text: str) -> list[dict[str, object]]:
    """NOPM and TPM of a line with a result; nothing for any other."""
    found = RESULT.search(text) or OLD_RESULT.search(text)
    if found is None:
        return []
    return [row("nopm", PER_MINUTE, float(found["nopm"])), row("tpm", PER_MINUTE, float(found["tpm"]))]
