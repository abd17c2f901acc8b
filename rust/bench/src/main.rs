//! The crate beside serde_json, toon-format and gcf: ratios, both sides in one run.
//!
//! Each ratio is how many times as fast as the peer ours is, with what it should be. A miss is
//! reported and fails nothing: time is no test.

use criterion::{black_box, Criterion};
use pith::Format;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

const FORMATS: [Format; 4] = [Format::Json, Format::Toon, Format::Gcf, Format::Pith];

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Employee {
    id: u32,
    name: String,
    email: String,
    department: String,
    salary: f64,
    years: u8,
    active: bool,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Order {
    order: String,
    customer: Customer,
    items: Vec<Item>,
    total: f64,
    status: String,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Customer {
    id: u32,
    name: String,
    city: String,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Item {
    sku: String,
    quantity: u16,
    price: f64,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Event {
    time: String,
    level: String,
    message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % below
    }

    fn word(&mut self) -> &'static str {
        const WORDS: [&str; 12] = [
            "Ada",
            "Linus",
            "Grace",
            "timeout",
            "connection",
            "Oslo",
            "Lyon",
            "shipped",
            "pending",
            "Engineering",
            "disk is full",
            "naïve",
        ];
        WORDS[self.roll(12) as usize]
    }

    fn cents(&mut self) -> f64 {
        self.roll(10_000_000) as f64 / 100.0
    }
}

fn employees() -> Vec<Employee> {
    let mut dice = Dice(7);
    let employee = |id| Employee {
        id,
        name: format!("{} {}", dice.word(), dice.word()),
        email: format!("user{id}@example.com"),
        department: dice.word().into(),
        salary: dice.cents(),
        years: dice.roll(40) as u8,
        active: dice.roll(2) == 0,
    };
    (0..20_000).map(employee).collect()
}

fn orders() -> Vec<Order> {
    let mut dice = Dice(8);
    let order = |number: u32| Order {
        order: format!("2026-{number:05}"),
        customer: Customer { id: number % 977, name: dice.word().into(), city: dice.word().into() },
        items: (0..dice.roll(5))
            .map(|item| Item {
                sku: format!("SKU-{}", dice.roll(9999) + item),
                quantity: dice.roll(20) as u16,
                price: dice.cents(),
            })
            .collect(),
        total: dice.cents(),
        status: dice.word().into(),
    };
    (0..8_000).map(order).collect()
}

fn events() -> Vec<Event> {
    let mut dice = Dice(9);
    let event = |number| Event {
        time: format!("2026-01-01T{:02}:{:02}:00Z", number / 60 % 24, number % 60),
        level: if dice.roll(9) == 0 { "error" } else { "info" }.into(),
        message: format!("{} {}, {}", dice.word(), dice.word(), dice.roll(1_000_000)),
        user: (dice.roll(2) == 0).then_some(number),
        error: (dice.roll(9) == 0).then(|| dice.word().into()),
    };
    (0..20_000).map(event).collect()
}

struct Bench {
    criterion: Criterion,
    results: PathBuf,
    missed: usize,
}

impl Bench {
    fn run<R>(&mut self, name: &str, mut call: impl FnMut() -> R) {
        self.criterion.bench_function(name, |bencher| bencher.iter(|| black_box(call())));
    }

    /// Nanoseconds of one call.
    fn took(&self, name: &str) -> f64 {
        let path = self.results.join(name).join("new/estimates.json");
        let text = std::fs::read(path).expect("what criterion has measured");
        let told: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        told["median"]["point_estimate"].as_f64().expect("a number")
    }

    fn tell(&mut self, what: &str, ours: &str, theirs: &str, wanted: f64) {
        let ratio = self.took(theirs) / self.took(ours);
        let mark = if ratio < wanted { "   missed" } else { "" };
        self.missed += usize::from(ratio < wanted);
        println!("{what:52} {ratio:8.2}   wanted {wanted}{mark}");
    }

    fn compare<T: Serialize + DeserializeOwned + PartialEq>(&mut self, kind: &str, value: &T) {
        let json = serde_json::to_vec(value).expect("JSON");
        let id = |what: &str, by: &str| format!("{kind}_{what}_{by}");
        for format in FORMATS {
            let text = pith::to_vec(value, format).expect("a text");
            assert!(pith::from_slice::<T>(&text, format).expect("the value") == *value);
            self.run(&id("to_string", format.name()), || pith::to_string(value, format));
            self.run(&id("from_slice", format.name()), || pith::from_slice::<T>(&text, format));
        }
        self.run(&id("to_string", "serde_json"), || serde_json::to_string(value));
        self.run(&id("from_slice", "serde_json"), || serde_json::from_slice::<T>(&json));
        self.run(&id("to_string", "toon-format"), || toon_format::encode_default(value));
        self.run(&id("to_string", "gcf-crate"), || {
            gcf::encode_generic(&serde_json::to_value(value).expect("a value"))
        });
        for format in FORMATS {
            let name = format.name();
            let (to, from) = (id("to_string", name), id("from_slice", name));
            let serde_json = |what: &str| id(what, "serde_json");
            if format != Format::Json {
                let what = format!("to_string {name}, {kind} / serde_json");
                self.tell(&what, &to, &serde_json("to_string"), 0.7);
            }
            let what = format!("from_slice {name}, {kind} / serde_json");
            self.tell(&what, &from, &serde_json("from_slice"), 1.0);
        }
        let (toon, gcf) = (id("to_string", "toon"), id("to_string", "gcf"));
        self.tell(
            &format!("to_string toon, {kind} / toon-format"),
            &toon,
            &id("to_string", "toon-format"),
            3.0,
        );
        self.tell(
            &format!("to_string gcf, {kind} / gcf"),
            &gcf,
            &id("to_string", "gcf-crate"),
            3.0,
        );
    }
}

fn main() {
    let results = PathBuf::from(std::env::args().nth(1).expect("usage: pith-bench-rs RESULTS"));
    let criterion = Criterion::default()
        .output_directory(&results)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
        .without_plots();
    let mut bench = Bench { criterion, results, missed: 0 };
    bench.compare("employees", &employees());
    bench.compare("orders", &orders());
    bench.compare("events", &events());
    println!("{} missed", bench.missed);
}
