import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DENY_ALL, toSpendPolicyResource } from "@/lib/policy/spend-policy";
import { expectEveryField, KEY, RESPONSE, type SentRequest, sentRequest } from "@/test/sdk/client-operations";
import { commandLine } from "@/test/sdk/command-line";
import gaps from "../client-gaps.json";

const TIMES = "--from 2026-01-31T12:00:00Z --to 2026-01-31T13:00:00Z";
const PAGE = "--limit 5 --offset 5";

/** Command lines with every option that reaches an operation, with an API key alone. `./` is a file below. */
const COMMANDS: Record<string, string[]> = {
  getAccount: ["whoami"],
  listAgents: ["agents list --limit 5", "agents list --starting-after acct_1"],
  createAgent: ["agents create bot --policy ./policy.json"],
  proveBalances: ["balances"],
  listPendingPayments: [`pending ${PAGE} --agent bot --reference a`, "pending --starting-after txn_1"],
  approveHeldPayment: ["approve txn_1"],
  rejectHeldPayment: ["reject txn_1"],
  pauseAgent: ["agents pause bot"],
  resumeAgent: ["agents resume bot"],
  getSpendPolicy: ["policy get bot"],
  updateSpendPolicy: ["policy set bot --file ./policy.json"],
  advanceClock: ["test-helpers advance-clock --by 60s"],
  expireHeldPayment: ["test-helpers expire txn_1"],
  getFailingRecipient: ["test-helpers failing-recipient"],
  listAuditEntries: [
    `audit-log ${PAGE} ${TIMES} --action a.b --actor key --target x`,
    "audit-log --starting-after aud_1",
  ],
  listRequests: [`logs ${PAGE} --outcome refused --method POST --key key_1`, "logs --starting-after req_1"],
  listEvents: [`events ${PAGE} ${TIMES} --types transfer.confirmed`, "events --starting-after evt_1"],
  createPayout: ["payout ./payout.csv --yes --allow-duplicates"],
  listPayouts: ["payouts --limit 5 --status paused", "payouts --starting-after po_1"],
  getPayout: ["payouts show po_1"],
  listPayoutRows: ["payouts rows po_1 --failed"],
  resumePayout: ["payouts resume po_1"],
  cancelPayout: ["payouts cancel po_1"],
  listTransfers: [
    `transfers ${PAGE} ${TIMES} --status failed --direction sent --asset ETH --kind public --reference a`,
    "transfers --refund-of tr_1 --counterparty @bob --agent bot --key key_1 --starting-after tr_1",
  ],
  getTransfer: ["transfers get tr_1"],
  createTransfer: [
    "send --to @bob --amount 1 --asset USDG --memo a --from @alice --public --reference a --unique-reference",
    `send --to @bob --amount 1 --payment-request payreq_1 --binding 0x${"00".repeat(32)}`,
    "send --to @bob --amount 1 --dry-run",
    "refund tr_1 --amount 1",
  ],
  listWebhooks: ["webhooks list --limit 5", "webhooks list --starting-after wh_1"],
  createWebhook: ["webhooks create https://x.example --events transfer.confirmed --store-responses"],
  updateWebhook: [
    "webhooks update wh_1 --endpoint https://x.example --events transfer.failed --store-responses --enable",
  ],
  deleteWebhook: ["webhooks delete wh_1"],
  listDeliveries: [
    `webhooks deliveries wh_1 ${PAGE} ${TIMES} --status failed --event transfer.failed --event-id evt_1`,
    "webhooks deliveries wh_1 --starting-after dlv_1",
  ],
  redeliverFailed: ["webhooks redeliver wh_1 --since 2026-01-31T12:00:00Z"],
  replayEvent: ["webhooks replay wh_1 evt_1"],
  rotateSecret: ["webhooks rotate-secret wh_1"],
  testWebhook: ["webhooks test wh_1 --event transfer.failed"],
};

/** What the service says of its network. No node is there. */
const NETWORK = {
  ...{ network: "test", chain_id: 46630, ledger: `0x${"11".repeat(20)}`, ledger_block: "1", local: true },
  ...{ domain_salt: `0x${"00".repeat(32)}`, rpc_url: "http://127.0.0.1:1", finality: "latest", gas_limits: {} },
  assets: [{ symbol: "USDG", address: `0x${"22".repeat(20)}`, decimals: 6, unit: "1" }],
  ...{ walletconnect_project_id: null, artefacts: { manifest_sha256: "00" } },
};

let folder: string;
let sent: SentRequest[] = [];
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? "", "http://x");
  sent.push(sentRequest(request.method ?? "", url, await text(request)));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(url.pathname === "/api/network" ? NETWORK : RESPONSE));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  folder = mkdtempSync(path.join(tmpdir(), "operations-"));
  writeFileSync(path.join(folder, "payout.csv"), "to,amount\n@bob,1\n");
  writeFileSync(path.join(folder, "policy.json"), JSON.stringify(toSpendPolicyResource(DENY_ALL)));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test("the command line can send every field of every operation, but for the gaps that have a reason", async () => {
  const { port } = server.address() as AddressInfo;
  const variables = { HALCYON_URL: `http://127.0.0.1:${port}`, HALCYON_API_KEY: KEY, HALCYON_CONFIG_DIR: folder };
  const run = async (lines: readonly string[]) => {
    sent = [];
    for (const line of lines) {
      const words = line.split(" ").map((word) => (word.startsWith("./") ? path.join(folder, word) : word));
      const { err } = await commandLine(words, variables);
      expect(err, line).not.toMatch(/unknown option|missing required|too many arguments/);
    }
    return sent;
  };
  await expectEveryField((name) => COMMANDS[name] && run(COMMANDS[name]), gaps.cli);
});
