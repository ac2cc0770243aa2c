"""What can go wrong, with the exit code each situation has.

HaledgerError
├── UsageError       a command or a manifest that cannot be carried out as written (2)
├── InputError       the input holds nothing usable (3)
├── StoreError       the store is locked, damaged or not ours (4)
└── CheckFailedError a check was evaluated and did not hold (5)
"""

from pathlib import Path


class HaledgerError(Exception):
    """A situation that the user can understand and act on; its text is the whole message."""

    exit_code = 1


class UsageError(HaledgerError):
    """A command, option or manifest that cannot be carried out as written."""

    exit_code = 2


class InputError(HaledgerError):
    """Input that is missing, unreadable or holds nothing that haledger recognises."""

    exit_code = 3

    @classmethod
    def unrecognised(cls, study: Path, file_count: int) -> "InputError":
        """A study none of whose files is of a known format."""
        if file_count == 0:
            return cls(f"{study}: nothing recognised, as it holds no file; give a folder of logs or one log file")
        files = "its only file" if file_count == 1 else f"its {file_count} files"
        return cls(
            f"{study}: nothing recognised in {files}; `haledger explain {study}` says for each file what was tried"
        )


class StoreError(HaledgerError):
    """A store that is locked, damaged, or was not written by haledger."""

    exit_code = 4


class CheckFailedError(HaledgerError):
    """A check that was evaluated and did not hold."""

    exit_code = 5
