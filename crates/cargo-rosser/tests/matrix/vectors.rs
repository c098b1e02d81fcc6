//! Vector instructions, by their intrinsics. What the processor does not have is left out.

use crate::case::Case;
use crate::snippets::Snippet;

/// A name, an expression with an intrinsic for the buffer of bytes `p`, the last byte that it accesses, one
/// that it does not, and whether it writes.
type Intrinsic = (&'static str, &'static str, usize, usize, bool);

const SSE2: &[Intrinsic] = &[
    ("loadu_si128", "unsafe { _mm_loadu_si128(p.cast().at(0)) }", 15, 16, false),
    ("loadu_si128_odd", "unsafe { _mm_loadu_si128(p.at(3).cast()) }", 18, 19, false),
    ("load_si128", "unsafe { _mm_load_si128(p.cast().at(0)) }", 15, 16, false),
    ("storeu_si128", "unsafe { _mm_storeu_si128(p.cast().at(0), _mm_set1_epi8(1)) }", 15, 16, true),
    (
        "storeu_si128_odd",
        "unsafe { _mm_storeu_si128(p.at(3).cast(), _mm_set1_epi8(1)) }",
        18,
        19,
        true,
    ),
    ("store_si128", "unsafe { _mm_store_si128(p.cast().at(0), _mm_set1_epi8(1)) }", 15, 16, true),
    ("stream_si128", "unsafe { _mm_stream_si128(p.cast().at(0), _mm_set1_epi8(1)) }", 15, 16, true),
    ("stream_si32", "unsafe { _mm_stream_si32(p.cast().at(0), 1) }", 3, 4, true),
    ("stream_pd", "unsafe { _mm_stream_pd(p.cast().at(0), _mm_set1_pd(1.0)) }", 15, 16, true),
    (
        "maskmoveu_si128",
        "unsafe { _mm_maskmoveu_si128(_mm_set1_epi8(1), _mm_set_epi64x(0, -1), p.cast().at(0)) }",
        7,
        8,
        true,
    ),
    ("storel_epi64", "unsafe { _mm_storel_epi64(p.cast().at(0), _mm_set1_epi8(1)) }", 7, 8, true),
    ("loadl_epi64", "unsafe { _mm_loadl_epi64(p.cast().at(0)) }", 7, 8, false),
    ("loadu_ps", "unsafe { _mm_loadu_ps(p.cast().at(0)) }", 15, 16, false),
    ("storeu_pd", "unsafe { _mm_storeu_pd(p.cast().at(0), _mm_set1_pd(1.0)) }", 15, 16, true),
    ("store_ss", "unsafe { _mm_store_ss(p.cast().at(0), _mm_set1_ps(1.0)) }", 3, 4, true),
    ("load_sd", "unsafe { _mm_load_sd(p.cast().at(0)) }", 7, 8, false),
    ("loadu_pd", "unsafe { _mm_loadu_pd(p.cast().at(0)) }", 15, 16, false),
    ("value_out", "unsafe { *p.cast::<__m128i>().get() }", 15, 16, false),
    ("value_in", "unsafe { *p.cast::<__m128i>().get() = _mm_set1_epi8(1) }", 15, 16, true),
];

const AVX2: &[Intrinsic] = &[
    ("loadu_si256", "unsafe { _mm256_loadu_si256(p.cast().at(0)) }", 31, 32, false),
    ("loadu_si256_odd", "unsafe { _mm256_loadu_si256(p.at(3).cast()) }", 34, 35, false),
    ("load_si256", "unsafe { _mm256_load_si256(p.cast().at(0)) }", 31, 32, false),
    ("lddqu_si256", "unsafe { _mm256_lddqu_si256(p.cast().at(0)) }", 31, 32, false),
    (
        "storeu_si256",
        "unsafe { _mm256_storeu_si256(p.cast().at(0), _mm256_set1_epi8(1)) }",
        31,
        32,
        true,
    ),
    (
        "store_si256",
        "unsafe { _mm256_store_si256(p.cast().at(0), _mm256_set1_epi8(1)) }",
        31,
        32,
        true,
    ),
    (
        "stream_si256",
        "unsafe { _mm256_stream_si256(p.cast().at(0), _mm256_set1_epi8(1)) }",
        31,
        32,
        true,
    ),
    ("stream_load_si256", "unsafe { _mm256_stream_load_si256(p.cast().at(0)) }", 31, 32, false),
    (
        "maskload_epi32",
        "unsafe { _mm256_maskload_epi32(p.cast().at(0), _mm256_setr_epi32(-1, -1, 0, -1, 0, 0, 0, 0)) }",
        15,
        8,
        false,
    ),
    (
        "maskstore_epi32",
        "unsafe { _mm256_maskstore_epi32(p.cast().at(0), _mm256_setr_epi32(-1, -1, 0, -1, 0, 0, 0, 0), _mm256_set1_epi32(1)) }",
        15,
        8,
        true,
    ),
    (
        "maskstore_pd",
        "unsafe { _mm256_maskstore_pd(p.cast().at(0), _mm256_setr_epi64x(-1, 0, -1, 0), _mm256_set1_pd(1.0)) }",
        23,
        8,
        true,
    ),
    (
        "i32gather_epi32",
        "unsafe { _mm256_i32gather_epi32::<4>(p.cast().at(0), _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14)) }",
        59,
        4,
        false,
    ),
    (
        "i64gather_pd",
        "unsafe { _mm256_i64gather_pd::<8>(p.cast().at(0), _mm256_setr_epi64x(0, 2, 4, 6)) }",
        55,
        8,
        false,
    ),
    (
        "mask_i32gather_epi32",
        "unsafe { _mm256_mask_i32gather_epi32::<4>(_mm256_set1_epi32(0), p.cast().at(0), _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14), _mm256_setr_epi32(-1, -1, -1, 0, -1, -1, -1, -1)) }",
        59,
        24,
        false,
    ),
    ("broadcast_sd", "unsafe { _mm256_broadcast_sd(&*p.cast().at(0)) }", 7, 8, false),
    ("value_out", "unsafe { *p.cast::<__m256i>().get() }", 31, 32, false),
    ("value_in", "unsafe { *p.cast::<__m256i>().get() = _mm256_set1_epi8(1) }", 31, 32, true),
];

const AVX512: &[Intrinsic] = &[
    ("loadu_si512", "unsafe { _mm512_loadu_si512(p.cast().at(0)) }", 63, 64, false),
    (
        "storeu_si512",
        "unsafe { _mm512_storeu_si512(p.cast().at(0), _mm512_set1_epi8(1)) }",
        63,
        64,
        true,
    ),
    (
        "stream_si512",
        "unsafe { _mm512_stream_si512(p.cast().at(0), _mm512_set1_epi32(1)) }",
        63,
        64,
        true,
    ),
    (
        "maskz_loadu_epi32",
        "unsafe { _mm512_maskz_loadu_epi32(0b1011, p.cast().at(0)) }",
        15,
        8,
        false,
    ),
    (
        "mask_storeu_epi32",
        "unsafe { _mm512_mask_storeu_epi32(p.cast().at(0), 0b1011, _mm512_set1_epi32(1)) }",
        15,
        8,
        true,
    ),
    (
        "i32gather_epi32",
        "unsafe { _mm512_i32gather_epi32::<2>(_mm512_set1_epi32(14), p.cast().at(0)) }",
        31,
        32,
        false,
    ),
    (
        "i32scatter_epi32",
        "unsafe { _mm512_i32scatter_epi32::<2>(p.cast().at(0), _mm512_set1_epi32(14), _mm512_set1_epi32(1)) }",
        31,
        32,
        true,
    ),
    (
        "mask_i64scatter_epi64",
        "unsafe { _mm512_mask_i64scatter_epi64::<8>(p.cast().at(0), 0b11111101, _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(1)) }",
        63,
        8,
        true,
    ),
    (
        "mask_i64gather_pd",
        "unsafe { _mm512_mask_i64gather_pd::<8>(_mm512_set1_pd(0.0), 0b11111101, _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), p.cast().at(0)) }",
        63,
        8,
        false,
    ),
    (
        "mask_cvtepi32_storeu_epi8",
        "unsafe { _mm512_mask_cvtepi32_storeu_epi8(p.cast().at(0), 0b1011, _mm512_set1_epi32(1)) }",
        3,
        2,
        true,
    ),
    (
        "mask_cvtusepi64_storeu_epi32",
        "unsafe { _mm512_mask_cvtusepi64_storeu_epi32(p.cast().at(0), 0b1011, _mm512_set1_epi64(1)) }",
        15,
        8,
        true,
    ),
    (
        "maskz_expandloadu_epi32",
        "unsafe { _mm512_maskz_expandloadu_epi32(0b1010, p.cast().at(0)) }",
        7,
        8,
        false,
    ),
    (
        "mask_compressstoreu_epi32",
        "unsafe { _mm512_mask_compressstoreu_epi32(p.cast().at(0), 0b1010, _mm512_set1_epi32(1)) }",
        7,
        8,
        true,
    ),
];

const AVX512VL: &[Intrinsic] = &[
    (
        "mask_i32scatter_epi32",
        "unsafe { _mm_mask_i32scatter_epi32::<4>(p.cast().at(0), 0b1101, _mm_setr_epi32(0, 1, 2, 3), _mm_set1_epi32(1)) }",
        15,
        4,
        true,
    ),
    (
        "mmask_i32gather_epi32",
        "unsafe { _mm_mmask_i32gather_epi32::<4>(_mm_set1_epi32(0), 0b1101, _mm_setr_epi32(0, 1, 2, 3), p.cast().at(0)) }",
        15,
        4,
        false,
    ),
    (
        "i64scatter_epi32",
        "unsafe { _mm256_i64scatter_epi32::<4>(p.cast().at(0), _mm256_setr_epi64x(0, 1, 2, 4), _mm_set1_epi32(1)) }",
        19,
        12,
        true,
    ),
    (
        "mask_cvtsepi64_storeu_epi16",
        "unsafe { _mm_mask_cvtsepi64_storeu_epi16(p.cast().at(0), 0b10, _mm_set1_epi64x(1)) }",
        3,
        1,
        true,
    ),
];

#[cfg(target_arch = "x86_64")]
pub fn all() -> Vec<Case> {
    let mut cases = cases("sse2", None, SSE2);
    if is_x86_feature_detected!("avx2") {
        cases.extend(self::cases("avx2", Some("avx2"), AVX2));
    }
    if is_x86_feature_detected!("avx512f") {
        cases.extend(self::cases("avx512", Some("avx512f"), AVX512));
    }
    if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
        cases.extend(self::cases("avx512vl", Some("avx512f,avx512vl"), AVX512VL));
    }
    cases
}

#[cfg(not(target_arch = "x86_64"))]
pub fn all() -> Vec<Case> {
    Vec::new()
}

fn cases(set: &str, feature: Option<&'static str>, intrinsics: &[Intrinsic]) -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, expression, inside, outside, does_write) in intrinsics {
        let before = "use std::arch::x86_64::*;\nlet mut buffer = Aligned([0_u8; 128]);\n\
                      let p = Pointer(buffer.0.as_mut_ptr());";
        let write = |index| format!("unsafe {{ *p.at({index}) = 1 }}");
        let snippet = Snippet {
            name: format!("{set}/{name}/with_write"),
            before: before.to_owned(),
            expression: (*expression).to_owned(),
            others: [write(inside), write(outside)],
            feature,
        };
        cases.extend(snippet.cases());
        if *does_write {
            let read = |index| format!("unsafe {{ *p.at({index}) }}");
            let name = format!("{set}/{name}/with_read");
            let snippet = Snippet { name, others: [read(inside), read(outside)], ..snippet };
            cases.extend(snippet.cases());
        }
    }
    cases
}
