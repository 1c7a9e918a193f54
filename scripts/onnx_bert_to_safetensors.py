#!/usr/bin/env python3
"""Turns the ONNX file of a BERT sentence embedder into a model folder that Lahar reads.

    scripts/onnx_bert_to_safetensors.py MODEL.onnx TOKENIZER_FOLDER OUT

TOKENIZER_FOLDER holds the tokenizer.json of a model with the same vocabulary. OUT gets
model.safetensors, tokenizer.json and config.json. Only the standard library is used: an ONNX file
is a protobuf message, of which a few fields are read (onnx.proto3 of ONNX 1.16), and a safetensors
file is a JSON header before the numbers.

Sizes are read from the tensors themselves; the number of attention heads is not in them, and a
MiniLM has 12.
"""

import json
import os
import re
import shutil
import struct
import sys
from array import array

HEADS = 12


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """The fields of a message: number and value, bytes uncopied."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
            value, at = data[at : at + size], at + size
        else:
            raise SystemExit(f"this is no ONNX file: wire type {wire} at byte {at}")
        yield number, value


def tensor(message):
    name, kind, dims, raw = "", 0, [], b""
    for number, value in fields(message):
        if number == 1:
            if isinstance(value, int):
                dims.append(value)
            else:
                at = 0
                while at < len(value):
                    size, at = varint(value, at)
                    dims.append(size)
        elif number == 2:
            kind = value
        elif number == 8:
            name = bytes(value).decode()
        elif number == 9:
            raw = bytes(value)
    return name, kind, dims, raw


def node(message):
    inputs, name, op = [], "", ""
    for number, value in fields(message):
        if number == 1:
            inputs.append(bytes(value).decode())
        elif number == 3:
            name = bytes(value).decode()
        elif number == 4:
            op = bytes(value).decode()
    return inputs, name, op


def transposed(dims, raw):
    rows, columns = dims
    values = array("f")
    values.frombytes(raw)
    out = array("f", bytes(len(raw)))
    for column in range(columns):
        out[column * rows : (column + 1) * rows] = values[column::columns]
    return [columns, rows], out.tobytes()


def read(path):
    with open(path, "rb") as file:
        data = memoryview(file.read())
    graph = next(value for number, value in fields(data) if number == 7)
    held, weights, products = {}, {}, []
    for number, value in fields(graph):
        if number == 5:
            name, kind, dims, raw = tensor(value)
            held[name] = (kind, dims, raw)
        elif number == 1:
            inputs, name, op = node(value)
            if op == "MatMul":
                products.append((inputs, name))
    for name, (kind, dims, raw) in held.items():
        if kind == 1 and re.match(r"(\w+\.)*(embeddings|encoder|pooler)\.", name):
            weights[re.sub(r"^.*?(embeddings|encoder|pooler)\.", r"\1.", name, count=1)] = (dims, raw)
    # The exporter folds a dense layer's weight into a nameless constant that lies the other way
    # round; the node that multiplies by it is named after the layer.
    for inputs, name in products:
        layer = re.search(r"(encoder|pooler)/.*(?=/MatMul$)", name)
        constant = next((held[i] for i in inputs if i in held), None)
        if layer and constant and len(constant[1]) == 2:
            dims, raw = transposed(constant[1], constant[2])
            weights[layer.group(0).replace("/", ".") + ".weight"] = (dims, raw)
    return weights


def write(weights, path):
    header, offset = {}, 0
    for name in sorted(weights):
        dims, raw = weights[name]
        header[name] = {"dtype": "F32", "shape": dims, "data_offsets": [offset, offset + len(raw)]}
        offset += len(raw)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)))
        file.write(text)
        for name in sorted(weights):
            file.write(weights[name][1])


def main():
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    source, tokenizer, out = sys.argv[1:]
    weights = read(source)
    vocabulary, hidden = weights["embeddings.word_embeddings.weight"][0]
    positions = weights["embeddings.position_embeddings.weight"][0][0]
    layers = 1 + max(int(n.split(".")[2]) for n in weights if n.startswith("encoder.layer."))
    for layer in range(layers):
        for part in ("attention.self.query", "attention.self.key", "attention.self.value",
                     "attention.output.dense", "intermediate.dense", "output.dense"):
            for kind in ("weight", "bias"):
                if f"encoder.layer.{layer}.{part}.{kind}" not in weights:
                    raise SystemExit(f"{source} lacks {part}.{kind} of layer {layer}")
    os.makedirs(out, exist_ok=True)
    write(weights, os.path.join(out, "model.safetensors"))
    shutil.copy(os.path.join(tokenizer, "tokenizer.json"), out)
    config = {
        "model_type": "bert",
        "architectures": ["BertModel"],
        "hidden_act": "gelu",
        "hidden_size": hidden,
        "intermediate_size": weights["encoder.layer.0.intermediate.dense.weight"][0][0],
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": positions,
        "num_attention_heads": HEADS,
        "num_hidden_layers": layers,
        "type_vocab_size": weights["embeddings.token_type_embeddings.weight"][0][0],
        "vocab_size": vocabulary,
    }
    with open(os.path.join(out, "config.json"), "w") as file:
        json.dump(config, file, indent=2)
        file.write("\n")
    print(f"{out}: {len(weights)} tensors, {layers} layers, {vocabulary} words of {hidden}")


main()
