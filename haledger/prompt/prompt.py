"""The interactive prompt of `haledger sql`: statements with history and completion, and the store's documentation.

A statement may take several lines and ends with a semicolon. Ctrl-C stops the one that runs, Ctrl-D on an empty
line leaves.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb
import typer
from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from haledger.prompt.completion import suggestions
from haledger.prompt.dot_commands import obeyed
from haledger.terminal import page_width, terminal_width
from pipeline import interrupt
from pipeline.errors import StoreError, UsageError
from pipeline.query.bounded import Session
from pipeline.query.sandbox import StuckError
from pipeline.store.description import DescribedRelation, described
from reports.answers.rows import write_rows
from reports.typeset.escape import visible

PROMPT: Final = "haledger> "
CONTINUATION: Final = "     ...> "
LEAVING: Final = re.compile(r"(\.?(quit|exit)|\\q)[\s;]*", re.IGNORECASE)


@dataclass(slots=True)
class Conversation:
    """A person's statements and commands, answered one by one."""

    session: Session
    relations: Sequence[DescribedRelation]
    kind: str
    values: Mapping[str, str]

    def answer(self, text: str) -> None:
        """Do what a text asks for. What cannot be done is said, and the conversation goes on."""
        try:
            if text.startswith("."):
                for line in obeyed(text, self.relations, page_width()):
                    typer.echo(visible(line))
                return
            for statement in self._statements(text):
                self._show(statement)
        except (StuckError, StoreError):
            raise
        except UsageError as error:
            typer.echo(visible(str(error)), err=True)
        except KeyboardInterrupt:
            if self.session.is_stuck:
                interrupt.speak()
                raise StuckError("the query could not be cancelled; haledger exits") from None
            interrupt.forget()
            typer.echo("stopped", err=True)

    def _statements(self, text: str) -> list[str]:
        try:
            return [each.query for each in self.session.connection.extract_statements(text)]
        except duckdb.Error:
            return [text]  # it is refused with the message that a mistake gets

    def _show(self, statement: str) -> None:
        result = self.session.run(statement, self.values)
        write_rows(result.frame, self.kind, None, width=terminal_width())
        if result.is_cut:
            typer.echo(f"the first {result.frame.height} rows; --max-rows shows more", err=True)


class SqlCompleter(Completer):
    """Suggestions in the form in which the prompt wants them."""

    def __init__(self, relations: Sequence[DescribedRelation]) -> None:
        self._relations = relations

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterator[Completion]:
        """Suggest what fits at the cursor."""
        for each in suggestions(document.text_before_cursor, document.text_after_cursor, self._relations):
            yield Completion(each.text, -each.length, display_meta=each.meaning)


def talk(session: Session, store: Path, kind: str, values: Mapping[str, str]) -> None:
    """Ask for statements until the person leaves."""
    relations = described(session.connection)
    conversation = Conversation(session, relations, kind, values)
    prompt: PromptSession[str] = PromptSession(
        PROMPT,
        multiline=True,
        prompt_continuation=lambda _width, _line, _is_wrapped: CONTINUATION,
        completer=SqlCompleter(relations),
        history=_history(),
        key_bindings=_keys(),
    )
    typer.echo(f"{visible(str(store))}, read-only. Statements end with ;   .help   .tables   .quit", err=True)
    while True:
        try:
            text = prompt.prompt().strip()
        except KeyboardInterrupt:  # what was half written is dropped
            interrupt.forget()
            continue
        except EOFError:
            return
        last = last_line(text)
        if LEAVING.fullmatch(last):
            return
        if text:
            conversation.answer(last if last.startswith(".") else text)


def last_line(text: str) -> str:
    """The last line of what was written: a command there is obeyed, and drops the half statement above it."""
    return text.rpartition("\n")[2].strip()


def is_complete(text: str) -> bool:
    """Whether Enter ends the text: nothing, a command, or a statement with its semicolon."""
    last = last_line(text)
    if not text.strip() or last.startswith(".") or LEAVING.fullmatch(last):
        return True
    data = text.encode()  # positions of tokens count bytes
    tokens = [(start, kind) for start, kind in duckdb.tokenize(text) if kind != duckdb.token_type.comment]
    return bool(tokens) and tokens[-1][1] == duckdb.token_type.operator and data[tokens[-1][0] :][:1] == b";"


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.complete_state and buffer.complete_state.current_completion:
            buffer.complete_state = None  # the suggestion that is shown is taken
        elif is_complete(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    @keys.add("c-d", filter=Condition(lambda: not last_line(get_app().current_buffer.text)))
    def _(event: KeyPressEvent) -> None:
        event.app.exit(exception=EOFError())

    return keys


def history_file() -> Path:
    """Where statements are remembered: in the user's folder of states."""
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if Path(state).is_absolute() else Path("~/.local/state").expanduser()
    return base / "haledger" / "sql_history"


def _history() -> History:
    """The statements of earlier times; where they cannot be kept, those of this time."""
    file = history_file()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
        with file.open("ab"):
            return FileHistory(file)
    except (OSError, RuntimeError):  # no home
        return InMemoryHistory()
