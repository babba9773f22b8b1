import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CallToolResult, Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Halcyon } from "../client";
import { agentOfClient } from "./agent";
import { mcpServer } from "./mcp-server";

const HELD = {
  transaction_id: "txn_01M7YDBDVASKS9FTF0N3YZ25AW",
  status: "pending_approval",
  agent: "@alice/bot",
  to: "@bob",
  requested_at: "2026-11-21T06:40:26.978Z",
  expires_at: "2026-11-22T06:40:26.978Z",
};

/** The service's responses by path. */
let responses: Record<string, { status?: number; body: object }> = {};
let asked: string[] = [];
const service = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  const { status = 200, body } = responses[new URL(request.url ?? "", "http://x").pathname] ?? { body: {} };
  response.statusCode = status;
  response.end(JSON.stringify(body));
});
let host: Client;

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const agent = new Halcyon({ url, apiKey: `hc_test_${"0".repeat(49)}`, maxRetries: 0 });
  const server = mcpServer(async () => agentOfClient(agent));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  host = new Client({ name: "test", version: "1" });
  await Promise.all([server.connect(ours), host.connect(theirs)]);
});
afterAll(async () => {
  await host.close();
  service.close();
});
beforeEach(() => {
  asked = [];
});

const call = async (name: string, args: Record<string, unknown> = {}) =>
  (await host.callTool({ name, arguments: args })) as CallToolResult;

test("payments that await approval are listed by the page, and a wrong id leads to that list", async () => {
  const page = { pending: [HELD], limit: 1, offset: 2, has_more: true };
  responses = {
    "/v1/agents/transactions/pending": { body: page },
    "/v1/agents/transactions/txn_x": {
      status: 404,
      body: { error: { code: "transaction_not_found", message: "No payment with this id awaits approval." } },
    },
  };
  const listed = await call("list_held_payments", { limit: 1, offset: 2 });
  expect(listed.structuredContent).toEqual(page);
  expect(asked).toEqual(["GET /v1/agents/transactions/pending?limit=1&offset=2"]);
  const wrong = await call("get_held_payment", { transaction_id: "txn_x" });
  expect(wrong.isError).toBe(true);
  expect(JSON.stringify(wrong.content)).toContain("list_held_payments");
});

test("a balance is whether there is anything, and has no amount even if the service should send one", async () => {
  const balances = [
    { asset: "USDG", above_zero: true, amount: "975.25" },
    { asset: "ETH", above_zero: false },
  ];
  responses = { "/v1/accounts/me/balances": { body: { balances } } };
  const response = await call("get_balance");
  expect(response.structuredContent).toEqual({
    balances: [
      { asset: "USDG", above_zero: true },
      { asset: "ETH", above_zero: false },
    ],
  });
  expect(JSON.stringify(response)).not.toContain("975");
});

test("counts of one are in the singular", async () => {
  const said = async (name: string, path: string, body: object) => {
    responses = { [path]: { body: { ...body, limit: 20, offset: 0, has_more: false } } };
    const { content } = (await host.callTool({ name, arguments: {} })) as CallToolResult;
    return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  };
  const pending = "/v1/agents/transactions/pending";
  expect(await said("list_held_payments", pending, { pending: [HELD] })).toMatch(/^1 payment awaits/);
  expect(await said("list_held_payments", pending, { pending: [HELD, HELD] })).toMatch(/^2 payments await/);
});
