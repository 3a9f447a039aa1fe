"""How the reference reads docstrings: griffe has a section ``Examples``, house style writes ``Example``."""

from __future__ import annotations

import re
from typing import Any

import griffe


class HouseStyle(griffe.Extension):
    """Give an example its own section, so that it is shown as code and not as quotations of quotations."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rename the section before it is parsed."""
        if obj.docstring is not None:
            obj.docstring.value = re.sub(r"^Example:$", "Examples:", obj.docstring.value, flags=re.MULTILINE)
