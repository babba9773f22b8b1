import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "./caller";

/** Keys that are remembered, of this process. */
const MOST_KEYS = 1_000;
/**
 * How long a refusal waits, and how many do: each is one of the requests that the process serves at once
 * (lib/http/admission.ts), of which others need nine tenths.
 */
const HELD_MS = 250;
const MOST_HELD = 100;

interface Spent {
  /** Who sent a key whose limit was spent when it came last, by the hash of its `Authorization`. */
  callers: Map<string, Caller>;
  /** Refusals that wait. */
  held: number;
}

// Next bundles routes separately: one of these per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & { halcyonSpentKeys?: Spent };

function spent(): Spent {
  shared.halcyonSpentKeys ??= { callers: new Map(), held: 0 };
  return shared.halcyonSpentKeys;
}

const hashOf = (authorization: string) => createHash("sha256").update(authorization).digest("base64");

/** Remembers whose key it was that has spent its limit. */
export function rememberSpent(authorization: string, caller: Caller): void {
  const { callers } = spent();
  const hash = hashOf(authorization);
  // The one that was refused last goes last.
  callers.delete(hash);
  callers.set(hash, caller);
  const [oldest] = callers.keys();
  if (callers.size > MOST_KEYS && oldest !== undefined) callers.delete(oldest);
}

/** Whose key it is, if its limit was spent when it came last. */
export const callerOfSpent = (authorization: string): Caller | undefined => spent().callers.get(hashOf(authorization));

/** Forgets a key that may call again. */
export const forgetSpent = (authorization: string): void => void spent().callers.delete(hashOf(authorization));

/**
 * Lets a refusal wait: who asks again with each response is refused four times a second by each of its connections, not
 * as often as this process can. It holds no connection of the database meanwhile and no turn.
 */
export async function holdRefusal(): Promise<void> {
  const state = spent();
  if (state.held >= MOST_HELD) return;
  state.held += 1;
  await sleep(HELD_MS);
  state.held -= 1;
}
