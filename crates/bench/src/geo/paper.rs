//! What GeoRisk-RAG prints (Tables 5, 6 and 7), to set beside our own figures. Its questions (449
//! on wildfire), its documents and its judge are not public, so that the figures stand beside each
//! other and are not compared.

/// A row of Table 5: the method, and value, low and high of each figure.
pub struct PaperRow {
    /// The paper's name of the method.
    pub name: &'static str,
    /// Ours.
    pub ours: &'static str,
    /// Good decision quality, faithfulness, appropriate warning, over-abstention, false
    /// confidence, factual correctness.
    pub figures: [(f64, f64, f64); 6],
}

/// Our names of Table 5's columns, in its order.
pub const COLUMNS: [&str; 6] = [
    "good_decision_quality",
    "faithfulness",
    "appropriate_warning_rate",
    "over_abstention",
    "false_confidence",
    "factual_correctness",
];

/// Table 5, location-dependent questions.
pub const TABLE_5: [PaperRow; 5] = [
    PaperRow {
        name: "Standard RAG+Cross Encoder",
        ours: "cosine-rerank",
        figures: [
            (0.751, 0.692, 0.810),
            (0.773, 0.693, 0.852),
            (0.001, 0.000, 0.001),
            (0.086, 0.054, 0.127),
            (0.090, 0.054, 0.131),
            (0.557, 0.493, 0.620),
        ],
    },
    PaperRow {
        name: "Standard RAG",
        ours: "cosine",
        figures: [
            (0.819, 0.769, 0.869),
            (0.800, 0.714, 0.876),
            (0.009, 0.000, 0.023),
            (0.036, 0.014, 0.063),
            (0.095, 0.059, 0.136),
            (0.679, 0.615, 0.742),
        ],
    },
    PaperRow {
        name: "Keyword Match",
        ours: "keyword",
        figures: [
            (0.908, 0.896, 0.939),
            (0.909, 0.878, 0.958),
            (0.005, 0.000, 0.014),
            (0.045, 0.018, 0.073),
            (0.023, 0.005, 0.045),
            (0.615, 0.552, 0.683),
        ],
    },
    PaperRow {
        name: "Granularity Match",
        ours: "granularity",
        figures: [
            (0.824, 0.769, 0.873),
            (0.750, 0.666, 0.845),
            (0.001, 0.000, 0.001),
            (0.041, 0.018, 0.068),
            (0.095, 0.059, 0.136),
            (0.561, 0.498, 0.624),
        ],
    },
    PaperRow {
        name: "GeoRisk-RAG",
        ours: "lahar",
        figures: [
            (0.946, 0.910, 0.977),
            (0.965, 0.912, 1.000),
            (0.195, 0.140, 0.244),
            (0.030, 0.014, 0.053),
            (0.009, 0.000, 0.023),
            (0.761, 0.708, 0.824),
        ],
    },
];

/// Table 6, stability of retrieval: our name of the method, and the two embedding models
/// bge-base-en-v1.5 and bge-small-en-v1.5.
pub const TABLE_6: [(&str, f64, f64); 5] = [
    ("cosine-rerank", 0.815, 0.816),
    ("granularity", 0.820, 0.829),
    ("keyword", 0.863, 0.872),
    ("cosine", 0.814, 0.821),
    ("lahar", 0.872, 0.873),
];

/// Columns of Table 7, in the order in which [`TABLE_7`] gives a row's figures.
pub const TABLE_7_METHODS: [&str; 5] =
    ["cosine-rerank", "keyword", "granularity", "cosine", "lahar"];

/// Table 7, correctness by the relation of the retrieved passages: our name of the class, and a
/// figure for each of [`TABLE_7_METHODS`]. The paper gives no counts.
pub const TABLE_7: [(&str, [f64; 5]); 5] = [
    ("exact", [0.718, 0.745, 0.747, 0.683, 0.811]),
    ("mismatch", [0.732, 0.700, 1.000, 0.686, 0.685]),
    ("none", [0.350, 0.420, 0.419, 0.472, 0.357]),
    ("coarse", [0.812, 0.889, 0.867, 0.889, 1.000]),
    ("fine", [0.500, 1.000, 1.000, 0.723, 1.000]),
];
