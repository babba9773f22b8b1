import { waitUnlessClientLeft } from "@/lib/base/client-left";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { count } from "@/lib/base/telemetry/record";
import { WorkValue } from "@/lib/base/work-value";
import { keepingPlace } from "./admission";
import type { Caller } from "./caller";
import { holdRefusal } from "./spent-keys";

/**
 * How many requests of an account a process works on at once while other accounts have some too. One uses the thread
 * while the other waits for the database; waits for a chain, a proof or an available balance give the place back.
 */
const WORKED_ON = 2;
/** How long after another account's last request an account counts as one of several, in milliseconds. */
const KEPT_MS = 1_000;
/** After this many milliseconds, a request counts as waiting for something, so the next one of its account begins. */
const PLACE_MS = 500;
/** How long a request waits in its account's line at most, in milliseconds. */
const PATIENCE_MS = 10_000;

/** The share of a line of keys that those of agents may have. */
const AGENTS = 1 / 2;

/** By what a request comes. */
type By = Pick<Caller, "kind" | "ofAgent">;

/** A request of an account, for as long as the process has it. */
export interface RequestSlot {
  /**
   * Waits until the request may be worked on.
   *
   * @param isChange whether it may change something, such as pay
   * @throws ApiError `rate_limited` when that takes too long, `unavailable` when the request's client leaves
   */
  acquire(isChange?: boolean): Promise<void>;
  /**
   * Call this before a wait, so that another request of the account may be worked on. This request takes no place
   * again.
   */
  release(): void;
  leave(): void;
}

interface Waiting {
  slot: RequestSlot;
  ofAgent: boolean;
  isChange: boolean;
  since: number;
  begin(): void;
  giveUp(): void;
}

interface Line {
  /** How many requests of the account the process has. */
  inside: number;
  /** How many of them come from keys of agents. */
  ofAgents: number;
  /** The requests that are worked on, oldest first, and since when. */
  places: Map<RequestSlot, { since: number; ofAgent: boolean }>;
  waiting: Waiting[];
  /** Whether the last request that left the line was a change that went first. */
  wentFirst: boolean;
  /** When the next request may begin. */
  nextAt: number;
  timer: NodeJS.Timeout | undefined;
}

/** Not a 503, because the account has too many requests, not the process. */
const TOO_MANY = new ApiError(
  "rate_limited",
  "Too many requests of this account are under way. Nothing was done. Try again in a moment, with fewer at once.",
  { retryAfter: 1 },
);

function tooMany(): ApiError {
  count("halcyon.rate_limit.refusals", { policy: "account_line" });
  return TOO_MANY;
}

/**
 * Makes requests of one account wait for each other, so that requests of other accounts don't wait behind all of them.
 * While several accounts send requests, a process works on a few requests of each at once. An account that is alone can
 * use the whole process. The sessions of an account have a line apart from its keys: whatever a stolen key or an agent
 * does, the owner can still revoke it. Keys of agents have at most half of the keys' line, and while one of the owner's
 * own keys waits, at most half of its places: whatever an agent does, the owner's keys can still pay. Every second place
 * goes to the first request that changes something: a payment does not wait behind all the reads of its account. While
 * several accounts send requests, those of one begin no faster than its rate limit: what it may save up would be felt.
 *
 * A request takes a place once, at the beginning, while it holds nothing else. A request that has given its place back
 * takes no other. So no request waits for a place while it holds something that the holder of that place needs.
 */
export class AccountConcurrency {
  private readonly lines: Record<Caller["kind"], Map<string, Line>> = { api_key: new Map(), session: new Map() };
  /** The account of the newest request and its time, and the time of the newest request of any other account. */
  private last = { account: "", at: Number.NEGATIVE_INFINITY, othersAt: Number.NEGATIVE_INFINITY };

  /**
   * @param most the most requests in one line that the process has at once, including those that wait and those whose
   *   bodies are still arriving
   * @param paceMs the least time between the beginnings of two requests of a line, in milliseconds
   */
  constructor(
    private readonly most: number,
    private readonly paceMs = 0,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Counts a request.
   *
   * @throws ApiError `rate_limited` if the account's keys, those of its agents, or its sessions, already have their
   *   share of the process
   */
  enter(account: string, { kind, ofAgent = false }: By = { kind: "api_key" }): RequestSlot {
    const lines = this.lines[kind];
    const line = lines.get(account) ?? {
      inside: 0,
      ofAgents: 0,
      places: new Map(),
      waiting: [],
      wentFirst: false,
      nextAt: 0,
      timer: undefined,
    };
    if (line.inside >= this.most || (ofAgent && line.ofAgents >= this.most * AGENTS)) throw tooMany();
    lines.set(account, line);
    line.inside += 1;
    if (ofAgent) line.ofAgents += 1;
    this.note(account);
    let isInside = true;
    const slot: RequestSlot = {
      acquire: (isChange = false) => this.acquire(account, line, { slot, ofAgent, isChange }),
      release: () => {
        if (line.places.delete(slot)) this.pass(account, line);
      },
      leave: () => {
        if (!isInside) return;
        isInside = false;
        line.inside -= 1;
        if (ofAgent) line.ofAgents -= 1;
        const at = line.waiting.findIndex((one) => one.slot === slot);
        if (at >= 0) line.waiting.splice(at, 1);
        slot.release();
        if (line.inside === 0) lines.delete(account);
      },
    };
    return slot;
  }

  /** Returns how many requests of a line the process works on, how many wait, and how many there are in all. */
  load(account: string, kind: Caller["kind"] = "api_key"): { placed: number; waiting: number; inside: number } {
    const { places, waiting, inside } = this.lines[kind].get(account) ?? { places: new Map(), waiting: [], inside: 0 };
    return { placed: places.size, waiting: waiting.length, inside };
  }

  private note(account: string): void {
    const { last } = this;
    const othersAt = account === last.account ? last.othersAt : last.at;
    this.last = { account, at: this.now(), othersAt };
  }

  private isAlone(account: string): boolean {
    const { last } = this;
    return this.now() - (account === last.account ? last.othersAt : last.at) > KEPT_MS;
  }

  private acquire(account: string, line: Line, request: Pick<Waiting, "slot" | "ofAgent" | "isChange">): Promise<void> {
    if (line.waiting.length === 0 && this.isFree(account, line)) {
      this.begin(line, request);
      return Promise.resolve();
    }
    const begun = new Promise<void>((begin, reject) => {
      line.waiting.push({ ...request, since: this.now(), begin, giveUp: () => reject(tooMany()) });
      this.pass(account, line);
    });
    return waitUnlessClientLeft(begun);
  }

  private isFree(account: string, line: Line): boolean {
    for (const [slot, { since }] of line.places) {
      if (this.now() - since < PLACE_MS) break;
      line.places.delete(slot);
    }
    return (line.places.size < WORKED_ON && this.now() >= line.nextAt) || this.isAlone(account);
  }

  private begin(line: Line, { slot, ofAgent }: Pick<Waiting, "slot" | "ofAgent">): void {
    line.places.set(slot, { since: this.now(), ofAgent });
    line.nextAt = this.now() + this.paceMs;
  }

  /** Takes the request that is next from those that wait. */
  private takeNext(line: Line): Waiting | undefined {
    const { places, waiting, wentFirst } = line;
    const placed = [...places.values()].filter(({ ofAgent }) => ofAgent).length;
    const onlyOwn = placed >= WORKED_ON * AGENTS && waiting.some(({ ofAgent }) => !ofAgent);
    const may = ({ ofAgent }: Waiting) => !(onlyOwn && ofAgent);
    const first = waiting.findIndex(may);
    const change = wentFirst ? -1 : waiting.findIndex((one) => one.isChange && may(one));
    line.wentFirst = change > first;
    const [next] = waiting.splice(Math.max(first, change), 1);
    return next;
  }

  /** Starts waiting requests for which there are places, and looks again when the next place may be free. */
  private pass(account: string, line: Line): void {
    const { waiting } = line;
    while (waiting[0] && this.now() - waiting[0].since >= PATIENCE_MS) waiting.shift()?.giveUp();
    while (waiting.length > 0 && this.isFree(account, line)) {
      const next = this.takeNext(line);
      if (!next) break;
      this.begin(line, next);
      next.begin();
    }
    clearTimeout(line.timer);
    if (waiting.length === 0) return;
    const again = () => this.pass(account, line);
    const [oldest] = line.places.values();
    const at = !oldest || line.places.size < WORKED_ON ? line.nextAt : oldest.since + PLACE_MS;
    line.timer = setTimeout(again, Math.max(1, at - this.now()));
  }
}

/** The share of the requests that a process serves at once which one account's keys may have, and its sessions. */
const SHARE = 1 / 4;

// Next bundles routes separately, so each bundle has its own copy of this module. Keep the one object on globalThis.
const shared = globalThis as typeof globalThis & { halcyonAccountConcurrency?: AccountConcurrency };

const outer = new WorkValue<RequestSlot>("slot");

/** Runs `work`, whose own requests to this service belong to a slot and are not counted again. */
export function withSlot<T>(slot: RequestSlot, work: () => T): T {
  return outer.run(slot, () => keepingPlace(work));
}

/** Reports whether the current request is one that a slot makes to this service. */
export function hasSlot(): boolean {
  return outer.get() !== undefined;
}

/**
 * Counts a request in the lines of this process. Holds a refusal like that of any other limit, for clients that ignore
 * `Retry-After`.
 *
 * @throws ApiError `rate_limited` if the account has its share of the process already
 */
export async function takeSlot(caller: Caller): Promise<RequestSlot> {
  const slot = outer.get();
  if (slot) return { ...slot, leave: slot.release };
  try {
    return accountConcurrency().enter(accountOf(caller), caller);
  } catch (error) {
    await holdRefusal("caller");
    throw error;
  }
}

/** Names a caller's account, which includes its agents. */
export const accountOf = ({ chainId, root }: Pick<Caller, "chainId" | "root">) => `${chainId}:${root}`;

/** Names what a caller shares with others of its account: keys of the account, those of its agents, or its sessions. */
export function lineOf(caller: Caller): string {
  return `${accountOf(caller)}:${caller.ofAgent ? "agents" : caller.kind}`;
}

/** Returns the lines of this process. */
export function accountConcurrency(): AccountConcurrency {
  const { requestsInFlight, accountRate } = env();
  const paceMs = accountRate.perSecond === 0 ? 0 : 1_000 / accountRate.perSecond;
  shared.halcyonAccountConcurrency ??= new AccountConcurrency(Math.ceil(requestsInFlight * SHARE), paceMs);
  return shared.halcyonAccountConcurrency;
}
