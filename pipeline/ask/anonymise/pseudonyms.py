"""Pseudonyms: the same for a name wherever it is written, in the order of the names, and no name of the study."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from ipaddress import IPv4Address

from parsers.secret import with_secrets
from pipeline.ask.anonymise.forms import any_form, encoded_forms
from pipeline.ask.anonymise.names import IPV6, PATH, SECRET, Kind, Name, private_parts

STEMS: Mapping[Kind, str] = {
    Kind.HOST: "host",
    Kind.USER: "person",
    Kind.DATABASE: "base",
    Kind.DOMAIN: "site",
    Kind.FOLDER: "folder",
    Kind.EMAIL: "mail",
}
WORDS = (Kind.HOST, Kind.USER, Kind.DATABASE)
"""Kinds of which a name is one word; the first kind that has a word decides."""

ENCODED = (Kind.HOST, Kind.USER, Kind.EMAIL)
"""Kinds of names that are looked for in base64 and hexadecimal too."""

ENCODED_NAME = "encoded"

DOCUMENTATION = (IPv4Address("192.0.2.1"), IPv4Address("198.51.100.1"), IPv4Address("203.0.113.1"))
PER_NETWORK = 250
BENCHMARK = IPv4Address("198.18.0.1")
MIN_NUMBER = 1 << 24
"""Below this, an address written as one number is any number."""


class Pseudonyms:
    """Replaces names in text.

    Numbers of pseudonyms are as long as the longest and follow the order of the names, so that what is sorted by
    name stays in its order.
    """

    def __init__(self, names: Iterable[Name], secrets: Iterable[str] = ()) -> None:
        """Give each name its pseudonym. `secrets`: are replaced everywhere, in every form."""
        self.by_name: dict[Name, str] = {}
        by_kind: dict[Kind, dict[str, Name]] = {kind: {} for kind in Kind}
        for name in sorted(set(names), key=lambda each: (each.kind, each.key, each.text)):
            by_kind[name.kind].setdefault(name.key, name)
        taken = {key for keys in by_kind.values() for key in keys}
        words: dict[str, Name] = {}
        for kind in WORDS:
            own = {key: name for key, name in by_kind[kind].items() if key not in words}
            self._number(own, STEMS[kind], taken)
            words |= own
        folders = {key: name for key, name in by_kind[Kind.FOLDER].items() if key not in words}
        self._number(folders, STEMS[Kind.FOLDER], taken)
        self._number(by_kind[Kind.DOMAIN], STEMS[Kind.DOMAIN], taken, ".example")
        self._number(by_kind[Kind.EMAIL], STEMS[Kind.EMAIL], taken, "@site.example")
        self._addresses(by_kind)
        self.by_name |= dict.fromkeys(by_kind[Kind.SECRET].values(), "secret")
        self.counts: Counter[Name] = Counter()
        forms = any_form(set(secrets))
        self._secret_forms = re.compile(forms) if forms else None
        encoded = {name: [*encoded_forms(name.text)] for name in self.by_name if name.kind in ENCODED}
        self._encoded = _any_of_names(encoded)
        self._steps = self._compiled({**by_kind, Kind.FOLDER: folders}, words)

    def known(self) -> frozenset[str]:
        """Keys of the names, and the pseudonyms."""
        return frozenset(each.key for each in self.by_name) | frozenset(self.by_name.values())

    def replaced(self, text: str) -> str:
        """The text with pseudonyms."""
        if SECRET in self.by_name:
            text = with_secrets(text, self._secret)
        if self._secret_forms:
            text = self._secret_forms.sub(lambda found: self._secret(found[0]), text)
        if self._encoded:
            text = self._encoded.sub(ENCODED_NAME, text)
        for pattern, replacement in self._steps:
            text = pattern.sub(replacement, text)
        return text

    def _number(self, names: Mapping[str, Name], stem: str, taken: set[str], ending: str = "") -> None:
        while any(re.fullmatch(rf"{stem}\d+{re.escape(ending)}", each) for each in taken):
            stem += "x"
        width = len(str(len(names)))
        for number, key in enumerate(sorted(names), 1):
            self.by_name[names[key]] = f"{stem}{number:0{width}}{ending}"

    def _addresses(self, by_kind: Mapping[Kind, Mapping[str, Name]]) -> None:
        for number, name in enumerate(sorted(by_kind[Kind.IPV4].values(), key=lambda each: IPv4Address(each.text))):
            network, place = divmod(number, PER_NETWORK)
            at_hand = network < len(DOCUMENTATION)
            self.by_name[name] = str(DOCUMENTATION[network] + place if at_hand else BENCHMARK + number)
        for number, name in enumerate(by_kind[Kind.IPV6].values(), 1):
            self.by_name[name] = f"2001:db8::{number:x}"
        for number, name in enumerate(by_kind[Kind.MAC].values(), 1):
            separator = name.text[2]
            self.by_name[name] = separator.join(f"{byte:02x}" for byte in (2, 0, *number.to_bytes(4, "big")))

    def _compiled(
        self, by_kind: Mapping[Kind, Mapping[str, Name]], words: Mapping[str, Name]
    ) -> list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]]:
        steps: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = [
            (_any_of(by_kind[kind]), self._by_key(by_kind[kind])) for kind in (Kind.EMAIL, Kind.DOMAIN) if by_kind[kind]
        ]
        steps += [
            (pattern, self._by_key(by_kind[kind]))
            for kind, pattern in (
                (Kind.IPV4, _any_address(by_kind[Kind.IPV4])),
                (Kind.IPV6, IPV6),
                (Kind.MAC, _any_of(by_kind[Kind.MAC])),
            )
            if by_kind[kind]
        ]
        numbers = {
            str(int.from_bytes(IPv4Address(each.text).packed, order)): (each, order)
            for each in by_kind[Kind.IPV4].values()
            for order in ("little", "big")
        }
        numbers = {text: found for text, found in numbers.items() if int(text) >= MIN_NUMBER}
        if numbers:  # Corosync names a node by the number that its address is

            def number_of(match: re.Match[str]) -> str:
                name, order = numbers[match[0]]
                self.counts[name] += 1
                return str(
                    int.from_bytes(IPv4Address(self.by_name[name]).packed, "big" if order == "big" else "little")
                )

            steps.append((_any_of(numbers), number_of))
        if folders := by_kind[Kind.FOLDER]:
            steps.append((PATH, self._in_path(folders)))
        if words:
            steps.append((_any_of(words), self._by_key(words)))
        return steps

    def _secret(self, _found: str) -> str:
        self.counts[SECRET] += 1
        return self.by_name.get(SECRET, "secret")

    def _in_path(self, folders: Mapping[str, Name]) -> Callable[[re.Match[str]], str]:
        by_key = self._by_key(folders)

        def path(match: re.Match[str]) -> str:
            private = {each for each in private_parts(match[0]) if each.casefold() in folders}
            parts = match[0].split("/")
            return "/".join(re.sub(r".+", by_key, part) if part in private else part for part in parts)

        return path

    def _by_key(self, names: Mapping[str, Name]) -> Callable[[re.Match[str]], str]:
        def pseudonym(match: re.Match[str]) -> str:
            name = names.get(match[0].casefold())
            if name is None:  # an address of no machine
                return match[0]
            self.counts[name] += 1
            found = self.by_name[name]
            return found.upper() if match[0].isupper() and name.kind in WORDS else found

        return pseudonym


def _any_of(texts: Iterable[str]) -> re.Pattern[str]:
    """Any of some texts as a whole word: no letter and no digit beside it. Longer ones first."""
    listed = "|".join(re.escape(each) for each in sorted(texts, key=lambda each: (-len(each), each)))
    return re.compile(rf"(?<![^\W_])(?:{listed})(?![^\W_])", re.IGNORECASE)


def _any_of_names(encoded: Mapping[Name, list[str]]) -> re.Pattern[str] | None:
    listed = [form for forms in encoded.values() for form in forms]
    return re.compile("|".join(listed)) if listed else None


def _any_address(texts: Iterable[str]) -> re.Pattern[str]:
    """Any of some IPv4 addresses, also within a word, as in `send_arp-10.0.0.1`, and before the port that DB2 adds."""
    return re.compile(rf"(?<!\d)(?<!\d\.)(?:{'|'.join(map(re.escape, sorted(texts)))})(?!\d)")
