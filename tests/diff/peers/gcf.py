"""The package gcf-python."""

from gcf import GenericOptions, decode_generic, encode_generic
from serve import serve

OPTIONS = [GenericOptions(), GenericOptions(no_flatten=True)]

serve(
    lambda value, variant: encode_generic(value, OPTIONS[variant]),
    lambda text, variant: decode_generic(text),
)
