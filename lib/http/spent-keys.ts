import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "./caller";

/** How many keys a process remembers. */
const MOST_KEYS = 1_000;
/**
 * How long a refusal is held back, and how many are at most. Each takes one of the requests that the process serves at
 * once (lib/http/admission.ts), and other requests need nine tenths of these.
 */
const HELD_MS = 250;
const MOST_HELD = 100;

interface Spent {
  /** The callers whose limit was used up at their last request, by the hash of their `Authorization` header. */
  callers: Map<string, Caller>;
  /** The number of refusals held back. */
  held: number;
}

// Next.js bundles routes separately, so a module variable would give one per bundle. A global gives one per process.
const shared = globalThis as typeof globalThis & { halcyonSpentKeys?: Spent };

function spent(): Spent {
  shared.halcyonSpentKeys ??= { callers: new Map(), held: 0 };
  return shared.halcyonSpentKeys;
}

const hashOf = (authorization: string) => createHash("sha256").update(authorization).digest("base64");

/** Remembers the owner of a key that has used up its limit. */
export function rememberSpent(authorization: string, caller: Caller): void {
  const { callers } = spent();
  const hash = hashOf(authorization);
  // Moves the key to the end, so that the least recently refused one is dropped first.
  callers.delete(hash);
  callers.set(hash, caller);
  const [oldest] = callers.keys();
  if (callers.size > MOST_KEYS && oldest !== undefined) callers.delete(oldest);
}

/** Returns the caller of a key, if its limit was used up at its last request. */
export function callerOfSpent(authorization: string): Caller | undefined {
  const { callers } = spent();
  return callers.size === 0 ? undefined : callers.get(hashOf(authorization));
}

/** Forgets a key that may call again. */
export const forgetSpent = (authorization: string): void => void spent().callers.delete(hashOf(authorization));

/**
 * Holds a refusal back for a moment. A client that retries immediately is then refused four times a second per
 * connection, instead of as often as this process can. In the meantime the request holds no database connection and no
 * turn.
 */
export async function holdRefusal(): Promise<void> {
  const state = spent();
  if (state.held >= MOST_HELD) return;
  state.held += 1;
  await sleep(HELD_MS);
  state.held -= 1;
}
