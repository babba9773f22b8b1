import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { HalcyonError } from "../api/errors";
import { connectStdio } from "./connect-stdio";
import { mcpServer } from "./mcp-server";

const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
const START = [
  { jsonrpc: "2.0", id: 0, method: "initialize", params },
  { jsonrpc: "2.0", method: "notifications/initialized" },
].map((message) => JSON.stringify(message));

/** Sends lines, ends the input, and returns what the server wrote until it closed. */
async function exchange(lines: string[]): Promise<{ id: unknown; error?: { code: number } }[]> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const server = mcpServer(async () => {
    // The input has ended by then.
    if (!stdin.closed) await new Promise((resolve) => stdin.once("close", resolve));
    throw new HalcyonError("unauthorized", "This key is none.");
  });
  stdin.end([...lines, ""].join("\n"));
  const written = text(stdout);
  await connectStdio(server, stdin, stdout);
  stdout.end();
  return (await written)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("a call that is under way when the input ends gets its response", async () => {
  const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "get_policy", arguments: {} } };
  expect(await exchange([...START, JSON.stringify(call)])).toMatchObject([{ id: 0 }, { id: 7, result: {} }]);
});

test("a line that is no message gets an error, and those after it their responses", async () => {
  const written = await exchange(["{", `[${START[0]}]`, "5", `\ufeff${START[0]}`]);
  expect(written.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [0, undefined],
  ]);
});
