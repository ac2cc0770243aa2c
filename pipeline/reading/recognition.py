"""Which format a file is and why; why the others are not. Content decides; a file name only breaks a tie.

Formats whose file names fit are asked first. Where one of them shows a signature that no other format has, the others
are not asked; nor is a format without a line that it `needs`, nor one that takes the rest of what another claims: with
many formats and many small files, asking is what costs. For the same reason several files are asked about at a time,
one format after the other: what is needed is looked for in all of them at once, and Polars keeps a few dozen compiled
patterns, of which all formats have several hundred.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import translate
from functools import cache

import polars as pl

from parsers.format import NARROWEST, WIDEST, Format, Recognition, Refusal
from parsers.line_prefix import SET_IN, bare, chains_of, prefix_of

SIGNATURE = 0.9
"""A claim from here on is a signature that no other format has (`parsers/format.py`)."""

LEAST_LINES, MAX_WRITERS = 2, 100
"""A writer of fewer lines, and each of more writers, has the format of all."""

WORDS = re.compile(r'[\w :*/"-]+')

CHARACTERS = re.compile(r"\[(?:\\.|[^\]\\])+\]|\\.")
"""The sets of characters of a pattern, and what is escaped."""


@dataclass(frozen=True, slots=True)
class Question:
    """A file to recognise: its first lines, its name, the format that study.toml declares for it."""

    head: pl.Series
    file_name: str
    override: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """The format of a file, or None. `refusals`: why each other format is not it, and the line that showed it.

    `prefixes`: what is before its lines, by the names of `parsers.line_prefix`; `other_formats`: of writers
    whose lines are of another.
    """

    format: str | None
    reason: str
    line_no: int | None = None
    refusals: Mapping[str, Refusal] = field(default_factory=dict)
    confidence: float = 0
    prefixes: tuple[str, ...] = ()
    other_formats: Mapping[str, str] = field(default_factory=dict)


def recognise(head: pl.Series, file_name: str, formats: Mapping[str, Format], override: str | None = None) -> Decision:
    """Ask every format for its claim on a file with these first lines; the most confident wins."""
    return recognise_each([Question(head, file_name, override)], formats)[0]


def recognise_each(questions: Sequence[Question], formats: Mapping[str, Format]) -> list[Decision]:
    """What each file is, and what is before its lines; no answer depends on the other files."""
    open_ones = [each for each in questions if each.override is None]
    found = iter(_of_contents(open_ones, formats))
    return [next(found) if each.override is None else _declared(each, formats) for each in questions]


def _of_contents(questions: Sequence[Question], formats: Mapping[str, Format]) -> list[Decision]:
    """What files are by their lines, as they are or without what is before them."""
    found = _decided(questions, formats)
    chains = chains_of([each.head for each in questions])
    tried = [(number, Prefixed.of(questions[number], chain)) for number, own in enumerate(chains) for chain in own]
    answers = iter(_decided([head for _, each in tried for head in each.questions], formats))
    for number, each in tried:
        decision = each.decided([next(answers) for _ in each.questions], formats)
        if _is_better(decision, found[number], formats):
            found[number] = decision
    return found


@dataclass(frozen=True, slots=True)
class Prefixed:
    """A file without what is before its lines: all of them, then those of each writer; and what to ask of each."""

    chain: tuple[str, ...]
    parts: Sequence[pl.DataFrame]
    questions: Sequence[Question]

    @classmethod
    def of(cls, question: Question, chain: tuple[str, ...]) -> "Prefixed":
        """The first lines of a file without this chain of prefixes."""
        lines = bare(question.head.alias("text").to_frame().with_row_index("line_no", offset=1), chain)
        of_writers = lines.filter(pl.col("text").str.contains(r"\S")).partition_by("writer", maintain_order=True)
        apart = (
            [each for each in of_writers if each.height >= LEAST_LINES] if 1 < len(of_writers) <= MAX_WRITERS else []
        )
        parts = [lines, *apart]
        return cls(chain, parts, [replace(question, head=each["text"]) for each in parts])

    def decided(self, answers: Sequence[Decision], formats: Mapping[str, Format]) -> Decision:
        """What the file is, by what all its lines and those of each writer are."""
        whole = replace(answers[0], prefixes=self.chain)
        of_writers = zip(self.parts[1:], answers[1:], strict=True)
        known = [(part, each) for part, each in of_writers if each.format is not None]
        if {each.format for _, each in known} <= {whole.format}:
            return whole
        part, main = max(known, key=lambda each: (_kind(each[1], formats), each[0].height))
        if whole.format is not None and _kind(whole, formats) >= _kind(main, formats):
            main = whole
        else:
            refusals = {name: each for name, each in whole.refusals.items() if name != main.format}
            line_no = int(part["line_no"][(main.line_no or 1) - 1])
            main = replace(main, line_no=line_no, refusals=refusals, prefixes=self.chain)
        others = {str(part["writer"][0]): str(each.format) for part, each in known if each.format != main.format}
        return replace(main, other_formats=others)


def _decided(questions: Sequence[Question], formats: Mapping[str, Format]) -> list[Decision]:
    """What files are, taking their lines as they are."""
    answers = _answers(questions, formats)
    return [_decide(each.file_name, answer, formats) for each, answer in zip(questions, answers, strict=True)]


def _is_better(new: Decision, old: Decision, formats: Mapping[str, Format]) -> bool:
    """Whether lines without a prefix are rather of a log than those with it, or without fewer of them."""
    if new.format is None or old.format is None:
        return new.format is not None
    kind, kind_before = (_kind(each, formats) for each in (new, old))
    prefixes = [prefix_of(each) for each in new.prefixes]
    if prefixes[-1].is_of_runtime and formats[old.format].unwraps:
        is_by_wrapping = formats[old.format].role == "log" and kind == 0  # neither knows heads, one knows their times
        return new.format != old.format and (kind >= kind_before or is_by_wrapping)
    if kind != kind_before:
        return kind > kind_before
    if new.prefixes[0].startswith(SET_IN) and new.format != old.format:
        return True  # where all lines are set in, none continues another
    is_equal = new.confidence == old.confidence and not any(each.is_vague for each in prefixes)
    is_within = new.prefixes[: len(old.prefixes)] == old.prefixes
    return new.confidence > old.confidence or (is_equal and is_within)


def _kind(decision: Decision, formats: Mapping[str, Format]) -> int:
    """How sure a claim is: what others leave, a likeness, a signature."""
    return 0 if formats[str(decision.format)].takes_the_rest else 1 + (decision.confidence >= SIGNATURE)


def _decide(file_name: str, answers: Mapping[str, Recognition | Refusal], formats: Mapping[str, Format]) -> Decision:
    claims = {name: answer for name, answer in answers.items() if isinstance(answer, Recognition)}
    refusals = {name: answer for name, answer in answers.items() if isinstance(answer, Refusal)}
    if not claims:
        return Decision(None, "no format recognises the first lines", refusals=refusals)
    best = max(claim.confidence for claim in claims.values())
    tied = [name for name, claim in claims.items() if claim.confidence == best]
    named = [name for name in tied if _has_name(file_name, formats[name])]
    winner = (named or tied)[0]
    losers = {
        name: Refusal(f"{winner} fits better: {claim.reason}", claim.line_no)
        for name, claim in claims.items()
        if name != winner
    }
    claim = claims[winner]
    reason = claim.reason if len(tied) == 1 else f"{claim.reason}; {_tie(tied, named)}"
    return Decision(winner, reason, claim.line_no, refusals | losers, claim.confidence)


def _answers(questions: Sequence[Question], formats: Mapping[str, Format]) -> list[dict[str, Recognition | Refusal]]:
    answers: list[dict[str, Recognition | Refusal]] = [{} for _ in questions]
    named = defaultdict(list)
    for number, asked in enumerate(questions):
        named[asked.file_name].append(number)
    for name, each in formats.items():
        fitting = sorted(number for own, numbers in named.items() if _has_name(own, each) for number in numbers)
        for number, answer in zip(fitting, _asked(each, [questions[number].head for number in fitting]), strict=True):
            answers[number][name] = answer
    nameless = {name: each for name, each in formats.items() if each.is_known_by_name}
    for replies in answers:
        for name in nameless.keys() - replies.keys():
            replies[name] = Refusal("only files of certain names are such", 1)
    unsigned = [number for number, replies in enumerate(answers) if not _is_signed(replies)]
    lacking = dict(zip(unsigned, _lacking([questions[number].head for number in unsigned], formats), strict=True))
    for name, each in sorted(formats.items(), key=lambda item: item[1].takes_the_rest):
        left = [number for number in unsigned if name not in answers[number]]
        if each.takes_the_rest:
            left = [number for number in left if not _is_claimed(answers[number], formats)]
        having = [number for number in left if name not in lacking[number]]
        for number, answer in zip(having, _asked(each, [questions[number].head for number in having]), strict=True):
            answers[number][name] = answer
        for number in set(left) - set(having):
            answers[number][name] = Refusal(_what_lacks(each.needs or ""), max(len(questions[number].head), 1))
    return [dict(sorted(replies.items())) for replies in answers]


def _asked(candidate: Format, heads: Sequence[pl.Series]) -> Iterator[Recognition | Refusal]:
    if candidate.look is not None and heads:
        candidate.look(heads)
    for head in heads:
        yield candidate.recognise(head)


def _lacking(heads: Sequence[pl.Series], formats: Mapping[str, Format]) -> list[set[str]]:
    """Of each head the formats that need a line which it does not have."""
    needs = {name: each.needs for name, each in formats.items() if each.needs is not None}
    if not needs:
        return [set() for _ in heads]
    texts = pl.DataFrame({"text": [_with_folds_joined(head) for head in heads]}, schema={"text": pl.String})
    text = pl.col("text").str
    found = texts.select(text.contains(within_lines(pattern)).alias(name) for name, pattern in needs.items())
    return [{name for name, fits in zip(needs, row, strict=True) if not fits} for row in found.iter_rows()]


def _with_folds_joined(head: pl.Series) -> str:
    """The lines, and behind them the same as one line where a fold may have torn what a format needs."""
    lines = head.to_list()
    may_be_folded = NARROWEST <= max(map(len, lines), default=0) <= WIDEST
    return "\n".join([*lines, " ".join(lines)] if may_be_folded else lines)


@cache
def within_lines(pattern: str) -> str:
    """The pattern, which is of one line, for a text of many: it fits where it fits one of the lines."""
    return "(?m)" + CHARACTERS.sub(_in_line, pattern)


def _in_line(found: re.Match[str]) -> str:
    """A set of characters without the end of the line."""
    printed = found[0]
    may_be_end = printed.startswith("[^") or any(each in printed for each in (r"\s", r"\D", r"\W"))
    return rf"[{printed}&&[^\n]]" if may_be_end else printed


def _is_signed(answers: Mapping[str, Recognition | Refusal]) -> bool:
    return any(isinstance(each, Recognition) and each.confidence >= SIGNATURE for each in answers.values())


def _is_claimed(answers: Mapping[str, Recognition | Refusal], formats: Mapping[str, Format]) -> bool:
    """Whether a format claims the file that does not only take what others leave."""
    return any(isinstance(answer, Recognition) and not formats[name].takes_the_rest for name, answer in answers.items())


@cache
def _what_lacks(needs: str) -> str:
    """A refusal in words: a pattern shows people something only where it is a list of words."""
    words = needs.replace("\\*", "*").split("|")
    if all(WORDS.fullmatch(each) for each in words):
        return f"none of the words of which it has at least one: {', '.join(words)}"
    return "no line that every such file has"


def _declared(question: Question, formats: Mapping[str, Format]) -> Decision:
    name = str(question.override)
    if name in formats:
        (found,) = recognise_each([replace(question, override=None)], {name: formats[name]})
        return Decision(name, "study.toml says so", prefixes=found.prefixes)
    return Decision(None, f"study.toml says {name}, which is no format; known are {', '.join(sorted(formats))}")


def _has_name(file_name: str, candidate: Format) -> bool:
    return bool(candidate.file_names) and _compiled(candidate.file_names).match(file_name.lower()) is not None


@cache
def _compiled(file_names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(translate(each.lower()) for each in file_names))


def _tie(tied: list[str], named: list[str]) -> str:
    others = ", ".join(tied)
    return f"the file name decides among {others}" if named else f"the first by name among {others}"
