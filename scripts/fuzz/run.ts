import { Judge } from "./judge";
import { type FuzzOperation, loadOperations, turnsOf } from "./operations";
import { gather } from "./people";
import { randomOf } from "./random";
import { type FuzzRequest, makeRequest } from "./random-request";
import { send } from "./send";

export interface FuzzOptions {
  /** The service's own address. */
  url: string;
  seed: number;
  /** The number of the first request. */
  first?: number;
  /** How many requests to send, or until when (milliseconds since the epoch). */
  requests?: number;
  until?: number;
}

/** A request with a wrong response, and how to repeat it. */
export interface Fault {
  seed: number;
  index: number;
  request: string;
  faults: string[];
}

export interface FuzzResult {
  requests: number;
  operations: number;
  /** The number of responses by status. */
  statuses: Record<string, number>;
  faults: Fault[];
}

/** Concurrent requests. */
const AT_ONCE = 8;
/** Stop after this many faults. */
const MOST_FAULTS = 500;
const RETRIES = 50;

/**
 * Sends requests that clients should not send, and returns those whose responses were wrong. The seed determines the
 * requests.
 */
export async function fuzz({
  url,
  seed,
  first = 0,
  requests = Number.POSITIVE_INFINITY,
  until,
}: FuzzOptions): Promise<FuzzResult> {
  const [operations, people] = await Promise.all([loadOperations(), gather(url)]);
  const judge = await Judge.of(url, people.owner);
  const turns = turnsOf(operations);
  const result: FuzzResult = { requests: 0, operations: operations.length, statuses: {}, faults: [] };
  let next = first;
  const goesOn = () =>
    next < first + requests && result.faults.length < MOST_FAULTS && (until === undefined || Date.now() < until);
  async function worker(): Promise<void> {
    while (goesOn()) {
      const index = next++;
      const operation = turns[index % turns.length] as FuzzOperation;
      const request = makeRequest(operation, people, randomOf(seed, index));
      result.requests += 1;
      const faults = await ask(request);
      if (faults.length > 0) result.faults.push({ seed, index, request: textOf(request), faults });
    }
  }
  async function ask(request: FuzzRequest): Promise<string[]> {
    for (let retries = 0; ; retries++) {
      const response = await send(url, request).catch((error: NodeJS.ErrnoException) => error);
      if (response instanceof Error) return [`got no response: ${response.code ?? response.message}`];
      result.statuses[response.status] = (result.statuses[response.status] ?? 0) + 1;
      const faults = judge.faults(request, response);
      const again = response.status === 429 ? faults.length === 0 : judge.isUnavailable(response, faults);
      if (!again || retries === RETRIES) return faults;
      // It hides the actual response. Wait for `Retry-After` and send the request again.
      await new Promise((resolve) => setTimeout(resolve, Number(response.headers["retry-after"] ?? 1) * 1000));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return result;
}

function textOf({ sender, method, target, headers, body = "" }: FuzzRequest): string {
  const named = Object.entries(headers).filter(([name]) => !["authorization", "cookie"].includes(name));
  return `${sender}: ${method} ${target.slice(0, 300)} ${JSON.stringify(Object.fromEntries(named))} ${body.slice(0, 400)}`;
}
