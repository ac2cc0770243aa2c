"""Templates as byte code, kept from one report to the next: to compile them takes as long as to print a page."""

import hashlib
import sys
from functools import cache
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket

from pipeline.store import user_cache
from reports.typeset.fonts import version

REPORTS = Path(__file__).parents[1]

KIND = "templates"
MOST_KEPT = 200
"""Templates that stay in the cache folder: those of some versions of haledger and of Python."""


class CompiledTemplates(jinja2.BytecodeCache):
    """The byte code of templates. Jinja asks it for a bucket, and compiles by itself what comes back empty."""

    def get_bucket(self, environment: jinja2.Environment, name: str, filename: str | None, source: str) -> Bucket:
        """The byte code of a template, compiled where none is kept of the same source and program."""
        bucket = Bucket(environment, name, self.get_source_checksum(source))

        def compiled() -> bytes:
            bucket.code = environment.compile(source, name, filename)
            return bucket.bytecode_to_string()

        if not user_cache.is_private(KIND):  # byte code is run
            return bucket
        made_of = repr((name, filename, source, version("jinja2"), sys.version, _program()))
        bucket.bytecode_from_string(user_cache.kept(KIND, made_of, compiled, MOST_KEPT))
        return bucket

    def load_bytecode(self, bucket: Bucket) -> None:
        """Nothing: a bucket is filled when it is made."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Nothing: what was compiled was kept then."""


@cache
def _program() -> str:
    """A hash of the modules of the report: what templates print of constants is computed when they are compiled."""
    sha256 = hashlib.sha256()
    for file in sorted(REPORTS.rglob("*.py")):
        sha256.update(file.read_bytes())
    return sha256.hexdigest()
