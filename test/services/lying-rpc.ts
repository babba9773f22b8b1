import { createServer } from "node:http";
import { freePort } from "./free-port";

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** What the node should return for a call, given the truth; `undefined` leaves the truth. */
export type Lie = (call: Call, truth: unknown) => unknown;

/** A JSON-RPC node in front of a real one that lies on demand. */
export interface LyingRpc {
  url: string;
  /** Responds as `lie` says from now on; without one truthfully. */
  lie(lie?: Lie): void;
  /** Refuses all requests, or responds again. */
  away(away: boolean): void;
  /** Takes all requests and responds to none, or responds again. */
  silent(silent: boolean): void;
  /** Responds to all requests that it does not serve now, as a node that restores its blocks; or serves again. */
  busy(busy: boolean): void;
  /** The newest block that it calls `safe`, a number in hex or `latest`; left out, as the real one. */
  final(block?: `0x${string}` | "latest"): void;
  /** Methods asked for since the last lie. */
  asked: Set<string>;
  stop(): Promise<void>;
}

/** One error, also where a batch of requests was sent. */
const NOT_NOW = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message: "Not now." } });

export async function startLyingRpc(target: string): Promise<LyingRpc> {
  let lie: Lie | undefined;
  let away = false;
  let silent = false;
  let busy = false;
  let final: string | undefined;
  const asked = new Set<string>();
  const respond = async (call: Call) => {
    asked.add(call.method);
    const params = call.params?.map((param) => (param === "safe" ? (final ?? param) : param));
    const response = await fetch(target, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", ...call, params }),
    });
    const truth = (await response.json()) as { result?: unknown };
    const altered = lie && "result" in truth ? lie(call, truth.result) : undefined;
    return altered === undefined ? truth : { jsonrpc: "2.0", id: call.id, result: altered };
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (silent) return;
    if (away || request.method !== "POST") return void response.destroy();
    if (busy) return void response.writeHead(503, { "content-type": "application/json" }).end(NOT_NOW);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const result = Array.isArray(body) ? await Promise.all(body.map(respond)) : await respond(body);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result));
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    lie(next) {
      asked.clear();
      lie = next;
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
