import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "@/lib/base/errors";
import { count, gauge } from "@/lib/base/telemetry/record";
import type { Door } from "./doors";

/**
 * Priorities of requests in the order in which they are refused when a process is overloaded. Requests without a key or
 * session are refused first, requests that move money last.
 */
const PRIORITIES = ["public", "test_read", "live_read", "test_write", "live_write"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** The share of a process's capacity up to which requests of each priority are accepted, counting all requests. */
const SHARES: Readonly<Record<Priority, number>> = {
  public: 0.4,
  test_read: 0.5,
  live_read: 0.65,
  test_write: 0.8,
  live_write: 1,
};

const KEY = /^Bearer +hc_(live|test)_/i;
const SESSION = /(^|;\s*)(__Secure-)?next-auth\.session-token=/;

/**
 * Returns a request's priority, from its method and the network of its key or session. A key or session that only looks
 * like one gains little at a route: the request is refused as soon as it is looked up, and failed ones are limited by
 * client address.
 *
 * @param wallet for a page: of the request's session, if it has one that this service made
 */
export function priorityOf({ method, url, headers }: IncomingMessage, door: Door, wallet?: string): Priority {
  if (door.priority === "public") return "public";
  if (door.methods !== "route") return wallet === undefined ? "public" : "live_read";
  const key = KEY.exec((door.priority !== "session" && headers.authorization) || "")?.[1]?.toLowerCase();
  const maySession = door.priority === "session" || (door.priority === "either" && headers.authorization === undefined);
  const hasSession = maySession && SESSION.test(headers.cookie ?? "");
  if (key === undefined && !hasSession) return "public";
  const network = key ?? (/[?&]network=live\b/.test(url ?? "") ? "live" : "test");
  const kind = method === "GET" || method === "HEAD" ? "read" : "write";
  return `${network === "live" ? "live" : "test"}_${kind}`;
}

/**
 * This many concurrent reads are always accepted. With fewer, the measured rate only shows how many requests arrived,
 * not how many could be served.
 */
const FEW_READS = 64;
/** The longest a read may have to wait, in seconds, before further reads are refused. */
const LONGEST_WAIT: Readonly<Partial<Record<Priority, number>>> = { public: 0.5, test_read: 0.5, live_read: 1 };
const WINDOW_MS = 500;
const WINDOWS = 20;

/** How long a refusal is held back, and how many are at most. */
const HELD_MS = 500;
const MOST_HELD = 4_000;

const TOO_MANY = new ApiError(
  "unavailable",
  "The service has more to do than it can. Nothing was done. Try again in a moment.",
  { retryAfter: 1 },
);

/** Measures how many reads per second a process serves when it has many to serve: the best of the last ten seconds. */
class ReadRate {
  /** Reads served in each window that had many reads throughout, newest last. */
  private readonly full: { until: number; served: number }[] = [];
  private current = { from: Number.NEGATIVE_INFINITY, served: 0, many: false };

  /** @param reads in progress before the current change */
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

  /** Returns the rate per second; undefined if it is not known yet. */
  perSecond(now: number, reads: number): number | undefined {
    this.turn(now, reads);
    if (this.full.length === 0) return undefined;
    return (Math.max(...this.full.map(({ served }) => served)) * 1_000) / WINDOW_MS;
  }
}

/** A request that was let in. */
interface Admitted {
  priority: Priority;
  /** Whether it counts now. It does not while its body arrives. */
  counts: boolean;
  /** Whether its response has begun or its client has disconnected. It never counts again then. */
  over: boolean;
}

/**
 * Limits the requests that a process serves at once. With an unlimited queue, everyone would wait until no client is
 * still waiting. A client that is refused at once can go to a process with capacity. Reads are also refused if they
 * would wait too long, estimated from the rate at which reads are served (Little's law). Payments wait for proofs,
 * whose queue is limited.
 */
export class Admission {
  private inFlight = 0;
  private reads = 0;
  /** The number of refusals held back. */
  private held = 0;
  private readonly rate = new ReadRate();
  private readonly admitted = new WeakMap<ServerResponse, Admitted>();

  /** @param most requests of all priorities together */
  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    gauge("halcyon.requests.in_flight", () => [[this.inFlight, {}]]);
  }

  /**
   * Counts a request until its response begins, or has ended. After that, only the client's connection determines how
   * long it takes.
   *
   * @returns the error if the request is refused; nothing of it has been done then
   */
  enter(
    priority: Priority,
    response: ServerResponse,
    counts: Door["counts"] = "until it responds",
  ): ApiError | undefined {
    // Probes are never refused. Streams stay open and have their own limits (lib/events/stream/open-streams.ts).
    if (counts === "never") return undefined;
    const refusal = this.refusal(priority);
    if (refusal) return refusal;
    const request: Admitted = { priority, counts: false, over: false };
    this.admitted.set(response, request);
    this.count(request);
    const end = () => {
      request.over = true;
      this.discount(request, true);
    };
    if (counts === "until it responds") {
      const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
      // Node also calls this itself if no one else does.
      response.writeHead = ((...args: unknown[]) => {
        end();
        return writeHead(...args);
      }) as typeof response.writeHead;
    }
    response.once("close", end);
    return undefined;
  }

  /**
   * Runs `read`, which waits for the request's body. Meanwhile the request does not count, so clients that send slowly
   * take no one's place.
   *
   * @throws ApiError `unavailable` if there is no place for the request once its body is there; nothing of it was done
   */
  async whileArriving<T>(response: ServerResponse, read: () => Promise<T>): Promise<T> {
    const request = this.admitted.get(response);
    if (request) this.discount(request, false);
    const body = await read();
    if (!request || request.over) return body;
    const refusal = this.refusal(request.priority);
    if (refusal) throw refusal;
    this.count(request);
    return body;
  }

  private refusal(priority: Priority): ApiError | undefined {
    if (this.inFlight < this.most * SHARES[priority] && !this.wouldWait(priority)) return undefined;
    count("halcyon.requests.shed", { priority });
    return TOO_MANY;
  }

  private count(request: Admitted): void {
    request.counts = true;
    this.inFlight += 1;
    if (request.priority in LONGEST_WAIT) this.reads += 1;
  }

  private discount(request: Admitted, isServed: boolean): void {
    if (!request.counts) return;
    request.counts = false;
    this.inFlight -= 1;
    if (!(request.priority in LONGEST_WAIT)) return;
    if (isServed) this.rate.served(this.now(), this.reads);
    this.reads -= 1;
  }

  /**
   * Holds a refusal back for a moment, unless too many are held already. Otherwise a client that ignores `Retry-After`
   * and retries at once would be refused as often as the process can, which would take time from the requests being
   * served.
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
    const longest = LONGEST_WAIT[priority];
    if (longest === undefined) return false;
    const perSecond = this.rate.perSecond(this.now(), this.reads);
    if (perSecond === undefined || this.reads < FEW_READS) return false;
    return this.reads > perSecond * longest;
  }
}
