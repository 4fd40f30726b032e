//! Publications that several files of algorithms come from, in alphabetical order. What only one file cites,
//! it holds itself.

use assay_plugin_api::Reference;

/// Peltola and Tarhio, 2003.
pub const ALTERNATIVE_ALGORITHMS: Reference = Reference {
    authors: &["H. Peltola", "J. Tarhio"],
    title: "Alternative Algorithms for Bit-Parallel String Matching",
    booktitle: "SPIRE 2003",
    series: "LNCS",
    volume: "2857",
    pages: "80-94",
    year: 2003,
    doi: "10.1007/978-3-540-39984-1_7",
    ..Reference::UNKNOWN
};

/// Neamatollahi et al., 2020.
pub const BIOLOGICAL_SEQUENCES: Reference = Reference {
    authors: &["P. Neamatollahi", "M. Hadi", "M. Naghibzadeh"],
    title: "Simple and Efficient Pattern Matching Algorithms for Biological Sequences",
    journal: "IEEE Access",
    volume: "8",
    pages: "23838-23846",
    year: 2020,
    doi: "10.1109/ACCESS.2020.2969038",
    ..Reference::UNKNOWN
};

/// Cantone et al., 2010.
pub const BIT_PARALLELISM_SQUARED: Reference = Reference {
    authors: &["D. Cantone", "S. Faro", "E. Giaquinta"],
    title: "Bit-(Parallelism)^2: Getting to the Next Level of Parallelism",
    booktitle: "FUN 2010",
    series: "LNCS",
    volume: "6099",
    pages: "166-177",
    year: 2010,
    doi: "10.1007/978-3-642-13122-6_18",
    ..Reference::UNKNOWN
};

/// Cantone et al., 2010.
pub const COMPACT_REPRESENTATION: Reference = Reference {
    authors: &["D. Cantone", "S. Faro", "E. Giaquinta"],
    title: "A Compact Representation of Nondeterministic (Suffix) Automata for the Bit-Parallel Approach",
    booktitle: "CPM 2010",
    series: "LNCS",
    volume: "6129",
    pages: "288-298",
    year: 2010,
    doi: "10.1007/978-3-642-13509-5_26",
    related: Some(("journal version", &COMPACT_REPRESENTATION_IN_JOURNAL)),
    ..Reference::UNKNOWN
};

/// Cantone et al., 2012.
const COMPACT_REPRESENTATION_IN_JOURNAL: Reference = Reference {
    authors: &["D. Cantone", "S. Faro", "E. Giaquinta"],
    title: "A Compact Representation of Nondeterministic (Suffix) Automata for the Bit-Parallel Approach",
    journal: "Inf. Comput.",
    volume: "213",
    pages: "3-12",
    year: 2012,
    doi: "10.1016/j.ic.2011.03.006",
    ..Reference::UNKNOWN
};

/// Kobayashi et al., 2020.
pub const DISTANCES_OF_QGRAMS: Reference = Reference {
    authors: &["S. Kobayashi", "D. Hendrian", "R. Yoshinaka", "A. Shinohara"],
    title: "Fast and linear-time string matching algorithms based on the distances of q-gram occurrences",
    booktitle: "SEA 2020",
    series: "LIPIcs",
    volume: "160",
    eid: "13",
    arxiv: "2002.08004",
    year: 2020,
    doi: "10.4230/LIPIcs.SEA.2020.13",
    ..Reference::UNKNOWN
};

/// Pakalén et al., 2021.
pub const EXTENDED_GUARD: Reference = Reference {
    authors: &["W. Pakalén", "J. Tarhio", "B. W. Watson"],
    title: "Searching with Extended Guard and Pivot Loop",
    booktitle: "PSC 2021",
    year: 2021,
    ..Reference::UNKNOWN
};

/// Allauzen et al., 1999.
pub const FACTOR_ORACLE: Reference = Reference {
    authors: &["C. Allauzen", "M. Crochemore", "M. Raffinot"],
    title: "Factor Oracle: A New Structure for Pattern Matching",
    booktitle: "SOFSEM 1999",
    series: "LNCS",
    volume: "1725",
    pages: "295-310",
    year: 1999,
    doi: "10.1007/3-540-47849-3_18",
    ..Reference::UNKNOWN
};

/// Navarro and Raffinot, 2000.
pub const FAST_AND_FLEXIBLE: Reference = Reference {
    authors: &["G. Navarro", "M. Raffinot"],
    title: "Fast and Flexible String Matching by Combining Bit-Parallelism and Suffix Automata",
    journal: "ACM J. Exp. Algorithmics",
    volume: "5",
    eid: "4",
    year: 2000,
    doi: "10.1145/351827.384246",
    ..Reference::UNKNOWN
};

/// Cantone and Faro, 2005: the later version of two papers of 2003, with one algorithm more.
pub const FAST_SEARCH: Reference = Reference {
    authors: &["D. Cantone", "S. Faro"],
    title: "Fast-Search Algorithms: New Efficient Variants of the Boyer-Moore Pattern-Matching Algorithm",
    journal: "J. Autom. Lang. Comb.",
    volume: "10",
    number: "5/6",
    pages: "589-608",
    year: 2005,
    ..Reference::UNKNOWN
};

/// Holub and Ďurian, 2005.
pub const FAST_VARIANTS: Reference = Reference {
    authors: &["J. Holub", "B. Ďurian"],
    title: "Fast variants of bit parallel approach to suffix automata",
    howpublished: "Talk at the 2nd Haifa Annual International Stringology Research Workshop",
    year: 2005,
    ..Reference::UNKNOWN
};

/// Fan et al., 2009.
pub const FAST_VARIANTS_OF_BOM: Reference = Reference {
    authors: &["H. Fan", "N. Yao", "H. Ma"],
    title: "Fast Variants of the Backward-Oracle-Marching Algorithm",
    booktitle: "ICICSE 2009",
    pages: "56-59",
    year: 2009,
    doi: "10.1109/ICICSE.2009.53",
    ..Reference::UNKNOWN
};

/// Cantone et al., 2019.
pub const LINEAR_WEAK_FACTORS: Reference = Reference {
    authors: &["D. Cantone", "S. Faro", "A. Pavone"],
    title: "Linear and Efficient String Matching Algorithms Based on Weak Factor Recognition",
    journal: "ACM J. Exp. Algorithmics",
    volume: "24",
    eid: "1.8",
    year: 2019,
    doi: "10.1145/3301295",
    ..Reference::UNKNOWN
};

/// Palmer et al., 2024.
pub const LINKED_WEAK_FACTORS: Reference = Reference {
    authors: &["M. N. Palmer", "S. Faro", "S. Scafiti"],
    title: "Efficient Exact Online String Matching Through Linked Weak Factors",
    booktitle: "SEA 2024",
    series: "LIPIcs",
    volume: "301",
    eid: "24",
    year: 2024,
    doi: "10.4230/LIPIcs.SEA.2024.24",
    ..Reference::UNKNOWN
};

/// Ďurian et al., 2010.
pub const LONG_PATTERNS: Reference = Reference {
    authors: &["B. Ďurian", "H. Peltola", "L. Salmela", "J. Tarhio"],
    title: "Bit-Parallel Search Algorithms for Long Patterns",
    booktitle: "SEA 2010",
    series: "LNCS",
    volume: "6049",
    pages: "129-140",
    year: 2010,
    doi: "10.1007/978-3-642-13193-6_12",
    ..Reference::UNKNOWN
};

/// Peltola and Tarhio, 2014.
pub const LOOKAHEAD: Reference = Reference {
    authors: &["H. Peltola", "J. Tarhio"],
    title: "String matching with lookahead",
    journal: "Discrete Appl. Math.",
    volume: "163",
    pages: "352-360",
    year: 2014,
    doi: "10.1016/j.dam.2013.10.034",
    ..Reference::UNKNOWN
};

/// Felker, 2005.
pub const MUSL_MEMMEM: Reference = Reference {
    authors: &["R. Felker"],
    title: "memmem",
    howpublished: "musl libc, 2005-2020",
    year: 2005,
    ..Reference::UNKNOWN
};

/// Baeza-Yates and Gonnet, 1992.
pub const NEW_APPROACH: Reference = Reference {
    authors: &["R. Baeza-Yates", "G. H. Gonnet"],
    title: "A new approach to text searching",
    journal: "Commun. ACM",
    volume: "35",
    number: "10",
    pages: "74-82",
    year: 1992,
    doi: "10.1145/135239.135243",
    ..Reference::UNKNOWN
};

/// Cantone and Faro, 2013.
pub const OCCURRENCE_HEURISTICS: Reference = Reference {
    authors: &["D. Cantone", "S. Faro"],
    title: "Improved and Self-Tuned Occurrence Heuristics",
    booktitle: "PSC 2013",
    pages: "92-106",
    year: 2013,
    related: Some(("journal version", &OCCURRENCE_HEURISTICS_IN_JOURNAL)),
    ..Reference::UNKNOWN
};

/// Cantone and Faro, 2014.
const OCCURRENCE_HEURISTICS_IN_JOURNAL: Reference = Reference {
    authors: &["D. Cantone", "S. Faro"],
    title: "Improved and Self-Tuned Occurrence Heuristics",
    journal: "J. Discrete Algorithms",
    volume: "28",
    pages: "73-84",
    year: 2014,
    doi: "10.1016/j.jda.2014.07.006",
    ..Reference::UNKNOWN
};

/// Lecroq, 2023.
pub const OPTIMAL_HASH: Reference = Reference {
    authors: &["T. Lecroq"],
    title: "Optimal-Hash Exact String Matching Algorithms",
    arxiv: "2303.05799",
    year: 2023,
    ..Reference::UNKNOWN
};

/// Aydoğmuş and Külekci, 2018.
pub const PACKED_ON_AVX2: Reference = Reference {
    authors: &["M. A. Aydoğmuş", "M. O. Külekci"],
    title: "Optimizing Packed String Matching on AVX2 Platform",
    booktitle: "VECPAR 2018",
    series: "LNCS",
    volume: "11333",
    year: 2018,
    doi: "10.1007/978-3-030-15996-2_4",
    ..Reference::UNKNOWN
};

/// Fredriksson and Grabowski, 2005.
pub const PRACTICAL_AND_OPTIMAL: Reference = Reference {
    authors: &["K. Fredriksson", "S. Grabowski"],
    title: "Practical and Optimal String Matching",
    booktitle: "SPIRE 2005",
    series: "LNCS",
    volume: "3772",
    pages: "376-387",
    year: 2005,
    doi: "10.1007/11575832_42",
    ..Reference::UNKNOWN
};

/// Muła, 2016.
pub const SIMD_FRIENDLY: Reference = Reference {
    authors: &["W. Muła"],
    title: "SIMD-friendly algorithms for substring searching",
    howpublished: "0x80.pl",
    url: "http://0x80.pl/articles/simd-strfind.html",
    year: 2016,
    ..Reference::UNKNOWN
};

/// Giaquinta, 2015.
pub const RUN_LENGTH_ENCODED: Reference = Reference {
    authors: &["E. Giaquinta"],
    title: "Run-Length Encoded Nondeterministic KMP and Suffix Automata",
    booktitle: "CIAA 2015",
    series: "LNCS",
    volume: "9223",
    year: 2015,
    arxiv: "1412.3688",
    doi: "10.1007/978-3-319-22360-5_9",
    ..Reference::UNKNOWN
};

/// Faro and Lecroq, 2012.
pub const SLIDING_WINDOWS: Reference = Reference {
    authors: &["S. Faro", "T. Lecroq"],
    title: "A Multiple Sliding Windows Approach to Speed Up String Matching Algorithms",
    booktitle: "SEA 2012",
    series: "LNCS",
    volume: "7276",
    pages: "172-183",
    year: 2012,
    doi: "10.1007/978-3-642-30850-5_16",
    ..Reference::UNKNOWN
};

/// Charras et al., 1998.
pub const SMALL_ALPHABETS_LONG_PATTERNS: Reference = Reference {
    authors: &["C. Charras", "T. Lecroq", "J. D. Pehoushek"],
    title: "A Very Fast String Matching Algorithm for Small Alphabets and Long Patterns",
    booktitle: "CPM 1998",
    series: "LNCS",
    volume: "1448",
    pages: "55-64",
    year: 1998,
    doi: "10.1007/BFb0030780",
    ..Reference::UNKNOWN
};

/// Crochemore et al., 1994.
pub const SPEEDING_UP_TWO: Reference = Reference {
    authors: &[
        "M. Crochemore",
        "A. Czumaj",
        "L. Gąsieniec",
        "S. Jarominek",
        "T. Lecroq",
        "W. Plandowski",
        "W. Rytter",
    ],
    title: "Speeding up two string-matching algorithms",
    journal: "Algorithmica",
    volume: "12",
    number: "4/5",
    pages: "247-267",
    year: 1994,
    doi: "10.1007/BF01185427",
    ..Reference::UNKNOWN
};

/// Ďurian et al., 2009.
pub const TUNING_BNDM: Reference = Reference {
    authors: &["B. Ďurian", "J. Holub", "H. Peltola", "J. Tarhio"],
    title: "Tuning BNDM with q-Grams",
    booktitle: "ALENEX 2009",
    pages: "29-37",
    year: 2009,
    doi: "10.1137/1.9781611972894.3",
    ..Reference::UNKNOWN
};

/// Ďurian et al., 2014.
pub const TWO_WAY_BIT_PARALLEL: Reference = Reference {
    authors: &["B. Ďurian", "T. Chhabra", "S. S. Ghuman", "T. Hirvola", "H. Peltola", "J. Tarhio"],
    title: "Improved Two-Way Bit-parallel Search",
    booktitle: "PSC 2014",
    pages: "71-83",
    year: 2014,
    ..Reference::UNKNOWN
};

/// Faro and Lecroq, 2008.
pub const VARIANTS_OF_BOM: Reference = Reference {
    authors: &["S. Faro", "T. Lecroq"],
    title: "Efficient Variants of the Backward-Oracle-Matching Algorithm",
    booktitle: "PSC 2008",
    pages: "146-160",
    year: 2008,
    related: Some(("journal version", &VARIANTS_OF_BOM_IN_JOURNAL)),
    ..Reference::UNKNOWN
};

/// Faro and Lecroq, 2009.
const VARIANTS_OF_BOM_IN_JOURNAL: Reference = Reference {
    authors: &["S. Faro", "T. Lecroq"],
    title: "Efficient Variants of the Backward-Oracle-Matching Algorithm",
    journal: "Int. J. Found. Comput. Sci.",
    volume: "20",
    number: "6",
    pages: "967-984",
    year: 2009,
    doi: "10.1142/S0129054109006991",
    ..Reference::UNKNOWN
};

/// Sunday, 1990.
pub const VERY_FAST_SUBSTRING: Reference = Reference {
    authors: &["D. M. Sunday"],
    title: "A very fast substring search algorithm",
    journal: "Commun. ACM",
    volume: "33",
    number: "8",
    pages: "132-142",
    year: 1990,
    doi: "10.1145/79173.79184",
    ..Reference::UNKNOWN
};

/// Cantone et al., 2017.
pub const WEAK_FACTORS: Reference = Reference {
    authors: &["D. Cantone", "S. Faro", "A. Pavone"],
    title: "Speeding Up String Matching by Weak Factor Recognition",
    booktitle: "PSC 2017",
    pages: "42-50",
    year: 2017,
    ..Reference::UNKNOWN
};

/// He et al., 2005.
pub const WIDE_WINDOW: Reference = Reference {
    authors: &["L. He", "B. Fang", "J. Sui"],
    title: "The wide window string matching algorithm",
    journal: "Theor. Comput. Sci.",
    volume: "332",
    number: "1-3",
    pages: "391-404",
    year: 2005,
    doi: "10.1016/j.tcs.2004.12.002",
    ..Reference::UNKNOWN
};
