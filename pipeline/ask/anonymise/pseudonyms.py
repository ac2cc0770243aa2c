"""Pseudonyms: the same for a name wherever it is written, in the order of the names, and no name of the study."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Address
from typing import Final

from pipeline.ask.anonymise.forms import (
    ENCODED,
    LEAST_ENCODED,
    decoded,
    without_dumps,
    without_escapes,
    written_forms,
)
from pipeline.ask.anonymise.names import SECRET, Name, families, names_at, private_parts, stems
from pipeline.ask.anonymise.places import Kind, Place, Places, wide_places
from pipeline.ask.anonymise.trie import any_of, lowered, substituted
from pipeline.ask.anonymise.vocabulary import unknown_words

STEMS: Mapping[Kind, str] = {
    Kind.HOST: "host",
    Kind.USER: "person",
    Kind.DATABASE: "base",
    Kind.ORGANISATION: "site",
    Kind.WORD: "word",
    Kind.DOMAIN: "site",
    Kind.FOLDER: "folder",
    Kind.EMAIL: "mail",
    Kind.NUMBER: "number",
}
LETTER: Final = r"[^\W0-9_]"
WORDS: Final = (Kind.HOST, Kind.USER, Kind.DATABASE, Kind.ORGANISATION, Kind.WORD)
"""Kinds of which a name is one word; the first kind that has a word decides."""

ENCODED_NAME: Final = "encoded"
SECRET_WORD: Final = "masked"  # noqa: S105  stands for one, and does not look as one

DOCUMENTATION = (IPv4Address("192.0.2.1"), IPv4Address("198.51.100.1"), IPv4Address("203.0.113.1"))
PER_NETWORK = 250
BENCHMARK = IPv4Address("198.18.0.1")
MIN_NUMBER = 1 << 24
"""Below this, an address written as one number is any number."""

DB2_DIGITS: Final = str.maketrans("0123456789", "GHIJKLMNOP")
"""DB2 begins an application's id with the address in hexadecimal, its first digit as a letter."""


class Pseudonyms:
    """Replaces names in text.

    Numbers of pseudonyms are as long as the longest and follow the order of the names, so that what is sorted by
    name stays in its order. Relatives of known names get theirs as they are met.
    """

    def __init__(self, names: Iterable[Name], secrets: Iterable[str] = (), seen: Places | None = None) -> None:
        """Give each name its pseudonym. `secrets`: are replaced everywhere, in every form."""
        names = sorted(set(names), key=lambda each: (each.kind, each.key, not each.is_everywhere, each.text))
        self.by_name: dict[Name, str] = {}
        self.counts: Counter[Name] = Counter()
        self._places = seen or Places()
        by_kind: dict[Kind, dict[str, Name]] = {kind: {} for kind in Kind}
        for name in names:
            by_kind[name.kind].setdefault(name.key, name)
        self._taken = {key for keys in by_kind.values() for key in keys}
        self._words: dict[str, Name] = {}
        for kind in WORDS:
            own = {key: name for key, name in by_kind[kind].items() if key not in self._words}
            self._number(own, kind)
            self._words |= own
        self._folders = {key: name for key, name in by_kind[Kind.FOLDER].items() if key not in self._words}
        self._number(self._folders, Kind.FOLDER)
        self._number(by_kind[Kind.DOMAIN], Kind.DOMAIN, ".example")
        self._number(by_kind[Kind.EMAIL], Kind.EMAIL, "@site.example")
        self._number(by_kind[Kind.NUMBER], Kind.NUMBER)
        self._addresses(by_kind)
        self.by_name |= dict.fromkeys(by_kind[Kind.SECRET].values(), SECRET_WORD)
        self._by_kind = by_kind
        self._compile(names, secrets)
        self._is_encoded: dict[str, bool] = {}

    def replaced(self, text: str, *, is_whole: bool = False) -> str:
        """The text with pseudonyms. `is_whole`: a place may take several lines, as in configurations."""
        text = self._at_places(text, wide_places(text, is_whole=is_whole))
        if not is_whole:
            lines = text.splitlines(keepends=True)
            text = "".join(
                [self._at_places(line, found) if (found := self._places.of(line)) else line for line in lines]
            )
        text = ENCODED.sub(self._encoded, text)
        text = without_dumps(text, self._holds_name)
        return without_escapes(self._everywhere(text), self._everywhere)

    def _everywhere(self, text: str) -> str:
        text = substituted(self._secrets, text, self._secret)
        text = substituted(self._literals, text, self._literal)
        text = substituted(self._numbers, text, self._number_form)
        text = substituted(self._any_word, text, self._word)
        text = substituted(self._any_part, text, self._word)
        return substituted(self._kin, text, self._relative)

    def _at_places(self, text: str, found: Iterable[Place]) -> str:
        """The text with what is replaced at its place alone: secrets, some addresses, folders, words of templates."""
        edits: list[tuple[int, int, str]] = []
        for place in found:
            if edits and any(place.start < end and start < place.end for start, end, _ in edits):
                continue
            written = text[place.start : place.end]
            is_glued = text[: place.start][-1:].isalnum()  # -uNAME
            new = self._at_place(place, written, is_glued=is_glued)
            if new != written:
                edits.append((place.start, place.end, new))
        for start, end, new in sorted(edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def _at_place(self, place: Place, written: str, *, is_glued: bool) -> str:
        if place.kind is Kind.SECRET:
            return self._secret(written)
        if place.kind is Kind.FOLDER:
            private = {each for each in private_parts(written) if each.casefold() in self._folders}
            return "/".join(
                self._of(self._folders[each.casefold()], each) if each in private else each
                for each in written.split("/")
            )
        if place.kind in {Kind.IPV4, Kind.EMAIL, Kind.DOMAIN}:
            return written
        for name in names_at(place, written):
            if name.kind in {Kind.IPV6, Kind.MAC} and name in self.by_name:
                return self._of(name, written)
            if name.kind in {Kind.IPV6, Kind.MAC} and (same := self._by_kind[name.kind].get(name.key)):
                return self._of(same, written)
            if is_glued or not name.is_everywhere:
                table = self._words if name.kind in WORDS else self._by_kind[name.kind]
                if (known := table.get(name.key)) and name.text in written:
                    written = written.replace(name.text, self._of(known, name.text), 1)
        return written

    def _number(self, names: Mapping[str, Name], kind: Kind, ending: str = "") -> None:
        stem = STEMS[kind]
        while any(re.fullmatch(rf"{stem}[0-9]+{re.escape(ending)}", each) for each in self._taken):
            stem += "x"
        width = len(str(len(names)))
        for number, key in enumerate(sorted(names), 1):
            self.by_name[names[key]] = f"{stem}{number:0{width}}{ending}"
            self._taken.add(self.by_name[names[key]])

    def _addresses(self, by_kind: Mapping[Kind, Mapping[str, Name]]) -> None:
        for number, name in enumerate(sorted(by_kind[Kind.IPV4].values(), key=lambda each: IPv4Address(each.text))):
            network, place = divmod(number, PER_NETWORK)
            at_hand = network < len(DOCUMENTATION)
            self.by_name[name] = str(DOCUMENTATION[network] + place if at_hand else BENCHMARK + number)
        for number, name in enumerate(by_kind[Kind.IPV6].values(), 1):
            self.by_name[name] = f"2001:db8::{number:x}"
        for number, name in enumerate(by_kind[Kind.MAC].values(), 1):
            self.by_name[name] = ":".join(f"{byte:02x}" for byte in (2, 0, *number.to_bytes(4, "big")))

    def _compile(self, names: Iterable[Name], secrets: Iterable[str]) -> None:
        """Build the patterns of what is replaced everywhere."""
        forms = {lowered(form) for text in secrets for form in written_forms(text)}
        plain = {each for each in forms if re.fullmatch("[a-z]+", each)}
        bounded, free = any_of(plain), any_of(forms - plain, "", "")
        both = [each.pattern for each in (free, bounded) if each]
        self._secrets = re.compile("|".join(both)) if both else None
        literals = [
            each for each in self.by_name if each.kind in {Kind.EMAIL, Kind.DOMAIN, Kind.NUMBER} and each.is_everywhere
        ]
        self._literal_names = {lowered(each.text): each for each in literals}
        self._literals = any_of(self._literal_names)
        self._number_forms = dict(
            _forms_of_addresses({each: self.by_name[each] for each in self._by_kind[Kind.IPV4].values()})
        )
        self._numbers = any_of(self._number_forms, r"(?<![0-9])(?<![0-9][.])", r"(?![0-9])")
        words = {key: name for key, name in self._words.items() if name.is_everywhere}
        self._any_word = any_of(lowered(key) for key, name in words.items() if name.kind is not Kind.WORD)
        self._any_part = any_of(
            (lowered(key) for key, name in words.items() if name.kind is Kind.WORD), f"(?<!{LETTER})", f"(?!{LETTER})"
        )
        free_stems, bounded_stems = any_of(stems(names), "", ""), any_of(families(names), after="")
        kin = [
            f"{each.pattern}{behind}"
            for each, behind in (
                (free_stems, r"[^\W_]*(?:[-_][^\W_]+)*"),
                (bounded_stems, r"[-_][a-z]*[0-9]+(?![^\W_])"),
            )
            if each
        ]
        self._kin = re.compile("|".join(kin)) if kin else None
        hidden = {lowered(each) for each in words if len(each) >= LEAST_ENCODED} | {
            lowered(each) for each in secrets if len(each) >= LEAST_ENCODED
        }
        self._hidden = any_of(hidden, "", "")

    def _encoded(self, match: re.Match[str]) -> str:
        token = match[0]
        if token not in self._is_encoded:
            self._is_encoded[token] = any(map(self._holds_name, decoded(token)))
        return ENCODED_NAME if self._is_encoded[token] else token

    def _holds_name(self, text: str) -> bool:
        return self._hidden is not None and self._hidden.search(text) is not None

    def _secret(self, _written: str) -> str:
        self.counts[SECRET] += 1
        return SECRET_WORD

    def _literal(self, written: str) -> str:
        return self._of(self._literal_names[lowered(written)], written)

    def _number_form(self, written: str) -> str:
        name, form = self._number_forms[lowered(written)]
        self.counts[name] += 1
        return form.upper() if written.isupper() else form

    def _word(self, written: str) -> str:
        return self._of(self._words[written.casefold()], written)

    def _relative(self, written: str) -> str:
        key = written.casefold()
        is_other = key in self._taken or (not re.search(r"[0-9]", written) and not unknown_words(written))
        if is_other and key not in self._words:
            return written
        if key not in self._words:
            name = Name(Kind.HOST, written)
            number = sum(each.kind is Kind.HOST for each in self.by_name) + 1
            while f"host{number}" in self._taken:
                number += 1
            self._words[key] = name
            self.by_name[name] = f"host{number}"
            self._taken.add(self.by_name[name])
        return self._of(self._words[key], written)

    def _of(self, name: Name, written: str) -> str:
        self.counts[name] += 1
        found = self.by_name[name]
        if name.kind is Kind.MAC:
            return _like_mac(found, written)
        return found.upper() if written.isupper() and name.kind in WORDS else found


def _like_mac(pseudonym: str, written: str) -> str:
    """An address with the separators and the length of another one."""
    digits = pseudonym.replace(":", "").rjust(len(re.sub("[:.-]", "", written)), "0")
    of_digits = iter(digits)
    return "".join(each if each in ":.-" else next(of_digits) for each in written)


def _forms_of_addresses(addresses: Mapping[Name, str]) -> Iterator[tuple[str, tuple[Name, str]]]:
    """How an address and its pseudonym are written: with dots, hyphens, backwards, as one number, in hexadecimal."""
    for name, pseudonym in addresses.items():
        for form, new in zip(_forms(name.text), _forms(pseudonym), strict=True):
            if not form.isdecimal() or int(form) >= MIN_NUMBER:
                yield form, (name, new)
    for name, pseudonym in addresses.items():
        yield name.text, (name, pseudonym)


def _forms(address: str) -> Iterator[str]:
    parts, packed = address.split("."), IPv4Address(address).packed
    yield ".".join(parts[::-1]) + ".in-addr"
    yield "-".join(parts)
    yield str(int.from_bytes(packed, "big"))  # Corosync names a node by the number that its address is
    yield str(int.from_bytes(packed, "little"))
    yield packed.hex()
    yield packed.hex()[0].translate(DB2_DIGITS).lower() + packed.hex()[1:]
