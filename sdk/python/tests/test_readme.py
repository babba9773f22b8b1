"""Runs the README's samples, in order, as one program."""

import os
import re
from pathlib import Path
from unittest import mock

from .service import CONFIRMED, KEY, ServiceTest, TRANSFER
from .test_openapi import AGENT, PAGE, PAYOUT
from .test_webhooks import FIRST

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")


class Readme(ServiceTest):
    def test_every_python_sample_runs(self):
        samples = re.findall(r"^```python\n(.*?)^```", README, re.S | re.M)
        self.assertGreater(len(samples), 4)
        lists = {"transfers": [CONFIRMED], "pending": [{"transaction_id": "txn_1", "agent": "@alice/bot", "to": "@bob"}]}
        response = {**AGENT, **CONFIRMED, **PAGE, **lists, "type": "personal", "agents": [AGENT], **PAYOUT, "transaction_id": "txn_1"}
        self.serve((201, TRANSFER), (200, response))
        program = "\n".join(samples).replace("http://localhost:3000", self.service.url)
        environment = {"HALCYON_API_KEY": KEY, "HALCYON_WEBHOOK_SECRET": FIRST["secret"]}
        names = {"__name__": "readme"}
        with mock.patch.dict(os.environ, environment), mock.patch("builtins.print") as printed:
            exec(compile(program, "README.md", "exec"), names)
            self.assertEqual(printed.call_args_list[0].args, ("confirmed", "0x1"))
            with mock.patch("time.time", return_value=FIRST["now"]):
                self.assertEqual(names["receive"](FIRST["body"].encode(), FIRST["headers"]), 204)
                self.assertEqual(names["receive"](b"{}", FIRST["headers"]), 400)
