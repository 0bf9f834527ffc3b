"""The Python blocks of the documentation, run in order as a reader would."""

import re

import pytest

from harness import ROOT

PAGES = sorted(p for p in (ROOT / "docs").glob("*.md") if "```python" in p.read_text())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_documented_examples(page, rules_server):
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.S | re.M)
    assert blocks
    code = "\n".join(blocks)
    exec(compile(code, str(page), "exec"), {"URL": rules_server.url, "TOKEN": rules_server.token})
