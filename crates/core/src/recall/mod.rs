//! Ranking memories against a query: pure arithmetic over what the stores return.
//!
//! [`bm25`] scores words, [`vector`] scores meanings, [`fuse`] makes one order and one comparable score of both,
//! [`fold`] takes near-duplicates out of the list. The numbers depend on nothing but one user's memories, so every store
//! ranks alike.

pub mod bm25;
pub mod fold;
pub mod fuse;
pub mod vector;

#[cfg(test)]
mod tests {
    //! From texts to hits, by words alone.

    use uuid::Uuid;

    use super::{bm25, fuse};
    use crate::analyze;
    use crate::id::MemoryId;
    use crate::ports::{Posting, Postings};

    /// What a store would answer about these memories.
    fn postings(memories: &[&str], query: &str) -> Postings {
        let indexed: Vec<_> = memories.iter().map(|text| analyze::terms(text)).collect();
        let length = |terms: &std::collections::BTreeMap<String, u32>| terms.values().sum::<u32>();
        let having = |term: &String| {
            let posting = |(number, terms): (usize, &std::collections::BTreeMap<String, u32>)| {
                terms.get(term).map(|&count| Posting {
                    memory: MemoryId(Uuid::from_u128(number as u128)),
                    count,
                    length: length(terms),
                })
            };
            indexed.iter().enumerate().filter_map(posting).collect()
        };
        Postings {
            documents: memories.len() as u64,
            length_total: indexed.iter().map(|terms| u64::from(length(terms))).sum(),
            terms: analyze::query_terms(query).iter().map(having).collect(),
        }
    }

    /// Places of the hits, best first, with their scores.
    fn found(memories: &[&str], query: &str) -> Vec<(usize, f32)> {
        let lexical = bm25::coverage(&postings(memories, query));
        let hits = fuse::rank(&fuse::FuseInput {
            lexical,
            ..fuse::FuseInput::default()
        });
        hits.iter()
            .map(|hit| (hit.id.0.as_u128() as usize, hit.score))
            .collect()
    }

    const MEMORIES: [&str; 8] = [
        "外币汇率换算 used rate 7.1",
        "去年我们讨论的数据库备份方案已经上线了",
        "The user drinks two cups of coffee every morning",
        "The user likes to read books about history",
        "王磊去年跳槽到了大疆公司",
        "家里那只橘猫名字叫团子，今年五岁",
        "The order ORD-2023-881 was refunded on 2023-05-07",
        "The rate of the old contract was 7.2",
    ];

    #[test]
    fn each_language_and_every_number_is_found_first() {
        for (query, wanted) in [
            ("汇率换算", 0),
            ("7.1", 0),
            ("What rate did we use, 7.1?", 0),
            ("去年我们讨论的数据库备份方案", 1),
            ("数据库", 1),
            ("coffee", 2),
            ("Which BOOK does the user read?", 3),
            ("王磊", 4),
            ("猫的名字", 5),
            ("ord-2023-881", 6),
            ("refunds in May", 6),
            ("contracts", 7),
        ] {
            let hits = found(&MEMORIES, query);
            assert_eq!(
                hits.first().map(|hit| hit.0),
                Some(wanted),
                "{query}: {hits:?}"
            );
            assert!(hits[0].1 > 0.5, "{query}: {hits:?}");
        }
    }

    #[test]
    fn what_nobody_knows_is_not_found() {
        for query in [
            "quantum chromodynamics",
            "量子物理",
            "the of and",
            "我们的",
            "",
        ] {
            let hits = found(&MEMORIES, query);
            assert_eq!(hits, [], "{query}");
        }
        // Another number of the same kind of id is a faint hit at most.
        assert!(
            found(&MEMORIES, "ORD-2024-992")
                .iter()
                .all(|hit| hit.1 < 0.3)
        );
    }
}
