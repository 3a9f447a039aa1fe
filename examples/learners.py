"""Train one portable function on any framework, with that framework's own autodiff, compiler and optimizer.

The other examples write their model and loss once; what differs between PyTorch, JAX and TensorFlow is here.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np

import anytensor as at

__all__ = ["LEARNERS", "Arrays", "Learner", "Start", "Task"]

Arrays = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """What is to be trained.

    Attributes:
        loss: (params, constants, batch) -> a 0-d loss, portable.
        scores: (params, constants, batch) -> what the model says, portable.
        rate: The learning rate of Adam (Kingma and Ba, 2015, https://arxiv.org/abs/1412.6980).
        constants: A nest of arrays that every batch shares, moved to the framework once.
        decay: Weight -> the factor of its L2 regularization; 0 for a weight without.
        steps: After how many steps the rate reaches 0, on a cosine (Loshchilov and Hutter, 2017,
            https://arxiv.org/abs/1608.03983); None for a constant rate.
    """

    loss: Callable[[Arrays, Any, Any], Any]
    scores: Callable[[Arrays, Any, Any], Any]
    rate: float
    constants: Any = None
    decay: dict[str, float] = field(default_factory=dict)
    steps: int | None = None


class Learner(NamedTuple):
    """A model in training; batches are nests of NumPy arrays.

    Attributes:
        step: Takes one step on a batch.
        scores: Returns what the model says of a batch, as a NumPy array.
        compilations: Returns how often the framework compiled the step; None without a compiler.
    """

    step: Callable[[Any], None]
    scores: Callable[[Any], np.ndarray]
    compilations: Callable[[], int | None]


Start = Callable[[Arrays], Learner]


def torch_learner(task: Task, engine: str | None = None) -> Start:
    """Train with autograd and ``torch.optim.Adam``.

    Args:
        task: What is to be trained.
        engine: A backend of ``torch.compile``, which gets the whole loss; None trains eagerly.

    Returns:
        A function from initial weights, as NumPy arrays, to the learner.
    """
    import torch

    loss_function, scores_function, counter = task.loss, task.scores, None
    if engine is not None:
        from torch._dynamo.testing import CompileCounterWithBackend

        counter = CompileCounterWithBackend(engine)
        loss_function = torch.compile(loss_function, fullgraph=True, dynamic=False, backend=counter)
        scores_function = torch.compile(scores_function, fullgraph=True, dynamic=False, backend=engine)
    constants = at.tree.map(torch.from_numpy, task.constants)

    def start(params: Arrays) -> Learner:
        params = {name: torch.from_numpy(w).clone().requires_grad_() for name, w in params.items()}
        groups = [{"params": [w], "weight_decay": task.decay.get(name, 0.0)} for name, w in params.items()]
        optimizer = torch.optim.Adam(groups, lr=task.rate)
        schedule = task.steps and torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, task.steps)

        def step(batch: Any) -> None:
            optimizer.zero_grad()
            loss_function(params, constants, at.tree.map(torch.from_numpy, batch)).backward()
            optimizer.step()
            if schedule:
                schedule.step()

        @torch.no_grad()
        def scores(batch: Any) -> np.ndarray:
            return scores_function(params, constants, at.tree.map(torch.from_numpy, batch)).numpy()

        return Learner(step, scores, lambda: None if counter is None else counter.frame_count)

    return start


def jax_learner(task: Task) -> Start:
    """Train with ``jax.grad`` under ``jax.jit`` and ``optax.adam``."""
    import jax
    import jax.numpy as jnp
    import optax

    constants = at.tree.map(jnp.asarray, task.constants)
    traces = []

    @jax.jit
    def update(params: Arrays, state: Any, constants: Any, batch: Any) -> tuple[Arrays, Any]:
        traces.append(1)  # Python runs this when JAX traces, once for each set of shapes
        grads = jax.grad(task.loss)(params, constants, batch)
        # L2 regularization is part of the loss, so its gradient goes through Adam: this is no AdamW.
        grads = {name: g + task.decay.get(name, 0.0) * params[name] for name, g in grads.items()}
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(params, updates), state

    rate = optax.cosine_decay_schedule(task.rate, task.steps) if task.steps else task.rate
    optimizer, forward = optax.adam(rate), jax.jit(task.scores)

    def start(params: Arrays) -> Learner:
        weights = {name: jnp.asarray(w) for name, w in params.items()}
        now = {"params": weights, "state": optimizer.init(weights)}

        def step(batch: Any) -> None:
            now["params"], now["state"] = update(now["params"], now["state"], constants, batch)

        return Learner(
            step, lambda batch: np.asarray(forward(now["params"], constants, batch)), lambda: len(traces)
        )

    return start


def tensorflow_learner(task: Task) -> Start:
    """Train with ``GradientTape`` in a ``tf.function`` and ``keras.optimizers.Adam``."""
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    import keras
    import tensorflow as tf

    constants = at.tree.map(tf.constant, task.constants)

    def start(params: Arrays) -> Learner:
        variables = {name: tf.Variable(w) for name, w in params.items()}
        rate = keras.optimizers.schedules.CosineDecay(task.rate, task.steps) if task.steps else task.rate
        optimizer = keras.optimizers.Adam(rate, epsilon=1e-8)
        optimizer.build(list(variables.values()))

        @tf.function
        def update(batch: Any) -> None:
            with tf.GradientTape() as tape:
                loss = task.loss(dict(variables), constants, batch)
                # Keras' own weight decay is that of AdamW, outside of the gradient.
                for name, factor in task.decay.items():
                    loss += factor * tf.nn.l2_loss(variables[name])
            grads = tape.gradient(loss, list(variables.values()))
            optimizer.apply(grads, list(variables.values()))

        forward = tf.function(lambda batch: task.scores(dict(variables), constants, batch))

        return Learner(
            lambda batch: update(at.tree.map(tf.constant, batch)),
            lambda batch: forward(at.tree.map(tf.constant, batch)).numpy(),
            update.experimental_get_tracing_count,
        )

    return start


LEARNERS: dict[str, Callable[..., Start]] = {
    "torch": torch_learner,
    "jax": jax_learner,
    "tensorflow": tensorflow_learner,
}
