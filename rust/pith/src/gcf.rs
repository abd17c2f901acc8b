//! GCF under the names of the crate `gcf`: [`encode`] for code graphs, [`encode_generic`] for
//! everything else.
//!
//! ```
//! use pith::gcf::{encode, Edge, Payload, Symbol};
//!
//! let symbol = |name: &str, distance| Symbol {
//!     qualified_name: name.into(),
//!     kind: "function".into(),
//!     score: 0.78,
//!     provenance: "lsp_resolved".into(),
//!     distance,
//!     signature: String::new(),
//!     components: Default::default(),
//! };
//! let payload = Payload {
//!     tool: "context_for_task".into(),
//!     token_budget: 5000,
//!     tokens_used: 1847,
//!     symbols: vec![symbol("pkg.Auth", 0), symbol("pkg.Server", 1)],
//!     edges: vec![Edge {
//!         source: "pkg.Server".into(),
//!         target: "pkg.Auth".into(),
//!         edge_type: "calls".into(),
//!         status: String::new(),
//!     }],
//!     pack_root: String::new(),
//! };
//! let text = encode(&payload)?;
//! assert!(text.contains("@0 fn pkg.Auth 0.78 lsp_resolved\n"), "{text}");
//! assert_eq!(pith::gcf::decode(&text)?, payload);
//! # Ok::<(), pith::Error>(())
//! ```

use crate::error::Result;
use crate::settings::Format;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A code graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Payload {
    /// The tool that made it.
    pub tool: String,
    /// How many tokens were allowed; 0 when nothing is said.
    pub token_budget: i64,
    /// How many tokens it takes; 0 when nothing is said.
    pub tokens_used: i64,
    /// The name of its content, hexadecimal; empty when nothing is said.
    pub pack_root: String,
    /// The nodes.
    pub symbols: Vec<Symbol>,
    /// What leads from one node to another.
    pub edges: Vec<Edge>,
}

/// A node: a function, a type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symbol {
    /// Its whole name, without white space.
    pub qualified_name: String,
    /// What it is: `function`.
    pub kind: String,
    /// How much it matters.
    pub score: f64,
    /// How it was found.
    pub provenance: String,
    /// How far it is from what was asked for.
    pub distance: i32,
    /// Its signature. GCF has no place for it: [`encode`] refuses one that is not empty.
    pub signature: String,
    /// What the score is made of. GCF has no place for it: [`encode`] refuses what is not zero.
    pub components: Components,
}

/// What a score is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Components {
    /// How much depends on it.
    pub blast_radius: f64,
    /// How sure it is.
    pub confidence: f64,
    /// How new it is.
    pub recency: f64,
    /// How near it is.
    pub distance: f64,
}

/// What leads from one node to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// The name of the node that it comes from.
    pub source: String,
    /// The name of the node that it leads to.
    pub target: String,
    /// What it is: `calls`.
    pub edge_type: String,
    /// `added` or `removed`; empty when nothing is said.
    pub status: String,
}

/// Serializes the fields that say something, as members of those names, and back.
macro_rules! members {
    ($type:ident: $($name:ident $is_set:expr;)*) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct;
                let mut members = to.serialize_struct(stringify!($type), [$(stringify!($name)),*].len())?;
                $(
                    if ($is_set)(&self.$name) {
                        members.serialize_field(stringify!($name), &self.$name)?;
                    } else {
                        members.skip_field(stringify!($name))?;
                    }
                )*
                members.end()
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct Members;

                impl<'de> serde::de::Visitor<'de> for Members {
                    type Value = $type;

                    fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                        f.write_str(concat!("a ", stringify!($type)))
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        mut from: A,
                    ) -> Result<$type, A::Error> {
                        let mut made = $type::default();
                        while let Some(key) = from.next_key::<std::borrow::Cow<'_, str>>()? {
                            match &*key {
                                $(stringify!($name) => made.$name = from.next_value()?,)*
                                _ => {
                                    from.next_value::<serde::de::IgnoredAny>()?;
                                }
                            }
                        }
                        Ok(made)
                    }
                }

                from.deserialize_struct(stringify!($type), &[$(stringify!($name)),*], Members)
            }
        }
    };
}

fn always<T>(_: &T) -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref)] // it is called as the others are
fn is_some(number: &i64) -> bool {
    *number != 0
}

fn has_text(text: &str) -> bool {
    !text.is_empty()
}

members! { Payload:
    tool |text: &String| has_text(text);
    token_budget is_some;
    tokens_used is_some;
    pack_root |text: &String| has_text(text);
    symbols always;
    edges always;
}

members! { Symbol:
    qualified_name always;
    kind always;
    score always;
    provenance always;
    distance always;
    signature |text: &String| has_text(text);
    components |made: &Components| *made != Components::default();
}

members! { Components:
    blast_radius always;
    confidence always;
    recency always;
    distance always;
}

members! { Edge:
    source always;
    target always;
    edge_type always;
    status |text: &String| has_text(text);
}

/// A code graph in the graph profile.
///
/// # Errors
///
/// When it is none: an edge leads to a symbol that is not there, a name has white space.
/// Places in files, and other settings, are for [`to_string`](crate::to_string) with
/// [`GcfGraph`](crate::settings::GcfGraph) and a type of your own.
pub fn encode(payload: &Payload) -> Result<String> {
    crate::to_string(payload, Format::GcfGraph)
}

/// The code graph of a text.
///
/// # Errors
///
/// When the text is none.
pub fn decode(text: &str) -> Result<Payload> {
    crate::from_str(text, Format::GcfGraph)
}

/// Any value in the tabular profile.
///
/// ```
/// let text = pith::gcf::encode_generic(&[(1, true)])?;
/// assert_eq!(pith::gcf::decode_generic::<Vec<(u8, bool)>>(&text)?, [(1, true)]);
/// # Ok::<(), pith::Error>(())
/// ```
///
/// # Errors
///
/// As [`to_string`](crate::to_string).
pub fn encode_generic<T: ?Sized + Serialize>(value: &T) -> Result<String> {
    crate::to_string(value, Format::Gcf)
}

/// The value of a text in the tabular profile.
///
/// # Errors
///
/// As [`from_str`](crate::from_str).
pub fn decode_generic<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T> {
    crate::from_str(text, Format::Gcf)
}
