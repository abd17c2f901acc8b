"""The package toon-format. The variants are those of `toon` in ../peers.py."""

import toon_format
from serve import serve

WRITE = [{}, {"delimiter": "\t"}, {"delimiter": "|"}, {"indent_size": 4}, {}]
READ = [{}, {}, {}, {"indent_size": 4}, {"strict": False}]

serve(
    lambda value, variant: toon_format.encode(value, **WRITE[variant]),
    lambda text, variant: toon_format.decode(text, **READ[variant]),
)
