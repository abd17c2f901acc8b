//! Any value, with every digit of its numbers.

use crate::error::{Error, Result, Status};
use crate::options::Settings;
use core::fmt;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// By this name our deserializer knows that numbers are wanted by their digits.
pub(crate) const VALUE_NAME: &str = "$pith::private::Value";
pub(crate) const NUMBER_NAME: &str = "$pith::private::Number";

/// Any value.
///
/// ```
/// use pith::{Format, Value};
///
/// let value: Value = pith::from_str("{\"price\":1.50,\"tags\":[\"a\"]}", Format::Json)?;
/// assert_eq!(value["price"].as_number().unwrap().digits(), "1.50");
/// assert_eq!(value["tags"][0].as_str(), Some("a"));
/// assert_eq!(pith::to_string(&value, Format::Json)?, "{\"price\":1.50,\"tags\":[\"a\"]}");
/// # Ok::<(), pith::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A number, by its digits.
    Number(Number),
    /// A text.
    String(String),
    /// Values in order.
    Array(Vec<Value>),
    /// Members in order; no two have the same key in what was read.
    Object(Vec<(String, Value)>),
}

const NULL: &Value = &Value::Null;

impl Value {
    /// The member of that key; none when there is none, or this is no object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The text, when this is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number, when this is one.
    #[must_use]
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The elements, when this is an array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(elements) => Some(elements),
            _ => None,
        }
    }

    /// The value of any type.
    ///
    /// # Errors
    ///
    /// When its serialization fails.
    pub fn of<T: ?Sized + Serialize>(value: &T) -> Result<Self> {
        let settings = Settings::new(crate::Format::Json);
        crate::ser::with_built(value, &settings, |root| crate::de::value_of(root, &[]))
    }
}

impl std::ops::Index<&str> for Value {
    type Output = Value;

    /// The member of that key, or null.
    fn index(&self, key: &str) -> &Value {
        self.get(key).unwrap_or(NULL)
    }
}

impl std::ops::Index<usize> for Value {
    type Output = Value;

    /// The element at that place, or null.
    fn index(&self, at: usize) -> &Value {
        self.as_array().and_then(|elements| elements.get(at)).unwrap_or(NULL)
    }
}

/// A number of any length, as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Number(Box<str>);

impl Number {
    /// A number by its digits, in JSON's grammar.
    ///
    /// # Errors
    ///
    /// When these are not the digits of a number.
    pub fn new(digits: &str) -> Result<Self> {
        if is_number(digits.as_bytes()) {
            return Ok(Self(digits.into()));
        }
        let message = format!("'{}' is not a number", digits.escape_debug());
        Err(Error::new(Status::BadInput, "invalid_number", message))
    }

    /// Its digits.
    #[must_use]
    pub fn digits(&self) -> &str {
        &self.0
    }

    /// The integer, when it is one and fits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// The integer, when it is one and fits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    /// The nearest double, which may be an infinity.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn is_number(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(text);
    if whole == 0 || (whole > 1 && text[0] == b'0') {
        return false;
    }
    let mut text = &text[whole..];
    if let Some(fraction) = text.strip_prefix(b".") {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        text = &fraction[count..];
    }
    if let [b'e' | b'E', exponent @ ..] = text {
        let signs = usize::from(matches!(exponent, [b'+' | b'-', ..]));
        let exponent = &exponent[signs..];
        return !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    text.is_empty()
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! from_integers {
    ($($type:ty)*) => {$(
        impl From<$type> for Number {
            fn from(number: $type) -> Self {
                Self(number.to_string().into())
            }
        }

        impl From<$type> for Value {
            fn from(number: $type) -> Self {
                Self::Number(number.into())
            }
        }
    )*};
}

from_integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(elements: Vec<T>) -> Self {
        Self::Array(elements.into_iter().map(Into::into).collect())
    }
}

impl<K: Into<String>> FromIterator<(K, Value)> for Value {
    /// An object.
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(members: I) -> Self {
        Self::Object(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }
}

impl TryFrom<f64> for Number {
    type Error = Error;

    fn try_from(number: f64) -> Result<Self> {
        if !number.is_finite() {
            let message = format!("{number} is no number of JSON");
            return Err(Error::new(Status::Unrepresentable, "not_finite", message));
        }
        Ok(Self(format!("{number:?}").into()))
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(NUMBER_NAME, &*self.0)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(truth) => serializer.serialize_bool(*truth),
            Self::Number(number) => number.serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(elements) => elements.serialize(serializer),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// Takes whatever comes. A newtype is the digits of a number from our own deserializer.
struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        let digits = String::deserialize(from)?;
        Number::new(&digits).map(Value::Number).map_err(de::Error::custom)
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        Value::deserialize(from)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_i128<E>(self, number: i128) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u128<E>(self, number: u128) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
        if !number.is_finite() {
            let word = if number.is_nan() {
                "NaN"
            } else if number > 0.0 {
                "Inf"
            } else {
                "-Inf"
            };
            return Ok(word.into());
        }
        Number::try_from(number).map(Value::Number).map_err(E::custom)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut elements = Vec::with_capacity(from.size_hint().unwrap_or(0).min(4096));
        while let Some(element) = from.next_element()? {
            elements.push(element);
        }
        Ok(Value::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut members = Vec::with_capacity(from.size_hint().unwrap_or(0).min(4096));
        while let Some(member) = from.next_entry()? {
            members.push(member);
        }
        Ok(Value::Object(members))
    }
}

/// A value of any deserializer: those that know nothing of the name hand themselves over.
struct Foreign;

macro_rules! pass_on {
    ($($method:ident $type:ty;)*) => {$(
        fn $method<E: de::Error>(self, value: $type) -> Result<Value, E> {
            AnyValue.$method(value)
        }
    )*};
}

impl<'de> Visitor<'de> for Foreign {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        AnyValue.expecting(f)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(AnyValue)
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    pass_on! {
        visit_bool bool;
        visit_i64 i64;
        visit_u64 u64;
        visit_i128 i128;
        visit_u128 u128;
        visit_f64 f64;
        visit_str &str;
    }

    fn visit_seq<A: SeqAccess<'de>>(self, from: A) -> Result<Value, A::Error> {
        AnyValue.visit_seq(from)
    }

    fn visit_map<A: MapAccess<'de>>(self, from: A) -> Result<Value, A::Error> {
        AnyValue.visit_map(from)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_newtype_struct(VALUE_NAME, Foreign)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Value::deserialize(from)? {
            Value::Number(number) => Ok(number),
            _ => Err(de::Error::custom("expected a number")),
        }
    }
}

impl fmt::Display for Value {
    /// As compact JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::to_string(self, crate::Format::Json).map_err(|_| fmt::Error)?)
    }
}
