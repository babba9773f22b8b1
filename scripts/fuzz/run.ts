import { Judge } from "./judge";
import { type FuzzOperation, loadOperations, turnsOf } from "./operations";
import { gather } from "./people";
import { randomOf } from "./random";
import { type FuzzRequest, makeRequest } from "./request";
import { send } from "./send";

export interface FuzzOptions {
  /** Of the service, as it calls itself. */
  url: string;
  seed: number;
  /** The first request's number. */
  first?: number;
  /** How many requests, or until when (milliseconds since the epoch). */
  requests?: number;
  until?: number;
}

/** A request whose response was wrong, and how to send it again. */
export interface Fault {
  seed: number;
  index: number;
  request: string;
  faults: string[];
}

export interface FuzzResult {
  requests: number;
  operations: number;
  /** How many responses had a status. */
  statuses: Record<string, number>;
  faults: Fault[];
}

/** Requests under way at once. */
const AT_ONCE = 8;
/** A service that is this broken is not looked at any longer. */
const MOST_FAULTS = 500;
const RETRIES = 50;

/** Asks the service what clients should not ask, and says which responses were wrong. The seed decides the requests. */
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
      if (response instanceof Error) return [`got no answer: ${response.code ?? response.message}`];
      result.statuses[response.status] = (result.statuses[response.status] ?? 0) + 1;
      const faults = judge.faults(request, response);
      if (response.status !== 429 || faults.length > 0 || retries === RETRIES) return faults;
      // A limit hides what the request would have met: wait for `Retry-After`, and ask again.
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
