"""A LightningModule around portable layers: trained a few steps, exported, served by ONNX Runtime."""

import lightning
import numpy as np
import pytest
import torch
from onnx_running import assert_same, run, session
from recipe_graphs import WIDTH, batch_of, predict

from anytensor import export


class GraphRegressor(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(3, WIDTH)
        self.second = torch.nn.Linear(WIDTH, WIDTH)
        self.readout = torch.nn.Linear(WIDTH, 1)

    def forward(self, nodes, senders, receivers, n_node):
        return predict(lambda name, x: getattr(self, name)(x), nodes, senders, receivers, n_node)

    def training_step(self, batch, index):
        inputs, target = batch
        return torch.mean((self(**inputs) - target) ** 2)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.05)


def as_tensors(batch):
    inputs, target = batch
    return {name: torch.tensor(array) for name, array in inputs.items()}, torch.tensor(target)


# What Lightning says about the size of the machine and about a loader of ready batches.
@pytest.mark.filterwarnings("ignore:.*does not have many workers")
@pytest.mark.filterwarnings("ignore:.*:DeprecationWarning:lightning.*")
@pytest.mark.filterwarnings("ignore:.*LeafSpec.*:FutureWarning")
def test_trained_exported_and_served(tmp_path):
    torch.manual_seed(0)
    model = GraphRegressor()
    batches = [as_tensors(batch_of(8, seed)) for seed in range(12)]
    before = model.training_step(batches[0], 0).item()
    trainer = lightning.Trainer(
        max_epochs=1,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=tmp_path,
    )
    trainer.fit(model, torch.utils.data.DataLoader(batches, batch_size=None))
    assert model.training_step(batches[0], 0).item() < before

    inputs, _ = batch_of(3, 100)
    graph = export.to_onnx_torch(model, tuple(inputs.values()))
    export.assert_symbolic_lengths(graph)
    export.assert_embedded_weights(graph, dict(model.named_parameters()))
    loaded = session(graph)
    for graphs in (1, 7):
        inputs, _ = batch_of(graphs, 200)
        with torch.no_grad():
            wanted = model(*[torch.tensor(array) for array in inputs.values()]).numpy()
        assert_same(run(loaded, inputs), {"output": wanted}, graphs)
        assert np.isfinite(wanted).all()
