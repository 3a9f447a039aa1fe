"""What cannot be exported is refused before anything is traced, with what to do instead."""

import functools
import importlib.metadata
import sys

import jax.numpy as jnp
import numpy as np
import onnx
import pytest
import tensorflow as tf
import torch

import anytensor as at
from anytensor import export
from anytensor.export import versions

X = np.ones((3, 2), np.float32)
W = np.ones((2, 2), np.float32)
GLOBAL = torch.ones(2)


def plain(x):
    return at.sum(x, axis=1)


def close_over(weight):
    def inner(x):
        return at.matmul(x, weight)

    return lambda x: inner(x)


def of_a_global(x):
    return x + GLOBAL


TENSORS = {"w": torch.ones(2)}


def of_a_dict(x):
    return x + TENSORS["w"]


def of_a_helper(x):
    return of_a_global(x)


def of_a_default(x, weight=GLOBAL):
    return x + weight


def of_a_lambda(x):
    return (lambda y: y + GLOBAL)(x)


class Scaled:
    def __init__(self):
        self.weight, self.other = torch.ones(2), torch.ones(3)

    def __call__(self, x):
        return x * self.weight

    def method(self, x):
        return x * self.weight


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (
            lambda: export.to_onnx_torch(plain, (jnp.asarray(X),)),
            TypeError,
            "give example arguments as torch",
        ),
        (
            lambda: export.to_onnx_torch(plain, (tf.constant(X),)),
            TypeError,
            "give example arguments as torch",
        ),
        (lambda: export.to_onnx_torch(plain, (object(),)), TypeError, "got object at x"),
        (lambda: export.to_onnx_torch(3, (X,)), TypeError, "`model_or_fn` must be callable"),
        (lambda: export.to_onnx_torch(plain, (X,), params={"w": jnp.ones(2)}), TypeError, "numpy_leaves"),
        (lambda: export.to_onnx_torch(close_over(torch.ones(2, 2)), (X,)), TypeError, "closes over `weight`"),
        (lambda: export.to_onnx_torch(close_over(jnp.ones((2, 2))), (X,)), TypeError, "closes over `weight`"),
        (lambda: export.to_onnx_torch(close_over(torch.nn.Linear(2, 2)), (X,)), TypeError, "have no names"),
        (lambda: export.to_onnx_torch(of_a_global, (X,)), TypeError, "closes over `GLOBAL`"),
        (lambda: export.to_onnx_torch(of_a_helper, (X,)), TypeError, "closes over `GLOBAL`"),
        (lambda: export.to_onnx_torch(of_a_lambda, (X,)), TypeError, "closes over `GLOBAL`"),
        (lambda: export.to_onnx_torch(of_a_dict, (X,)), TypeError, r"closes over `TENSORS\['w'\]`"),
        (lambda: export.to_onnx_torch(of_a_default, (X,)), TypeError, "closes over `weight`"),
        (lambda: export.to_onnx_torch(Scaled(), (X,)), TypeError, "closes over `self.weight`"),
        (lambda: export.to_onnx_torch(Scaled().method, (X,)), TypeError, "closes over `self.weight`"),
        (
            lambda: export.to_onnx_torch(plain, (X,), params={"x": W}, input_names=["x"]),
            ValueError,
            "'x' would name both the input",
        ),
        (
            lambda: export.to_onnx_torch(lambda d: d["a b"] + d["a_b"], ({"a b": X, "a_b": X},)),
            ValueError,
            "would both be named",
        ),
        (
            lambda: export.to_onnx_torch(functools.partial(at.add, torch.ones(2)), (X,)),
            TypeError,
            "closes over `argument 0`",
        ),
        (lambda: export.to_onnx_torch(torch.nn.ReLU(), (X,), params={}), TypeError, "leave `params` away"),
        (lambda: export.to_onnx_torch(plain, (X,), dynamic_shapes={"y": {0: "n"}}), TypeError, "names 'y'"),
        (lambda: export.to_onnx_torch(plain, (X,), dynamic_shapes=()), TypeError, "each of the 1 arguments"),
        (
            lambda: export.to_onnx_torch(plain, (X,), dynamic_shapes=({5: "n"},)),
            TypeError,
            "each of its 2 axes",
        ),
        (
            lambda: export.to_onnx_torch(plain, (X[:1],), dynamic_shapes=({0: "n"},)),
            ValueError,
            "has length 1",
        ),
        (lambda: export.to_onnx_torch(plain, (X[:0],)), ValueError, "has length 0 at axis 0 of x"),
        (lambda: export.to_onnx_torch(plain, (X,), input_names=["a", "b"]), TypeError, "must be 1 strings"),
        (lambda: export.to_onnx_torch(plain, (X,), input_names=[""]), ValueError, "must be different"),
        (
            lambda: export.to_onnx_torch(
                lambda x: plain(x["a"]), ({"a": X},), dynamic_shapes=({"b": {0: "n"}},)
            ),
            TypeError,
            "must mirror x",
        ),
        (lambda: export.to_onnx_tensorflow(plain, (jnp.asarray(X),)), TypeError, "give np.asarray of it"),
        (lambda: export.to_onnx_tensorflow(plain, (torch.tensor(X),)), TypeError, "give np.asarray of it"),
        (lambda: export.to_onnx_tensorflow(plain, (object(),)), TypeError, "got object at x"),
        (lambda: export.to_onnx_tensorflow(3, (X,)), TypeError, "`fn` must be callable"),
        (
            lambda: export.to_onnx_tensorflow(close_over(tf.constant(W)), (X,)),
            TypeError,
            "would become inputs",
        ),
        (lambda: export.to_onnx_tensorflow(close_over(jnp.ones(2)), (X,)), TypeError, "closes over `weight`"),
        (
            lambda: export.to_onnx_tensorflow(export.as_tensorflow_fn(plain, {}), (X,), params={}),
            TypeError,
            "leave `params` away",
        ),
        (
            lambda: export.to_onnx_tensorflow(lambda p, x: x, (X,), params={"x": W}),
            ValueError,
            "a weight named x, and so is an input",
        ),
        (
            lambda: export.to_onnx_tensorflow(lambda x: tf.bitcast(x, tf.int32), (X,)),
            NotImplementedError,
            "nothing for TensorFlow's Bitcast",
        ),
        (lambda: export.assert_symbolic_lengths(3), TypeError, "`model` must be an onnx.ModelProto"),
    ],
)
def test_it_is_refused(call, error, said):
    """enpasos/jax2onnx/issues/14, /57: JAX has no road of ours to ONNX."""
    with pytest.raises(error, match=said):
        call()


LATEST = onnx.defs.onnx_opset_version()


@pytest.mark.parametrize("road", [export.to_onnx_torch, export.to_onnx_tensorflow])
@pytest.mark.parametrize(
    ("opset", "error", "said"),
    [
        (17, ValueError, f"`opset` must be from 18 to {LATEST}, got 17"),
        (-1, ValueError, "got -1"),
        (LATEST + 1, ValueError, f"`opset` must be from 18 to {LATEST}, got {LATEST + 1}"),
        (True, TypeError, f"`opset` must be an integer from 18 to {LATEST}, got bool True"),
        ("18", TypeError, "got str '18'"),
        (18.0, TypeError, "got float 18.0"),
        (None, TypeError, "got NoneType"),
    ],
)
def test_an_opset_that_there_is_not_is_refused(road, opset, error, said):
    with pytest.raises(error, match=f"{road.__name__}: .*{said}"):
        road(plain, (X,), opset=opset)


@pytest.mark.parametrize(
    ("installed", "check", "said"),
    [
        ({"torch": "2.13.0"}, versions.require_torch_exporter, "not installed: onnx, onnxscript"),
        (
            {"torch": "2.4.1", "onnx": "1.17", "onnxscript": "0.5"},
            versions.require_torch_exporter,
            "torch 2.7",
        ),
        ({"tensorflow": "2.21.0", "onnx": "1.23.2"}, versions.require_tf2onnx, "not installed: tf2onnx"),
        (
            {"tensorflow": "2.18.0", "onnx": "1.17", "tf2onnx": "1.16.1", "numpy": "2.0.2"},
            versions.require_tf2onnx,
            "does not work with NumPy 2.0.2",
        ),
        (
            {"tensorflow": "2.16.1", "onnx": "1.16", "tf2onnx": "1.15.1", "numpy": "1.26.4"},
            versions.require_tf2onnx,
            "needs tf2onnx 1.16",
        ),
    ],
)
def test_missing_packages_and_known_bad_versions_are_named(installed, check, said, monkeypatch):
    """onnx/tensorflow-onnx/issues/2430, /2486."""

    def version(package):
        if package not in installed:
            raise importlib.metadata.PackageNotFoundError(package)
        return installed[package]

    monkeypatch.setattr(importlib.metadata, "version", version)
    with pytest.raises(ImportError, match=said):
        check("to_onnx")


def test_good_versions_pass(monkeypatch):
    good = {"tensorflow": "2.16.1", "onnx": "1.16", "tf2onnx": "1.16.1", "numpy": "1.26.4"}
    monkeypatch.setattr(importlib.metadata, "version", good.__getitem__)
    versions.require_tf2onnx("to_onnx")


def test_the_package_does_not_load_it():
    assert "export" not in at.__all__
    code = "import sys, anytensor; sys.exit('anytensor.export' in sys.modules)"
    import subprocess

    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0
    code = (
        "import sys; from anytensor import export; "
        "sys.exit(bool({'torch', 'tensorflow', 'jax', 'onnx', 'tf2onnx'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0
