"""Damage to a file: bytes flipped, lines lost and doubled, numbers at limits, marks of encodings, odd dates."""

import re
from collections.abc import Callable
from random import Random

NUMBER = re.compile(rb"[0-9]+(?:\.[0-9]+)?")
WORD = re.compile(rb"[A-Za-z_]{2,}")
ZONE = re.compile(rb"[+-][0-9]{2}:?[0-9]{2}\b|\bUTC\b|\bGMT\b|\bC[ES]+T\b|\bEST\b|\bPDT\b|Z\b")
DATE = re.compile(
    rb"[0-9]{2,4}[-/.][0-9]{2}[-/.][0-9]{2,4}|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +[0-9]{1,2}"
)

NUMBERS = (
    *b"0 -0 -1 01 007 1e999 1e-999 1e308 1e29".split(),
    *(b"9" * 25, b"9" * 400, b"0." + b"0" * 400 + b"1"),
    *b"2147483647 2147483648 -2147483649 4294967296 9223372036854775807 9223372036854775808".split(),
    *b"18446744073709551616 NaN nan inf -Infinity 1_000 1,5 1. .5 +5 0x1F 1e5".split(),
    *"٣ １２ ²".encode().split(),
    *(b"", b"1 2", b"--1", b"65536", b"32768", b"128", b"99999"),
)
ZONES = tuple(b"+14:00 -14:00 +99:99 -00:00 +2400 Z XYZ +1e9 UTC+5 +15:59 -12:01 Europe/Paris".split())
DATES = (
    *b"0001-01-01 0000-00-00 9999-12-31 99999-01-01 2023-02-30 1582-10-10 1970-01-01 12/31/69 31.12.9999".split(),
    *(b"Feb 30", b"Feb 29", b"Dec 99", b"Jan  0"),
    *b"00/00/00 2038-01-19 0001/01/01 9999/12/31".split(),
)
PIECES = (
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf\xef\xbb\xbf", b"\xe2\x80\xa8"),  # marks of encodings
    *(b"\0", b"\0" * 20, b"\r", b"\x1b[2J", b"\x1a", b"\xc2\xa0", b"\xff", b"\xed\xa0\x80"),
    *b"""{ } [ ] " ' < > </ <!-- ]]> &amp; \\ \\u0000 \\ud800 %s""".split(),
    *(b"\t", b" " * 300, b"=" * 300, b"(" * 50, b"\n\n\n", b"\n"),
    *b':: ;;; ,,, | # null true [] {} "" - ...'.split(),
    *(b"last message repeated 99999999999 times\n", b"last message repeated 0 times\n"),
)

Mutation = Callable[[bytes, Random], bytes]


def mutated(content: bytes, random: Random) -> bytes:
    """The file after one to four damages."""
    for _ in range(random.choice((1, 1, 2, 3, 4))):
        content = random.choice(MUTATIONS)(content, random)
    return content[:100_000]


def _at(content: bytes, random: Random) -> int:
    """A place in the file, in its first lines more often than anywhere else."""
    return random.randrange(len(content) + 1) if random.random() < 0.6 else random.randrange(min(len(content), 400) + 1)


def _flipped(content: bytes, random: Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(random.choice((1, 1, 5, 50)) if damaged else 0):
        damaged[random.randrange(len(damaged))] ^= 1 << random.randrange(8)
    return bytes(damaged)


def _inserted(content: bytes, random: Random) -> bytes:
    at = _at(content, random)
    return content[:at] + random.choice(PIECES) + content[at:]


def _begun(content: bytes, random: Random) -> bytes:
    return random.choice(PIECES) * random.choice((1, 1, 2, 3)) + content


def _truncated(content: bytes, random: Random) -> bytes:
    return content[: _at(content, random)]


def _beheaded(content: bytes, random: Random) -> bytes:
    return content[_at(content, random) :]


def _cut_out(content: bytes, random: Random) -> bytes:
    first, last = sorted((_at(content, random), _at(content, random)))
    return content[:first] + content[last:]


def _of_lines(change: Callable[[list[bytes], Random], list[bytes]]) -> Mutation:
    def mutation(content: bytes, random: Random) -> bytes:
        lines = content.splitlines(keepends=True)
        return b"".join(change(lines, random)) if lines else content

    return mutation


def _doubled(lines: list[bytes], random: Random) -> list[bytes]:
    at = random.randrange(len(lines))
    return (
        lines[: at + 1] * random.choice((2, 3)) + lines[at:]
        if random.random() < 0.2
        else [*lines[:at], *[lines[at]] * random.choice((2, 3, 40)), *lines[at:]]
    )


def _lost(lines: list[bytes], random: Random) -> list[bytes]:
    at = random.randrange(len(lines))
    return lines[:at] + lines[at + random.choice((1, 1, 2, 10)) :]


def _swapped(lines: list[bytes], random: Random) -> list[bytes]:
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def _shuffled(lines: list[bytes], random: Random) -> list[bytes]:
    random.shuffle(lines)
    return lines


def _shortened(lines: list[bytes], random: Random) -> list[bytes]:
    at = random.randrange(len(lines))
    lines[at] = lines[at][: random.randrange(len(lines[at]) + 1)] + b"\n"
    return lines


def _joined(lines: list[bytes], random: Random) -> list[bytes]:
    at = random.randrange(len(lines))
    lines[at] = lines[at].rstrip(b"\r\n")
    return lines


def _reversed(lines: list[bytes], _: Random) -> list[bytes]:
    return lines[::-1]


def _indented(lines: list[bytes], random: Random) -> list[bytes]:
    mark = random.choice((b" ", b"\t", b"> ", b"| ", b"# ", b"host1: "))
    return [mark + line for line in lines]


def _of_cells(lines: list[bytes], random: Random) -> list[bytes]:
    at = random.randrange(len(lines))
    cells = lines[at].split(separator := random.choice((b" ", b",", b"\t", b";", b"=", b":", b"|")))
    place = random.randrange(len(cells))
    cells[place : place + 1] = random.choice(([], [cells[place]] * 2, [b""], [cells[0]], [b"x" * 2000]))
    lines[at] = separator.join(cells)
    return lines


def _replacing(pattern: re.Pattern[bytes], others: tuple[bytes, ...]) -> Mutation:
    def mutation(content: bytes, random: Random) -> bytes:
        found = list(pattern.finditer(content))
        for each in sorted(
            random.sample(found, min(len(found), random.choice((1, 1, 3, 20)))), key=_start, reverse=True
        ):
            content = content[: each.start()] + random.choice(others) + content[each.end() :]
        return content

    return mutation


def _start(found: re.Match[bytes]) -> int:
    return found.start()


def _other_words(content: bytes, random: Random) -> bytes:
    words = [each[0] for each in WORD.finditer(content)]
    return _replacing(WORD, tuple({*random.sample(words, min(20, len(words))), b"x", b""}))(content, random)


def _encoded(content: bytes, random: Random) -> bytes:
    text = content.decode("utf-8", "replace")
    return text.encode(random.choice(("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-32")))


def _ended_otherwise(content: bytes, random: Random) -> bytes:
    return content.replace(b"\n", random.choice((b"\r\n", b"\r", b"\r\r\n", b"\n\n", b" \n", b"\0\n")))


def _torn(content: bytes, random: Random) -> bytes:
    """With the beginning, or the end, of a character of several bytes."""
    character, at = random.choice(("é", "€", "日", "𝄞")).encode(), _at(content, random)
    cut = random.randrange(1, len(character))
    return content[:at] + random.choice((character[:cut], character[cut:])) + content[at:]


def _negated(content: bytes, random: Random) -> bytes:
    """With the sign of some numbers, times among them, turned."""
    found = list(NUMBER.finditer(content))
    for each in sorted(random.sample(found, min(len(found), random.choice((1, 3, 20)))), key=_start, reverse=True):
        content = content[: each.start()] + b"-" + content[each.start() :]
    return content


def _repeated(lines: list[bytes], random: Random) -> list[bytes]:
    """A block of lines comes several times."""
    first, last = sorted((random.randrange(len(lines) + 1), random.randrange(len(lines) + 1)))
    return lines[:last] + lines[first:last] * random.choice((1, 2, 30)) + lines[last:]


def crossed(content: bytes, other: bytes, random: Random) -> bytes:
    """A file that goes on, at some place, as another one."""
    return content[: _at(content, random)] + other[_at(other, random) :]


OF_BYTES = (_flipped, _inserted, _inserted, _begun, _truncated, _beheaded, _cut_out)
OF_TEXT = (_other_words, _encoded, _ended_otherwise, _torn, _negated)
OF_ORDER = (_doubled, _lost, _swapped, _shuffled, _shortened, _joined, _reversed)
OF_CONTENT = (_indented, _of_cells, _of_cells, _repeated)
MUTATIONS: tuple[Mutation, ...] = (
    *(*OF_BYTES, *OF_TEXT),
    *map(_of_lines, (*OF_ORDER, *OF_CONTENT)),
    *(_replacing(NUMBER, NUMBERS), _replacing(NUMBER, NUMBERS), _replacing(ZONE, ZONES), _replacing(DATE, DATES)),
)
