import { expect, test } from "vitest";
import type { CallOptions } from "./api/call-options";
import { contextOf } from "./context/context-of";
import type { PinStore } from "./context/pins";
import { HalcyonClient } from "./halcyon-client";

const NO_PINS: PinStore = {
  remedy: () => "",
  pin: async (_, value) => value,
  raise: async (_, value) => value,
  peek: async () => undefined,
};

/** Returns a client with only an API key, and the idempotency keys of its POSTs, each of which fails once. */
function server() {
  const keys: (string | null)[] = [];
  const agent = { account_id: "acc_1", handle: "@alice/bot", public_key: "0x1", type: "personal" };
  const respond: typeof fetch = async (input, init) => {
    const request = new Request(input instanceof Request ? input : String(input), init);
    if (request.method !== "POST") return Response.json({ ...agent, handle: "@alice", agents: [agent] });
    keys.push(request.headers.get("idempotency-key"));
    const error = { error: { code: "unavailable", message: "Not now." } };
    return keys.length % 2 === 1
      ? Response.json(error, { status: 503, headers: { "retry-after": "0" } })
      : Response.json({ ...agent, transaction_id: "txn_1", webhook_id: "wh_1", event_id: "evt_1", status: "rejected" });
  };
  const platform = { url: "http://localhost:3000", pins: () => NO_PINS, loadProver: () => Promise.reject() };
  return { keys, client: new HalcyonClient(contextOf({ apiKey: "hc_test_x", fetch: respond }, platform)) };
}

const since = new Date(0);
const CALLS: [string, (client: HalcyonClient, options?: CallOptions) => Promise<unknown>][] = [
  ["send", (client, options) => client.transfers.create({ to: "@bob", amount: "1" }, { wait: false, ...options })],
  ["approve", (client, options) => client.approvals.approve("txn_1", options)],
  ["reject", (client, options) => client.approvals.reject("txn_1", options)],
  ["pauseAgent", (client, options) => client.agents.pause("bot", options)],
  ["resumeAgent", (client, options) => client.agents.resume("bot", options)],
  ["webhooks.create", ({ webhooks }, options) => webhooks.create({ url: "https://x.test", events: [] }, options)],
  ["webhooks.rotateSecret", ({ webhooks }, options) => webhooks.rotateSecret("wh_1", options)],
  ["webhooks.replay", ({ webhooks }, options) => webhooks.replay("wh_1", "evt_1", options)],
  ["webhooks.redeliver", ({ webhooks }, options) => webhooks.redeliver("wh_1", { since }, options)],
  ["webhooks.test", ({ webhooks }, options) => webhooks.test("wh_1", {}, options)],
];

test.concurrent.each(CALLS)(
  "%s keeps its idempotency key over retries: the caller's, else one of its own",
  async (_, call) => {
    const { keys, client } = server();
    await call(client, { idempotencyKey: "mine" });
    expect(keys).toEqual(["mine", "mine"]);
    await call(client);
    await call(client);
    const [, , first, again, second, last] = keys;
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([again, last]).toEqual([first, second]);
    expect(second).not.toBe(first);
  },
);
