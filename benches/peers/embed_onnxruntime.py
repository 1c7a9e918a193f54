"""The texts of `cargo bench -p lahar-models` by onnxruntime, with the same weights.

    pip install onnxruntime==1.32.0 onnx tokenizers numpy
    python benches/peers/embed_onnxruntime.py MODEL_FOLDER

Builds the ONNX graph from `model.safetensors`, sorts the texts by length, pads batches of 32.
"""
import json, math, pathlib, struct, sys, tempfile, time
import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer

TEXTS, ROUNDS, BATCH = 96, 5, 32
WORDS = (
    "the of and in river flood storm surge wildfire smoke debris flow after heavy rain warning level county "
    "evacuation slope was earthquake magnitude shaking coastal drought heat index forecast near damage bridge "
    "road closed gauge reached feet wind gusts hours"
).split()


def texts():
    state = 7

    def draw(n):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 33) % n

    made = []
    for _ in range(TEXTS):
        count = 40 + draw(140)
        made.append("".join(WORDS[draw(len(WORDS))] + (". " if i % 12 == 0 else " ") for i in range(1, count + 1)))
    return made


def read_safetensors(path):
    with open(path, "rb") as f:
        header = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
        data = f.read()
    return {
        name: np.frombuffer(data[e["data_offsets"][0]:e["data_offsets"][1]], "<f4").reshape(e["shape"])
        for name, e in header.items() if name != "__metadata__" and e["dtype"] == "F32"
    }


def graph(weights, config):
    hidden, heads, eps = config["hidden_size"], config["num_attention_heads"], config["layer_norm_eps"]
    width = hidden // heads
    nodes, constants, count = [], [], 0

    def const(value):
        nonlocal count
        count += 1
        constants.append(numpy_helper.from_array(np.ascontiguousarray(value), f"c{count}"))
        return f"c{count}"

    def op(kind, *inputs, **attributes):
        nonlocal count
        count += 1
        nodes.append(helper.make_node(kind, list(inputs), [f"t{count}"], **attributes))
        return f"t{count}"

    floats = lambda x: const(np.array(x, np.float32))
    ints = lambda x: const(np.array(x, np.int64))
    w = lambda name: const(weights[name])
    dense = lambda x, name: op("Add", op("MatMul", x, const(weights[name + ".weight"].T)), w(name + ".bias"))
    norm = lambda x, name: op("LayerNormalization", x, w(name + ".weight"), w(name + ".bias"), axis=-1, epsilon=eps)

    length = op("Gather", op("Shape", "ids"), ints([1]), axis=0)
    positions = op("Slice", w("embeddings.position_embeddings.weight"), ints([0]), length, ints([0]))
    x = op("Add", op("Add", op("Gather", w("embeddings.word_embeddings.weight"), "ids"), positions), const(weights["embeddings.token_type_embeddings.weight"][0]))
    x = norm(x, "embeddings.LayerNorm")
    mask = op("Cast", "mask", to=TensorProto.FLOAT)
    bias = op("Mul", op("Sub", floats(1.0), op("Unsqueeze", mask, ints([1, 2]))), floats(-1e9))
    split = lambda t: op("Transpose", op("Reshape", t, ints([0, 0, heads, width])), perm=[0, 2, 1, 3])
    for n in range(config["num_hidden_layers"]):
        p = f"encoder.layer.{n}."
        q, k, v = (split(dense(x, p + "attention.self." + s)) for s in ("query", "key", "value"))
        scores = op("Div", op("MatMul", q, op("Transpose", k, perm=[0, 1, 3, 2])), floats(math.sqrt(width)))
        context = op("MatMul", op("Softmax", op("Add", scores, bias), axis=-1), v)
        context = op("Reshape", op("Transpose", context, perm=[0, 2, 1, 3]), ints([0, 0, hidden]))
        x = norm(op("Add", dense(context, p + "attention.output.dense"), x), p + "attention.output.LayerNorm")
        y = dense(x, p + "intermediate.dense")
        y = op("Mul", op("Mul", y, op("Add", op("Erf", op("Div", y, floats(math.sqrt(2)))), floats(1.0))), floats(0.5))
        x = norm(op("Add", dense(y, p + "output.dense"), x), p + "output.LayerNorm")
    column = op("Unsqueeze", mask, ints([2]))
    mean = op("Div", op("ReduceSum", op("Mul", x, column), ints([1]), keepdims=0), op("ReduceSum", column, ints([1]), keepdims=0))
    unit = op("Div", mean, op("ReduceL2", mean, axes=[1], keepdims=1))
    nodes.append(helper.make_node("Identity", [unit], ["vectors"]))
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "n"]) for name in ("ids", "mask")]
    outputs = [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["b", hidden])]
    made = helper.make_graph(nodes, "bert", inputs, outputs, constants)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9).SerializeToString()


folder = pathlib.Path(sys.argv[1])
config = json.loads((folder / "config.json").read_text())
model = graph(read_safetensors(folder / "model.safetensors"), config)
tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
tokenizer.no_padding()
tokenizer.enable_truncation(256)


def session(threads):
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def embed(run, batch_texts):
    encodings = tokenizer.encode_batch(batch_texts)
    order = sorted(range(len(batch_texts)), key=lambda i: -len(encodings[i].ids))
    vectors = np.zeros((len(batch_texts), config["hidden_size"]), np.float32)
    for start in range(0, len(order), BATCH):
        part = order[start:start + BATCH]
        longest = max(len(encodings[i].ids) for i in part)
        ids, mask = np.zeros((len(part), longest), np.int64), np.zeros((len(part), longest), np.int64)
        for row, i in enumerate(part):
            ids[row, : len(encodings[i].ids)] = encodings[i].ids
            mask[row, : len(encodings[i].ids)] = 1
        vectors[part] = run.run(None, {"ids": ids, "mask": mask})[0]
    return vectors


all_texts = texts()
tokens = sum(len(e.ids) for e in tokenizer.encode_batch(all_texts))
print(f"onnxruntime {ort.__version__}, {TEXTS} texts, {tokens / TEXTS:.1f} tokens on average")
sessions = {threads: session(threads) for threads in (1, 2)}
for _ in range(ROUNDS):
    for threads, run in sessions.items():
        start, start_cpu = time.perf_counter(), time.process_time()
        vectors = embed(run, all_texts)
        seconds, cpu = time.perf_counter() - start, time.process_time() - start_cpu
        print(f"threads {threads}  {seconds:.3f} s  {TEXTS / seconds:.1f} texts/s  {tokens / seconds:.0f} tokens/s  {TEXTS / cpu:.1f} texts/cpu-s")
start = time.perf_counter()
for _ in range(20):
    embed(sessions[1], ["Which counties were under a flood warning?"])
print(f"one question, 1 thread: {(time.perf_counter() - start) * 50:.2f} ms")
