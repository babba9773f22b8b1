import { expect, test } from "vitest";
import { CHAIN_ID } from "@/lib/base/network";
import { NO_PINS } from "@/test/sdk/every-method";
import { serve } from "@/test/sdk/serve";
import { contextOf } from "../../context/context-of";
import { TransferFailed } from "./transfer-failed";
import { TransferNotFinal } from "./transfer-not-final";
import { settled } from "./transfer-status";

const LEDGER = `0x${"1e".repeat(20)}` as const;
const WORD = `0x${"00".repeat(32)}`;
const TRANSFER = {
  transfer_id: "tr_1",
  to: "@bob",
  confidential: true,
  tx_hash: `0x${"ab".repeat(32)}`,
  created_at: "2026-01-01T00:00:00Z",
} as const;

type Reply = (body: string) => unknown;

/** Starts a server that replies with JSON, or breaks the connection on undefined. */
function serveJson(reply: Reply): Promise<string> {
  return serve(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const sent = reply(body || (request.url ?? ""));
    if (sent === undefined) return void response.destroy();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(sent));
  });
}

const receipt = (status: "0x0" | "0x1") => ({
  transactionHash: TRANSFER.tx_hash,
  blockNumber: "0x7",
  status,
  logs: [{ address: LEDGER, topics: [], data: "0x", blockNumber: "0x7", logIndex: "0x0" }],
});

/** Starts a node that returns these results in turn for the payment's transaction, and no response for undefined. */
function node(...shown: unknown[]): Promise<string> {
  return serveJson((body) => {
    const result = shown.length > 1 ? shown.shift() : shown[0];
    return result === undefined ? undefined : { jsonrpc: "2.0", id: (JSON.parse(body) as { id: number }).id, result };
  });
}

/** Returns a client of a service that reports this status for the payment. */
async function clientOf(status: string, rpc: { own?: string; recommended?: string }, waitTimeout = 20_000) {
  const network = {
    chain_id: CHAIN_ID.test,
    ledger: LEDGER,
    ledger_block: 1,
    domain_salt: WORD,
    assets: [],
    local: true,
    rpc_url: rpc.recommended ?? "",
    finality: "latest",
  };
  const url = await serveJson((path) => (path.startsWith("/api/network") ? network : { ...TRANSFER, status }));
  const platform = { url, pins: () => NO_PINS, loadProver: () => Promise.reject(new Error()) };
  const apiKey = `hc_test_${"a".repeat(49)}`;
  return contextOf({ apiKey, rpcUrl: rpc.own, maxRetries: 0, waitTimeout }, platform);
}

const accepted = { transfer_id: "tr_1", status: "pending" } as const;
const thrown = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

test("a payment that the service calls failed and the chain shows is confirmed", async () => {
  const context = await clientOf("failed", { own: await node(receipt("0x1")) });
  await expect(settled(context, accepted)).resolves.toEqual({ ...TRANSFER, status: "confirmed" });
});

test.each([
  ["does not show it", null],
  ["shows that it was reverted", receipt("0x0")],
])("a payment that the service calls failed is, where the chain %s", async (_, shown) => {
  const context = await clientOf("failed", { recommended: await node(shown) });
  expect(await thrown(settled(context, accepted))).toBeInstanceOf(TransferFailed);
});

test("a payment that the service calls failed is not known to be, when the chain can't be asked", async () => {
  for (const rpc of [{ own: await node(undefined) }, { recommended: await node(undefined) }]) {
    const error = await thrown(settled(await clientOf("failed", rpc), accepted));
    expect(error).toBeInstanceOf(TransferNotFinal);
    expect(error).toMatchObject({ code: "outcome_unknown", transfer: { status: "failed" } });
    expect((error as Error).message).toMatch(/Do not send it again.* calls it failed.* chain does not respond/);
  }
});

test("a payment that the service calls confirmed is waited for until the client's own node shows it", async () => {
  const context = await clientOf("confirmed", { own: await node(null, undefined, receipt("0x1")) });
  await expect(settled(context, accepted)).resolves.toMatchObject({ status: "confirmed" });
});

test.each([
  ["does not show", null],
  ["shows as reverted", receipt("0x0")],
])("a payment that the service calls confirmed and the client's own node %s in time is not final", async (_, shown) => {
  const context = await clientOf("confirmed", { own: await node(shown) }, 100);
  const error = await thrown(settled(context, accepted));
  expect(error).toBeInstanceOf(TransferNotFinal);
  expect((error as Error).message).toMatch(/calls it confirmed, but your node does not show it/);
});

test("without a node of its own, a client takes the service's confirmation", async () => {
  const context = await clientOf("confirmed", { recommended: await node(undefined) });
  await expect(settled(context, accepted)).resolves.toMatchObject({ status: "confirmed" });
});
