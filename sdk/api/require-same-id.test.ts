import { expect, test } from "vitest";
import { CHAIN_ID } from "@/lib/base/network";
import { ADDRESS, clientOf, failureOf, METHODS } from "@/test/sdk/every-method";

/** Methods that take an id and return nothing about it, or a list. */
const WITHOUT = [
  "payouts.rows",
  "schedules.runs",
  "schedules.end",
  "webhooks.delete",
  "webhooks.redeliver",
  "webhooks.deliveries",
];

/** Methods that need a wallet. */
const BY_WALLET = [
  "sharedViews.delete",
  "keys.revoke",
  "receipts.create",
  "transfers.refundable",
  "transfers.checkRefund",
  "transfers.getDecrypted",
];

/** Every field that names something, with another thing's id. */
const OTHER = {
  ...Object.fromEntries(
    ["account", "transfer", "transaction", "payout", "schedule", "run", "payment_request", "event", "webhook"].map(
      (name) => [`${name}_id`, `${name}_2`],
    ),
  ),
  handle: "@alice",
  status: "confirmed",
  agents: [{ account_id: "acc_1", handle: "@alice/bot", public_key: ADDRESS }],
  rules: [],
  transfers: [],
  version: 1,
  network: "test",
  chain_id: CHAIN_ID.test,
};

test("whatever is asked for by its id with an API key, a response about something else is refused", async () => {
  const byId = METHODS.filter(([name, [first]]) => {
    const asks = typeof first === "string" && (/^[a-z]+_1$/.test(first) || /^agents\.(pause|resume)$/.test(name));
    return asks && !WITHOUT.includes(name) && !BY_WALLET.includes(name);
  });
  const answered: string[] = [];
  for (const [name, input] of byId) {
    const client = clientOf({ walletKey: undefined, fetch: async () => Response.json(OTHER) });
    const error = await failureOf(client, name, input);
    answered.push(`${name}: ${error instanceof Error ? error.message : "believed"}`);
  }
  expect(answered.filter((line) => !line.includes("about something else than"))).toEqual([]);
  expect(answered.length).toBeGreaterThan(15);
});

test("a run of another schedule is refused, also if it has the id that was asked for", async () => {
  for (const name of ["schedules.getRun", "schedules.payRun"]) {
    const [, input] = METHODS.find(([method]) => method === name) ?? [];
    const client = clientOf({ walletKey: undefined, fetch: async () => Response.json({ ...OTHER, run_id: "run_1" }) });
    expect(String(await failureOf(client, name, input ?? []))).toContain("about something else than sch_1.");
  }
});
