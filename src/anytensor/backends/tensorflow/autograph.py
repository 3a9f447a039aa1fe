"""Keep AutoGraph from rewriting this library's source when a ``tf.function`` calls it.

Nothing here branches in Python on a tensor's value, so conversion changes no result; it only makes the first
trace slow (seconds for a small model). Layers that call the user's functions are left to AutoGraph.
"""

from __future__ import annotations

__all__ = ["leave_library_as_it_is"]


def leave_library_as_it_is() -> None:
    """Tell AutoGraph which of our packages to call as they are."""
    try:
        # TensorFlow 2.16 to 2.21: there is no public way to say this for a module, only for a function.
        from tensorflow.python.autograph.core import config
    except ImportError:
        return
    ours = (
        config.Convert("anytensor.export"),
        config.Convert("anytensor.jraph"),
        config.Convert("anytensor.hetero"),
        config.DoNotConvert("anytensor"),
    )
    config.CONVERSION_RULES = ours + tuple(config.CONVERSION_RULES)
