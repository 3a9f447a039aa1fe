"""A Keras 3 model whose layer calls portable code; as a program it trains and predicts on one backend."""

import sys

import keras
import numpy as np
from recipe_graphs import WIDTH, batch_of, predict


class GraphRegressor(keras.Model):
    def __init__(self):
        super().__init__()
        widths = {"first": WIDTH, "second": WIDTH, "readout": 1}
        self.parts = {name: keras.layers.Dense(width, name=name) for name, width in widths.items()}
        for name, width in (("first", 3), ("second", WIDTH), ("readout", WIDTH)):
            self.parts[name].build((None, width))
        self.built = True

    def call(self, inputs):
        return predict(lambda name, x: self.parts[name](x), **inputs)


def train(steps=10):
    """Return a model trained by Keras's own loop, and its losses before and after."""
    keras.utils.set_random_seed(0)
    model = GraphRegressor()
    model.compile(optimizer=keras.optimizers.Adam(0.05), loss="mse", jit_compile=False)
    inputs, target = batch_of(8, 0)
    inputs = {name: keras.ops.convert_to_tensor(array) for name, array in inputs.items()}
    losses = [float(model.train_on_batch(inputs, target)) for _ in range(steps)]
    return model, losses


if __name__ == "__main__":
    model, losses = train()
    assert losses[-1] < losses[0], losses
    inputs, _ = batch_of(3, 100)
    found = keras.ops.convert_to_numpy(
        model({name: keras.ops.convert_to_tensor(array) for name, array in inputs.items()})
    )
    np.savez(sys.argv[1], found=found, **{v.path.replace("/", "__"): np.asarray(v) for v in model.weights})
