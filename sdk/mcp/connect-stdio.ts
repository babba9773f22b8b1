import { createInterface } from "node:readline";
import { PassThrough, type Readable, type Writable } from "node:stream";
import type { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** How long calls may go on after the host has closed its end: one can be a payment, whose outcome it should learn. */
const RESPONSE_MS = 60_000;

/** What of a message matters here (JSON-RPC 2.0). */
interface Message {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown };
}

/**
 * Connects a server to streams of lines. A line that is no JSON, or no single message, gets an error (JSON-RPC 2.0, 5.1).
 * When the input ends, the server responds to the calls under way before it closes.
 *
 * @returns when the server has closed
 */
export async function connectStdio(server: McpServer, stdin: Readable, stdout: Writable): Promise<void> {
  const messages = new PassThrough();
  const transport = new StdioServerTransport(messages, stdout as typeof process.stdout);
  const open = new Set<unknown>();
  let inputEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  await server.connect(transport);
  const responded = (id: unknown) => {
    open.delete(id);
    if (inputEnded && open.size === 0) messages.end();
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (!("method" in message)) responded(message.id);
  };
  const refuse = (code: number, message: string) =>
    stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } })}\n`);
  const lines = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on("line", (given) => {
    const line = given.replace(/^\uFEFF/, "").trim();
    if (line === "") return;
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      refuse(-32700, "The line is not JSON.");
      return;
    }
    if (typeof message !== "object" || message === null || Array.isArray(message)) {
      refuse(-32600, "A line is one message, and no batch.");
      return;
    }
    if (message.method !== undefined && message.id !== undefined) open.add(message.id);
    messages.write(`${line}\n`);
    if (message.method === "notifications/cancelled") responded(message.params?.requestId);
  });
  lines.once("close", () => {
    inputEnded = true;
    if (open.size === 0) messages.end();
    else timer = setTimeout(() => messages.end(), RESPONSE_MS);
  });
  await closed;
  clearTimeout(timer);
  lines.close();
}
