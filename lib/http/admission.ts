import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "@/lib/errors";
import { count, gauge } from "@/lib/telemetry/record";
import { isApiPath } from "./front";

/** In the order in which they are refused while a process has more to do than it can: what moves money goes last. */
const PRIORITIES = ["test_read", "live_read", "test_write", "live_write"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** How much of a process requests of each priority may fill, together with all others. */
const SHARES: Readonly<Record<Priority, number>> = { test_read: 0.5, live_read: 0.65, test_write: 0.8, live_write: 1 };

/** Probes are never refused; streams stay open and have bounds of their own (lib/stream/open-streams.ts). */
const UNCOUNTED = new Set(["/healthz", "/readyz", "/api/stream"]);

/**
 * What a request counts as, by its method and by the network that its key or its address names. Someone who gives a key of
 * the live network that is none gains nothing: failed keys are limited by address.
 *
 * @returns undefined for what is not counted
 */
export function priorityOf({ method, url, headers }: IncomingMessage, path: string): Priority | undefined {
  if (UNCOUNTED.has(path)) return undefined;
  const isTest = headers.authorization?.startsWith("Bearer hc_test_") || /[?&]network=test\b/.test(url ?? "");
  // No page and no sign-in moves money, whatever the method: a form that arrives slowly takes no payment's place.
  const isForm = !isApiPath(path) || path.startsWith("/api/auth/");
  const kind = method === "GET" || method === "HEAD" || isForm ? "read" : "write";
  return `${isTest ? "test" : "live"}_${kind}`;
}

/**
 * Reads that are never too many. Below it a rate says nothing of how fast they could be served: few came.
 */
const FEW_READS = 64;
/** How long a read may have to wait, in seconds, before more are refused. */
const LONGEST_WAIT = { test_read: 0.5, live_read: 1 } as const;
const WINDOW_MS = 500;
const WINDOWS = 20;

/** How long a refusal waits, and how many do. */
const HELD_MS = 500;
const MOST_HELD = 4_000;

const TOO_MANY = new ApiError(
  "unavailable",
  "The service has more to do than it can. Nothing was done. Try again in a moment.",
  { retryAfter: 1 },
);

/** How many reads a second a process serves when it has many to serve: the best of the last ten seconds. */
class ReadRate {
  /** Reads served in each window during which there were many all the time, newest last. */
  private readonly full: { until: number; served: number }[] = [];
  private current = { from: Number.NEGATIVE_INFINITY, served: 0, many: false };

  /** @param reads under way before what happens now */
  private turn(now: number, reads: number): void {
    if (now - this.current.from < WINDOW_MS) {
      if (reads < FEW_READS) this.current.many = false;
      return;
    }
    const { from, served, many } = this.current;
    const until = from + WINDOW_MS;
    if (many && reads >= FEW_READS && now - until < WINDOW_MS) this.full.push({ until, served });
    while (this.full.length > 0 && now - (this.full[0]?.until ?? 0) > WINDOWS * WINDOW_MS) this.full.shift();
    this.current = { from: now, served: 0, many: reads >= FEW_READS };
  }

  served(now: number, reads: number): void {
    this.turn(now, reads);
    this.current.served += 1;
  }

  /** A second; undefined while it is not known. */
  perSecond(now: number, reads: number): number | undefined {
    this.turn(now, reads);
    if (this.full.length === 0) return undefined;
    return (Math.max(...this.full.map(({ served }) => served)) * 1_000) / WINDOW_MS;
  }
}

/** Calls back once a response's headers go out, or its client has gone. */
function onceItBegins(response: ServerResponse, then: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  let begun = false;
  const begin = () => {
    if (begun) return;
    begun = true;
    then();
  };
  // Node calls it as well where no one else does.
  response.writeHead = ((...args: unknown[]) => {
    begin();
    return writeHead(...args);
  }) as typeof response.writeHead;
  response.once("close", begin);
}

/**
 * Bounds the requests that a process serves at once. A queue without a bound makes everyone wait until no one's client
 * does any more; refused at once, a client comes back to a process that has room. Reads are refused as well once they
 * would wait long, by how many are served a second (Little's law); payments wait for proofs, whose queue has a bound.
 */
export class Admission {
  private inFlight = 0;
  private reads = 0;
  /** Refusals that wait. */
  private held = 0;
  private readonly rate = new ReadRate();

  /** @param most of all priorities together */
  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    gauge("halcyon.requests.in_flight", () => [[this.inFlight, {}]]);
  }

  /**
   * Counts a request until its response begins: how long the rest takes is its client's line.
   *
   * @param priority undefined for what is not counted
   * @returns why it is refused: nothing of it has happened
   */
  enter(priority: Priority | undefined, response: ServerResponse): ApiError | undefined {
    if (!priority) return undefined;
    if (this.inFlight >= this.most * SHARES[priority] || this.wouldWait(priority)) {
      count("halcyon.requests.shed", { priority });
      return TOO_MANY;
    }
    const isRead = priority in LONGEST_WAIT;
    this.inFlight += 1;
    if (isRead) this.reads += 1;
    onceItBegins(response, () => {
      this.inFlight -= 1;
      if (!isRead) return;
      this.rate.served(this.now(), this.reads);
      this.reads -= 1;
    });
    return undefined;
  }

  /**
   * Lets a refusal wait, as long as not too many do: a client that asks again at once, and not after `Retry-After`, would
   * otherwise be refused as often as the process can, and leave no time for those that are served.
   */
  turnAway(respond: () => void): void {
    if (this.held >= MOST_HELD) {
      respond();
      return;
    }
    this.held += 1;
    setTimeout(() => {
      this.held -= 1;
      respond();
    }, HELD_MS);
  }

  private wouldWait(priority: Priority): boolean {
    if (priority !== "test_read" && priority !== "live_read") return false;
    const perSecond = this.rate.perSecond(this.now(), this.reads);
    if (perSecond === undefined || this.reads < FEW_READS) return false;
    return this.reads > perSecond * LONGEST_WAIT[priority];
  }
}
