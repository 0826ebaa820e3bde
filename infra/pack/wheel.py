"""Writes the wheel of the Python client into a folder: `python3 infra/pack/wheel.py FOLDER`. Needs no network."""

import base64
import hashlib
import json
import pathlib
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENT = ROOT / "server/dialects/client"
# The earliest that a zip can say: the same source makes the same bytes.
AT = (1980, 1, 1, 0, 0, 0)
SUMMARY = "Asks people through a Beckon hub: approvals, questions and choices, for threads and asyncio"
README = """# beckon

Asks people through a Beckon hub, and waits for what they say. Needs no other package.

```python
from beckon import AsyncClient, approve, ask, choose, confirm

ask("Ship it?")
approve("refund", {"cents": 1200})
choose("Where?", ["production", "staging"])
```

A coroutine asks with `await AsyncClient().ask("Ship it?")`. `BECKON_URL` and `BECKON_KEY` say where the hub is and who asks.

`beckon.langchain` and `beckon.deepagents` have `human_in_the_loop(interrupt_on=…)`, `beckon.openai_agents` has
`run_with_people(agent, input)`. They need their framework, which is not installed with this package.
"""


def write_wheel(folder):
    """The path of the wheel, whose version and licence are those of package.json."""
    package = json.loads((ROOT / "package.json").read_text("utf8"))
    version, info = package["version"], "beckon-%s.dist-info" % package["version"]
    metadata = ["Metadata-Version: 2.4", "Name: beckon", "Version: " + version, "Summary: " + SUMMARY]
    metadata += ["License-Expression: " + package["license"], "License-File: LICENSE", "Requires-Python: >=3.10"]
    metadata += ["Keywords: " + ",".join(package["keywords"]), "Description-Content-Type: text/markdown", "", README]
    files = {
        "beckon/__init__.py": (CLIENT / "beckon.py").read_bytes(),
        "beckon/receipt.py": (CLIENT / "receipt.py").read_bytes(),
        **{"beckon/" + one.name: one.read_bytes() for one in sorted((CLIENT / "python").glob("*.py"))},
        info + "/METADATA": "\n".join(metadata).encode(),
        info + "/WHEEL": b"Wheel-Version: 1.0\nGenerator: beckon\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        info + "/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    record = ["%s,sha256=%s,%d" % (name, _digest(content), len(content)) for name, content in files.items()]
    files[info + "/RECORD"] = ("\n".join([*record, info + "/RECORD,,"]) + "\n").encode()
    wheel = pathlib.Path(folder) / ("beckon-%s-py3-none-any.whl" % version)
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, AT)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    return wheel


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


if __name__ == "__main__":
    print(write_wheel(sys.argv[1]))
