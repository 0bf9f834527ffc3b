"""Step 3: moves the weights out of the ONNX file into a file beside it.

A runtime can only use weights in place, without a copy, when they are not inside the protobuf message. The numbers do
not change.

usage: python split_weights.py out/model-int8.onnx out/e5-small-enzh-int8.onnx
       (writes out/e5-small-enzh-int8.onnx and out/e5-small-enzh-int8.onnx.data)
needs: onnx
"""

import argparse
import pathlib

import onnx


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("model", type=pathlib.Path)
    arguments.add_argument("output", type=pathlib.Path)
    given = arguments.parse_args()

    data = given.output.with_name(given.output.name + ".data")
    # The exporter appends to an existing file.
    data.unlink(missing_ok=True)
    onnx.save_model(
        onnx.load(given.model),
        given.output,
        save_as_external_data=True,
        all_tensors_to_one_file=True,
        location=data.name,
        size_threshold=1024,
        convert_attribute=False,
    )


if __name__ == "__main__":
    main()
