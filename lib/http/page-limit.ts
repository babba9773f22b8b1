import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { addressBlock } from "@/lib/base/rate-limit/address-bucket";
import { count } from "@/lib/base/telemetry/record";

const MINUTE_MS = 60_000;
/** Number of addresses at which idle ones are forgotten. */
const CROWDED = 5_000;

/** How a kind of request is limited. */
interface Limit {
  /** The share of the rate that the kind has. */
  share: number;
  /** For how long requests may be saved up, in milliseconds at its rate. */
  savedMs: number;
  /** How long a request waits at most before it is refused, in milliseconds. */
  waitMs: number;
  /** Whether a request that would wait longer waits that long instead. */
  isServed?: true;
}

const LIMITS = {
  /** The same for everyone, or a file. */
  made: { share: 1, savedMs: MINUTE_MS, waitMs: 0 },
  /** Made for this request, which takes tens of times the CPU. A person who is quick waits rather than reads an error. */
  rendered: { share: 1 / 4, savedMs: 4_000, waitMs: 8_000 },
  /** Who is refused a probe takes the process for a dead one. */
  probe: { share: 1, savedMs: 5_000, waitMs: 250, isServed: true },
} as const satisfies Record<string, Limit>;

/** What a request asks for, and whose it is. */
interface Asked {
  kind?: keyof typeof LIMITS;
  /** The wallet of its session, if it has one that this service made. */
  wallet?: string | undefined;
}

/**
 * Limits what anyone may ask for by client address, and pages with a session by its wallet, so that it is not
 * refused because of what others at its address did. Each kind counts by itself, in this process alone, because these
 * need no database and work without one. (The limits of lib/http/limits.ts are shared by all processes.)
 */
export class PageLimit {
  /** When each address or wallet has its whole burst again (generic cell rate algorithm). */
  private readonly fullAt = new Map<string, number>();
  private crowded = CROWDED;

  constructor(
    private readonly perMinute = env().addressRates.public,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Counts a request.
   *
   * @returns how long to wait before it is served, in milliseconds; or the error if the wallet, or the address of a
   *   request without one, has used up its requests
   */
  take(address: string, { kind = "made", wallet }: Asked = {}): number | ApiError {
    const { share, savedMs, waitMs, isServed }: Limit = LIMITS[kind];
    const now = this.now();
    const name = `${kind} ${wallet ?? addressBlock(address)}`;
    const eachMs = MINUTE_MS / (this.perMinute * share);
    const full = Math.max(now, this.fullAt.get(name) ?? 0) + eachMs;
    const late = full - now - Math.max(savedMs, eachMs);
    if (late > waitMs) {
      if (isServed) return waitMs;
      count("halcyon.rate_limit.refusals", { policy: "pages" });
      const message = "Too many requests. Wait as long as Retry-After says, then go on more slowly.";
      return new ApiError("rate_limited", message, { retryAfter: Math.ceil(late / 1000) });
    }
    if (!this.fullAt.has(name) && this.fullAt.size >= this.crowded) this.forgetIdle(now);
    this.fullAt.set(name, full);
    return Math.max(0, Math.ceil(late));
  }

  private forgetIdle(now: number): void {
    for (const [name, full] of this.fullAt) if (full <= now) this.fullAt.delete(name);
    this.crowded = Math.max(CROWDED, 2 * this.fullAt.size);
  }
}
