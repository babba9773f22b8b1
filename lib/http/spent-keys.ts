import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { placeOfRequest } from "./admission";
import type { Caller } from "./caller";

/** How many keys a process remembers. */
const MOST_KEYS = 1_000;
/** How long a refusal is held back, in milliseconds: longer while more than a few are. */
const HELD_MS = { few: 250, many: 1_000 };
const FEW = 100;
/** The most refusals of callers that are held back at once, and of addresses. */
const MOST_HELD = 4_000;

/** What used up its limit: a key, a session or its account; or a client address. */
type Refused = "caller" | "address";

interface Spent {
  /** The callers whose limit was used up at their last request, by the hash of their `Authorization` header. */
  callers: Map<string, Caller>;
  /** The number of refusals held back. */
  held: Record<Refused, number>;
}

// Next.js bundles routes separately, so a module variable would give one per bundle. A global gives one per process.
const shared = globalThis as typeof globalThis & { halcyonSpentKeys?: Spent };

function spent(): Spent {
  shared.halcyonSpentKeys ??= { callers: new Map(), held: { caller: 0, address: 0 } };
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
 * Holds a refusal back for a moment. A client that retries immediately is then refused once to four times a second per
 * connection, instead of as often as this process can. In the meantime the request holds no database connection, no
 * turn and no place in the process.
 */
export async function holdRefusal(refused: Refused): Promise<void> {
  const { held } = spent();
  if (held[refused] >= MOST_HELD) return;
  placeOfRequest()?.giveUp();
  const ms = held[refused] < FEW ? HELD_MS.few : HELD_MS.many;
  held[refused] += 1;
  await sleep(ms);
  held[refused] -= 1;
}
