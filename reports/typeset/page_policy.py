"""What a page of ours allows a browser: its own style and script, known by their hashes, and nothing from elsewhere."""

import base64
import hashlib


def page_policy(style: str, script: str = "", *further: str) -> str:
    """The content security policy of a page with one style and at most one script; `further` directives it needs."""
    scripts = [f"script-src '{_source_hash(script)}'"] if script else []
    own = ["default-src 'none'", f"style-src '{_source_hash(style)}'", *scripts]
    return "; ".join([*own, *further, "base-uri 'none'", "form-action 'none'"])


def _source_hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode("ascii")
