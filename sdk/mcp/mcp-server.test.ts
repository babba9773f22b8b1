import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { HalcyonError } from "../api/errors";
import { mcpServer } from "./mcp-server";
import { describedOnce } from "./tool";

let host: Client;
let calls = 0;

beforeEach(async () => {
  calls = 0;
  const server = mcpServer(async () => {
    calls++;
    throw new HalcyonError("unauthorized", "This key is none.");
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  host = new Client({ name: "test", version: "1" });
  await Promise.all([server.connect(ours), host.connect(theirs)]);
});
afterEach(() => host.close());

test("a model can pay and look, and can neither approve nor change a policy", async () => {
  const { tools } = await host.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toEqual([
    "send_payment",
    "pay_url",
    "dry_run",
    "get_policy",
    "get_balance",
    "list_transfers",
    "list_held_payments",
    "get_held_payment",
  ]);
  const changing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
  expect(changing).toEqual(["send_payment", "pay_url"]);
});

test("a model whose key may only read is offered no tool that would always fail", async () => {
  const server = mcpServer(async () => expect.unreachable(), false);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const reader = new Client({ name: "test", version: "1" });
  await Promise.all([server.connect(ours), reader.connect(theirs)]);
  const { tools } = await reader.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "get_policy",
    "get_balance",
    "list_transfers",
    "list_held_payments",
    "get_held_payment",
  ]);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  await reader.close();
});

test("a tool is described once for all servers, as its schema says", () => {
  const schema = z.object({ amount: z.string().describe("How much.").optional() });
  const once = describedOnce(schema)["~standard"];
  const options = { target: "draft-2020-12" } as const;
  for (const io of ["input", "output"] as const) {
    expect(once.jsonSchema[io](options)).toEqual(schema["~standard"].jsonSchema[io](options));
    expect(once.jsonSchema[io](options)).toBe(once.jsonSchema[io](options));
  }
  expect(once.validate({ amount: 1 })).toMatchObject({ issues: [{ path: ["amount"] }] });
  expect(once.validate({ amount: "1" })).toMatchObject({ value: { amount: "1" } });
});

test("every tool and every argument is described to the model", async () => {
  const { tools } = await host.listTools();
  for (const { name, description, inputSchema, outputSchema } of tools) {
    expect(description?.length, name).toBeGreaterThan(60);
    expect(outputSchema, name).toBeDefined();
    for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
      expect((schema as { description?: string }).description, `${name} ${argument}`).toMatch(/\w{3}/);
    }
  }
});

test("an error is the tool's, with its code and what to do", async () => {
  const payment = { to: "@bob", amount: "1", idempotency_key: "one" };
  const response = await host.callTool({ name: "send_payment", arguments: payment });
  expect(response.isError).toBe(true);
  const [sentence, json] = response.content as { text: string }[];
  expect(sentence?.text).toContain("unauthorized: This key is none.");
  expect(JSON.parse(json?.text ?? "")).toEqual({
    error: { code: "unauthorized", message: "This key is none.", remedy: expect.stringContaining("HALCYON_API_KEY") },
  });
});

test.each([["12,5"], ["-1"], ["1e3"], ["12.5 USDG"], [12.5]])("the amount %j reaches no service", async (amount) => {
  const response = await host.callTool({ name: "send_payment", arguments: { to: "@bob", amount } });
  expect(response.isError).toBe(true);
  expect(calls).toBe(0);
});

test("an argument that is not known is refused, not overlooked", async () => {
  const payment = { to: "@bob", amount: "1", confidential: false };
  const response = await host.callTool({ name: "send_payment", arguments: payment });
  expect(response.isError).toBe(true);
  expect(JSON.stringify(response.content)).toContain("confidential");
  expect(calls).toBe(0);
});
