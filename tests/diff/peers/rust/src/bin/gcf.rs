//! The crate gcf.

use diff_peers::serve;
use gcf::{decode_generic, encode_generic_with_options, GenericOptions};

fn main() {
    serve(
        |value, variant| {
            let options = GenericOptions { no_flatten: variant == 1 };
            encode_generic_with_options(value, &options)
        },
        |text, _| decode_generic(text),
    );
}
