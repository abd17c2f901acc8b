//! The shapes of the crate `gcf`.

use pith::gcf::{decode, decode_generic, encode, encode_generic, Edge, Payload, Symbol};
use pith::settings::GcfGraph;

#[test]
fn the_seed_reads_back() -> pith::Result<()> {
    let text =
        include_str!("../../../examples/seeds/glance.gcf").replace("symbols=10", "symbols=4");
    let read: Payload = pith::from_str(&text, pith::Format::Gcf1Graph)?;
    assert_eq!((read.symbols.len(), read.edges.len(), read.token_budget), (4, 2, 5000));
    assert_eq!(pith::to_string(&read, pith::Format::Gcf1Graph)?.trim_end(), text.trim_end());
    let mut back = decode(&encode(&read)?)?;
    back.edges.sort_by(|a, b| b.source.cmp(&a.source)); // the order of edges means nothing
    assert_eq!(back, read);
    Ok(())
}

#[test]
fn what_has_no_place_is_refused() -> pith::Result<()> {
    let symbol = |name: &str| Symbol {
        qualified_name: name.into(),
        kind: "type".into(),
        score: 0.5,
        provenance: "guess".into(),
        ..Symbol::default()
    };
    let edge = Edge {
        source: "a".into(),
        target: "b".into(),
        edge_type: "calls".into(),
        status: "added".into(),
    };
    let payload = Payload {
        tool: "t".into(),
        symbols: vec![symbol("a"), symbol("b")],
        edges: vec![edge],
        ..Payload::default()
    };
    let text = encode(&payload)?;
    assert_eq!(decode(&text)?, payload, "{text}");
    let mut lost = payload.clone();
    lost.edges[0].target = "c".into();
    assert!(encode(&lost).is_err());
    let mut signed = payload.clone();
    signed.symbols[0].signature = "fn()".into();
    assert_eq!(encode(&signed).unwrap_err().code(), "unknown_member");
    let lossy = pith::to_string(&signed, GcfGraph::new().lossy(true))?;
    assert_eq!(lossy, text);
    signed.symbols[0].signature.clear();
    signed.symbols[0].components.recency = 0.5;
    assert_eq!(encode(&signed).unwrap_err().code(), "unknown_member");
    Ok(())
}

#[test]
fn anything_in_the_tabular_profile() -> pith::Result<()> {
    let text = encode_generic(&vec![("a", 1), ("b", 2)])?;
    assert!(text.starts_with("GCF profile=generic\n"), "{text}");
    assert_eq!(decode_generic::<Vec<(String, u8)>>(&text)?, [("a".into(), 1), ("b".into(), 2)]);
    Ok(())
}
