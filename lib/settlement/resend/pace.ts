import type { ChainId } from "@/lib/base/network";
import { chainEnv } from "@/lib/chain/clients";

/**
 * How long the sweep waits before it acts, in milliseconds. A local chain responds at once; a public chain takes
 * longer.
 */
interface Pace {
  /** Signed but not sent. The process that signed sends at once; after this time the worker does. */
  signed: number;
  /** Sent but not mined: send the same bytes again. */
  sent: number;
  /** Not mined although its nonce is next: raise the fee. */
  stuck: number;
  /** Ask for the receipt. Usually the index knows earlier. */
  check: number;
}

const LOCAL: Pace = { signed: 500, sent: 3_000, stuck: 15_000, check: 1_000 };
const PUBLIC: Pace = { signed: 2_000, sent: 20_000, stuck: 60_000, check: 10_000 };

export function paceOf(chainId: ChainId): Pace {
  return chainEnv(chainId).local ? LOCAL : PUBLIC;
}

const FIRST_RETRY = 500;
const LONGEST_RETRY = 60_000;

/** Returns when to try again after the n-th failure (from 0): after half a second, doubling, at most a minute. */
export function retryAt(now: Date, failures: number): Date {
  return new Date(now.getTime() + Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** Math.min(failures, 10)));
}
