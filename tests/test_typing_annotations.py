"""The annotations before jaxtyping is asked for, and what a missing checker says."""

import sys
from typing import Any

import jaxtyping
import pytest

import anytensor as at
from anytensor.typing import _Later


def test_an_annotation_stands_for_jaxtypings_own():
    later = _Later("Float")[Any, "rows"]
    assert repr(later).startswith("jaxtyping.Float[")
    assert _Later("Float").resolve() is jaxtyping.Float
    assert (later | None) is Any
    assert (None | later) is Any
    with pytest.raises(TypeError, match=r"jaxtyping\.Float is an annotation"):
        _Later("Float")()


def test_a_missing_checker_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "beartype", None)
    monkeypatch.delenv("JAXTYPING_DISABLE", raising=False)
    with pytest.raises(ImportError, match=r'pip install "anytensor\[typecheck\]"'):
        at.enable_typecheck()


def test_a_switch_of_jaxtypings_turns_the_checks_off(monkeypatch):
    monkeypatch.setitem(sys.modules, "beartype", None)
    monkeypatch.setenv("JAXTYPING_DISABLE", "1")
    assert at.enable_typecheck() is None
