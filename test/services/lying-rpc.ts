import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { freePort } from "./free-port";

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** Returns what the node should respond, given the true result; `undefined` for the true result. */
export type Lie = (call: Call, truth: unknown) => unknown;

/** Returns the error that the node should respond with instead of passing the call on; `undefined` to pass it on. */
type Refusal = (call: Call) => Promise<string | undefined>;

/** A JSON-RPC node in front of a real one that lies on demand. */
export interface LyingRpc {
  url: string;
  /** Responds as `lie` says from now on; without one, truthfully. */
  lie(lie?: Lie): void;
  /** Refuses the calls that `refusal` says from now on; without one, none. */
  refuse(refusal?: Refusal): void;
  /** Allows eth_getLogs only so many blocks and bytes a response from now on; without a limit, any number. */
  limit(limit?: { blocks?: bigint; bytes?: number }): void;
  /** Says of this method that it does not exist from now on; without one, of none. */
  lacks(method?: string): void;
  /** Refuses all requests, or serves them again. */
  away(away: boolean): void;
  /** Accepts all requests without responding, or serves them again. */
  silent(silent: boolean): void;
  /** Returns an error to all requests, like a node that is restoring its blocks, or serves them again. */
  busy(busy: boolean): void;
  /** Sets the newest block that counts as `safe`, a hex number or `latest`; if left out, that of the real node. */
  final(block?: `0x${string}` | "latest"): void;
  /** The methods requested since the last call of `lie`. */
  asked: Set<string>;
  stop(): Promise<void>;
}

/** A single error, also for a batch of requests. */
const NOT_NOW = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message: "Not now." } });

function blocksOf({ params: [filter] }: Call): bigint {
  const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
  return BigInt(toBlock) - BigInt(fromBlock) + 1n;
}

export async function startLyingRpc(target: string): Promise<LyingRpc> {
  let lie: Lie | undefined;
  let refusal: Refusal | undefined;
  let limit: { blocks?: bigint; bytes?: number } = {};
  let lacking: string | undefined;
  let away = false;
  let silent = false;
  let busy = false;
  let final: string | undefined;
  const asked = new Set<string>();
  const respond = async (call: Call) => {
    asked.add(call.method);
    if (call.method === lacking) return { jsonrpc: "2.0", id: call.id, error: { code: -32601, message: "No method." } };
    const refused = (message: string) => ({ jsonrpc: "2.0", id: call.id, error: { code: -32003, message } });
    const message = await refusal?.(call);
    if (message !== undefined) return refused(message);
    const logs = call.method === "eth_getLogs";
    if (logs && limit.blocks && blocksOf(call) > limit.blocks) return refused(`up to ${limit.blocks} blocks`);
    const params = call.params?.map((param) => (param === "safe" ? (final ?? param) : param));
    const response = await fetch(target, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", ...call, params }),
    });
    const text = await response.text();
    if (logs && limit.bytes && text.length > limit.bytes) return refused("response too large");
    const truth = JSON.parse(text) as { result?: unknown };
    const altered = lie && "result" in truth ? lie(call, truth.result) : undefined;
    return altered === undefined ? truth : { jsonrpc: "2.0", id: call.id, result: altered };
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (silent) return;
    if (away || request.method !== "POST") return void response.destroy();
    if (busy) return void response.writeHead(503, { "content-type": "application/json" }).end(NOT_NOW);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const result = Array.isArray(body) ? await Promise.all(body.map(respond)) : await respond(body);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
  };
  // The node behind it may be stopped, and a client may go away.
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  // A connection never ends by itself just when a client uses it again.
  server.keepAliveTimeout = 0;
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    lie(next) {
      asked.clear();
      lie = next;
    },
    refuse(next) {
      refusal = next;
    },
    limit(next = {}) {
      limit = next;
    },
    lacks(next) {
      lacking = next;
    },
    away(next) {
      away = next;
    },
    silent(next) {
      silent = next;
    },
    busy(next) {
      busy = next;
    },
    final(next) {
      final = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
