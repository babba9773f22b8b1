import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { expectEveryField, KEY, RESPONSE, type SentRequest, sentRequest } from "@/test/sdk/client-operations";
import { Halcyon } from "../client";
import gaps from "../client-gaps.json";
import { agentOfClient } from "./agent";
import { mcpServer } from "./mcp-server";

type ToolCall = [name: string, input: Record<string, unknown>];

const PAYMENT = { to: "@bob", amount: "1", asset: "USDG", public: true };
const PAGE = { limit: 5, offset: 5 };

/** Calls of tools with every argument that reaches an operation. `pay_url` pays with that of a payment. */
const CALLS: Record<string, ToolCall[]> = {
  getSpendPolicy: [["get_policy", {}]],
  proveBalances: [["get_balance", {}]],
  createTransfer: [
    ["send_payment", { ...PAYMENT, memo: "a", reference: "a", idempotency_key: "one" }],
    ["dry_run", PAYMENT],
  ],
  listTransfers: [["list_transfers", { ...PAGE, status: "failed" }]],
  getTransfer: [["send_payment", { ...PAYMENT, idempotency_key: "two" }]],
  listPendingPayments: [["list_held_payments", PAGE]],
  getHeldPayment: [["get_held_payment", { transaction_id: "txn_1" }]],
};

test("the tools can send every field of every operation, but for the gaps that have a reason", async () => {
  let sent: SentRequest[] = [];
  // A payment is pending until it is looked at again.
  const record: typeof fetch = async (input, init) => {
    const method = init?.method ?? "GET";
    sent.push(sentRequest(method, new URL(String(input)), String(init?.body ?? "")));
    const created = { transaction_id: undefined, status: "pending" };
    return Response.json({ ...RESPONSE, ...(method === "POST" && created) });
  };
  const client = new Halcyon({ url: "http://127.0.0.1:1", apiKey: KEY, fetch: record, maxRetries: 0 });
  const server = mcpServer(async () => agentOfClient(client));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const host = new Client({ name: "test", version: "1" });
  await Promise.all([server.connect(ours), host.connect(theirs)]);
  const { tools } = await host.listTools();
  const called = new Set(Object.values(CALLS).flatMap((calls) => calls.map(([name]) => name)));
  expect(tools.map(({ name }) => name).filter((name) => !called.has(name))).toEqual(["pay_url"]);
  const send = async (calls: readonly ToolCall[]) => {
    sent = [];
    for (const [name, input] of calls) await host.callTool({ name, arguments: input });
    return sent;
  };
  await expectEveryField((name) => CALLS[name] && send(CALLS[name]), gaps.mcp, "agent");
  await host.close();
});
