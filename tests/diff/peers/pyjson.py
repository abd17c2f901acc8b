"""Python's own json."""

import json

from serve import serve

serve(
    lambda value, _: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
    lambda text, _: json.loads(text),
)
