import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "@/lib/base/errors";
import { count, gauge } from "@/lib/base/telemetry/record";
import { WorkValue } from "@/lib/base/work-value";
import type { Door } from "./doors";
import { heldMs, MOST_HELD } from "./held-ms";
import type { RequestOwner } from "./known-callers";

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
  live_write: 0.9,
};
/**
 * Beyond those shares, anyone who has less than this part of the places that are left, or nothing, is still accepted: who
 * makes few requests is not refused for those who make many.
 */
const FOR_FEW = 1 / 20;
/** The most that one client address may have at once, and that one line of an account may. */
const MOST_OF_ONE: Readonly<Record<RequestOwner["kind"], number>> = { address: 1 / 8, account: 1 / 4 };
/**
 * The same for all client addresses together, and the share that they never exceed: for requests whose key or session is
 * none, or was not looked up yet, whatever they say of their priority.
 */
const ADDRESSES = { share: 0.4, most: 0.5 };

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

/** How long a refusal is held back while few are, in milliseconds. */
const HELD_MS = 500;

const TOO_MANY = new ApiError(
  "unavailable",
  "The service has more to do than it can. Nothing was done. Try again in a moment.",
  { retryAfter: 1 },
);
const TOO_MANY_OF_ONE = new ApiError(
  "rate_limited",
  "Too many of your requests are under way. Nothing was done. Try again in a moment, with fewer at once.",
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
  owner: RequestOwner;
  /** Whether it counts now. It does not while its body arrives. */
  counts: boolean;
  /** Whether its response has begun or its client has disconnected. It never counts again then. */
  over: boolean;
}

/** The place in the process that a request has. */
interface Place {
  /** Gives it up, because only a refusal is still to come. */
  giveUp(): void;
  /** Says for whom it counts, once that is known. */
  countFor(owner: RequestOwner): void;
}

const place = new WorkValue<Place | undefined>("place");

/** Runs the work of a request that takes a place in the process. */
export function withPlace<T>(admission: Admission, response: ServerResponse, work: () => T): T {
  const own: Place = {
    giveUp: () => admission.giveUp(response),
    countFor: (owner) => admission.countFor(response, owner),
  };
  return place.run(own, work);
}

/** Runs work of a request after whose end the request goes on: what becomes of it changes nothing of its place. */
export function keepingPlace<T>(work: () => T): T {
  return place.run(undefined, work);
}

/** Returns the place of the current request. */
export const placeOfRequest = (): Place | undefined => place.get();

/** What one address or account has in progress. */
interface Own {
  all: number;
  reads: number;
}

const NOTHING: Own = { all: 0, reads: 0 };

/**
 * Limits the requests that a process serves at once. With an unlimited queue, everyone would wait until no client is
 * still waiting. A client that is refused at once can go to a process with capacity. Reads are also refused if they
 * would wait too long, estimated from the rate at which reads are served (Little's law). Payments wait for proofs,
 * whose queue is limited.
 *
 * What is scarce is shared by client addresses and accounts: only when the process has no room left at all is someone
 * refused who has less in progress than others.
 */
export class Admission {
  private inFlight = 0;
  private reads = 0;
  private ofAddresses = 0;
  private readonly owners: Record<RequestOwner["kind"], Map<string, Own>> = { address: new Map(), account: new Map() };
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
   * @param owner for whom it counts
   * @returns the error if the request is refused; nothing of it has been done then
   */
  enter(
    priority: Priority,
    response: ServerResponse,
    owner: RequestOwner,
    counts: Door["counts"] = "until it responds",
  ): ApiError | undefined {
    // Probes are never refused. Streams stay open and have their own limits (lib/events/stream/open-streams.ts).
    if (counts === "never") return undefined;
    const refusal = this.refusal(priority, owner);
    if (refusal) return refusal;
    const request: Admitted = { priority, owner, counts: false, over: false };
    this.admitted.set(response, request);
    this.count(request);
    const end = () => this.end(request, true);
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

  /** Says for whom a request counts, once that is known. */
  countFor(response: ServerResponse, owner: RequestOwner): void {
    const request = this.admitted.get(response);
    if (!request) return;
    const { counts } = request;
    if (counts) this.uncount(request);
    request.owner = owner;
    if (counts) this.count(request);
  }

  /** Stops counting a request of which only a refusal is still to come. */
  giveUp(response: ServerResponse): void {
    const request = this.admitted.get(response);
    if (request) this.end(request, false);
  }

  private end(request: Admitted, isServed: boolean): void {
    request.over = true;
    this.discount(request, isServed);
  }

  /**
   * Runs `read`, which waits for the request's body. Meanwhile the request does not count, so clients that send slowly
   * take no one's place.
   *
   * @param owner for whom it counts then
   * @throws ApiError `unavailable` if there is no place for the request once its body is there; nothing of it was done
   */
  async whileArriving<T>(response: ServerResponse, read: () => Promise<T>, owner: RequestOwner): Promise<T> {
    const request = this.admitted.get(response);
    if (request) this.discount(request, false);
    const body = await read();
    if (!request || request.over) return body;
    request.owner = owner;
    const refusal = this.refusal(request.priority, owner);
    if (refusal) throw refusal;
    this.count(request);
    return body;
  }

  private refusal(priority: Priority, { kind, name }: RequestOwner): ApiError | undefined {
    const own = this.owners[kind].get(name) ?? NOTHING;
    const isFull = (taken: number, share: number, most = 1) =>
      taken >= this.most * most ||
      (taken >= this.most * share && own.all + 1 > Math.max(1, (this.most * most - taken) * FOR_FEW));
    const isRefused =
      isFull(this.inFlight, SHARES[priority]) ||
      (kind === "address" && isFull(this.ofAddresses, ADDRESSES.share, ADDRESSES.most)) ||
      this.wouldWait(priority, own);
    const isOverOwn = own.all >= Math.ceil(this.most * MOST_OF_ONE[kind]);
    if (!isRefused && !isOverOwn) return undefined;
    count("halcyon.requests.shed", { priority });
    return isRefused ? TOO_MANY : TOO_MANY_OF_ONE;
  }

  private count(request: Admitted): void {
    request.counts = true;
    this.inFlight += 1;
    const isRead = request.priority in LONGEST_WAIT;
    if (isRead) this.reads += 1;
    this.change(request.owner, 1, isRead ? 1 : 0);
  }

  private discount(request: Admitted, isServed: boolean): void {
    if (!request.counts) return;
    if (isServed && request.priority in LONGEST_WAIT) this.rate.served(this.now(), this.reads);
    this.uncount(request);
  }

  private uncount(request: Admitted): void {
    request.counts = false;
    this.inFlight -= 1;
    const isRead = request.priority in LONGEST_WAIT;
    if (isRead) this.reads -= 1;
    this.change(request.owner, -1, isRead ? -1 : 0);
  }

  private change({ kind, name }: RequestOwner, all: 1 | -1, reads: -1 | 0 | 1): void {
    if (kind === "address") this.ofAddresses += all;
    const own = this.owners[kind].get(name) ?? NOTHING;
    if (own.all + all === 0) this.owners[kind].delete(name);
    else this.owners[kind].set(name, { all: own.all + all, reads: own.reads + reads });
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
    const ms = heldMs(this.held, HELD_MS);
    this.held += 1;
    setTimeout(() => {
      this.held -= 1;
      respond();
    }, ms);
  }

  private wouldWait(priority: Priority, own: Own): boolean {
    const longest = LONGEST_WAIT[priority];
    if (longest === undefined) return false;
    const perSecond = this.rate.perSecond(this.now(), this.reads);
    if (perSecond === undefined || this.reads < FEW_READS) return false;
    const owners = this.owners.address.size + this.owners.account.size + (own.all === 0 ? 1 : 0);
    return this.reads > perSecond * longest && own.reads + 1 > (perSecond * longest) / owners;
  }
}
