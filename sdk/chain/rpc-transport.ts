import { custom } from "viem";
import { plainFetch, ResponseTooLarge } from "@/lib/base/plain-fetch";
import { Call } from "../api/call";
import { CallAborted } from "../api/call-aborted";
import { ChainUnreachable, HalcyonError } from "../api/errors";

/** The largest number of requests to send in one batch: public RPCs limit it. */
const LARGEST_BATCH = 100;
const RETRIES = 3;
const CONTENT_TOO_LARGE = 413;
const FIRST_PAUSE_MS = 150;
/**
 * Never retried: a lost response doesn't show whether the transaction was accepted, and sending it again would only
 * confuse.
 */
const SENDS = new Set(["eth_sendRawTransaction", "eth_sendTransaction"]);
/** JSON-RPC codes for "too many requests" and for temporary failures. */
const PASSING_CODES = new Set([-32005, -32007, -32603, 429]);

/** A JSON-RPC request. */
interface RpcRequest {
  method: string;
  params?: unknown;
}

interface RpcReply {
  id?: number;
  result?: unknown;
  error?: { code?: number; message?: string; data?: unknown };
}

/**
 * A JSON-RPC error of the chain's node, in the form viem reads. The node's message may contain the RPC address and its
 * key, so it never leaves this package as it is: `toHalcyonError` replaces it with its own text.
 */
class RpcError extends Error {
  override readonly name = "RpcError";
  constructor(
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

/** The longest reason that is shown. */
const REASON_LENGTH = 200;

/**
 * Returns what a node said about an error, for people: without addresses and whatever may be a key, and on one line. An
 * empty text if it said nothing.
 */
export function rpcReason(thrown: unknown): string {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof RpcError) {
      return error.message
        .replace(/\S*(:\/\/|@)\S*|[\w.-]*\w+\.\w+\/\S*|[\w-]{20,}/g, "…")
        .replace(/[\p{C}\s]+/gu, " ")
        .trim()
        .slice(0, REASON_LENGTH);
    }
  }
  return "";
}

interface Waiting {
  request: RpcRequest;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Reports whether a retry may help. */
function isPassing(error: unknown, method: string): boolean {
  if (SENDS.has(method)) return false;
  if (error instanceof RpcError) return PASSING_CODES.has(error.code);
  return error instanceof ChainUnreachable;
}

async function exchange(url: string, body: unknown, signal: AbortSignal): Promise<unknown> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const tooLarge = () => new RpcError(CONTENT_TOO_LARGE, "the response is too large", null);
  const response = await plainFetch()(url, { method: "POST", headers, body: JSON.stringify(body), signal }).catch(
    (error: unknown) => {
      throw error instanceof ResponseTooLarge ? tooLarge() : error;
    },
  );
  const text = await response.text();
  // From a proxy in front of the node: this many events are too much for one response.
  if (response.status === CONTENT_TOO_LARGE) throw tooLarge();
  try {
    return JSON.parse(text);
  } catch {
    throw new ChainUnreachable(
      `The chain's RPC (option rpcUrl) does not respond with JSON (status ${response.status}). Check its address.`,
    );
  }
}

/**
 * Creates viem's transport to a chain: JSON-RPC over HTTP within the limits of one call. Concurrent requests are sent
 * in one batch. Errors never contain the address, which may include a secret.
 */
export function rpcTransport(url: string, call: Call = new Call()) {
  const waiting: Waiting[] = [];
  let id = 0;

  async function post(requests: RpcRequest[]): Promise<RpcReply[]> {
    const bodies = requests.map(({ method, params }) => ({ jsonrpc: "2.0", id: ++id, method, params }));
    const [first] = bodies;
    const late = () =>
      new ChainUnreachable(`The chain did not respond within ${call.timeout / 1000} seconds (option timeout).`);
    const response = await call
      .attempt((signal) => exchange(url, bodies.length === 1 ? first : bodies, signal), late)
      .catch((error: unknown) => {
        throw error instanceof HalcyonError || error instanceof RpcError ? error : new ChainUnreachable();
      });
    const replies = (Array.isArray(response) ? response : [response]) as (RpcReply | null)[];
    // An error for the whole batch has no id.
    const refusal = Array.isArray(response)
      ? undefined
      : (response as RpcReply | null)?.error && (response as RpcReply);
    return bodies.map((body) => replies.find((reply) => reply?.id === body.id) ?? refusal ?? {});
  }

  function take(): void {
    const batch = waiting.splice(0, LARGEST_BATCH);
    if (waiting.length > 0) take();
    post(batch.map(({ request }) => request)).then(
      (replies) => {
        batch.forEach(({ resolve, reject }, index) => {
          const { result, error } = replies[index] ?? {};
          if (error) reject(new RpcError(error.code ?? -1, error.message ?? "", error.data));
          else if (result === undefined)
            reject(new ChainUnreachable("The chain's RPC left a request without a result."));
          else resolve(result);
        });
      },
      (error) => {
        for (const { reject } of batch) reject(error);
      },
    );
  }

  const once = (request: RpcRequest) =>
    new Promise<unknown>((resolve, reject) => {
      if (waiting.length === 0) setTimeout(take);
      waiting.push({ request, resolve, reject });
    });

  async function request(asked: RpcRequest): Promise<unknown> {
    const most = call.maxRetries ?? RETRIES;
    for (let retries = 0; ; retries++) {
      try {
        return await once(asked);
      } catch (error) {
        if (error instanceof CallAborted || retries >= most || !isPassing(error, asked.method)) throw error;
        await call.pause(FIRST_PAUSE_MS * 2 ** retries);
      }
    }
  }

  // Retries happen above, within the call's limits, so viem must not retry.
  return custom({ request }, { retryCount: 0, key: "rpc", name: "RPC" });
}
