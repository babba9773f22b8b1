import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { addressBlock } from "@/lib/base/rate-limit/address-bucket";
import { count } from "@/lib/base/telemetry/record";

const MINUTE_MS = 60_000;
/** Number of addresses at which idle ones are forgotten. */
const CROWDED = 5_000;

/** How long an address may ask for rendered pages at once, in milliseconds at its rate. */
const RENDERED_MS = 10_000;

/** Whose a request for a page is. */
interface Asked {
  /** The wallet of its session, if it has one that this service made. */
  wallet?: string | undefined;
  /** Whether the page is made for this request: that takes tens of times the CPU of one that is the same for everyone. */
  isRendered?: boolean;
}

/**
 * Limits what anyone may ask for by client address, and pages with a session by its wallet, so that it is not
 * refused because of what others at its address did. Rendered pages of an address count by themselves. Counted in this
 * process alone, because these need no database and work without one. (The limits of lib/http/limits.ts are shared by
 * all processes.)
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
   * @returns the error if the wallet, or the address of a request without one, has used up its requests
   */
  refuse(address: string, { wallet, isRendered = false }: Asked = {}): ApiError | undefined {
    const now = this.now();
    const [name, atOnceMs] =
      wallet === undefined && isRendered
        ? [`rendered ${addressBlock(address)}`, RENDERED_MS]
        : [wallet ?? addressBlock(address), MINUTE_MS];
    const full = Math.max(now, this.fullAt.get(name) ?? 0) + MINUTE_MS / this.perMinute;
    const late = full - now - atOnceMs;
    if (late > 0) {
      count("halcyon.rate_limit.refusals", { policy: "pages" });
      const message = "Too many requests. Wait as long as Retry-After says, then go on more slowly.";
      return new ApiError("rate_limited", message, { retryAfter: Math.ceil(late / 1000) });
    }
    if (!this.fullAt.has(name) && this.fullAt.size >= this.crowded) this.forgetIdle(now);
    this.fullAt.set(name, full);
    return undefined;
  }

  private forgetIdle(now: number): void {
    for (const [name, full] of this.fullAt) if (full <= now) this.fullAt.delete(name);
    this.crowded = Math.max(CROWDED, 2 * this.fullAt.size);
  }
}
