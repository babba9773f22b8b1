import { createHash } from "node:crypto";
import { placeOfRequest } from "./admission";
import type { Caller } from "./caller";
import { heldMs, MOST_HELD } from "./held-ms";

/** How many keys a process remembers. */
const MOST_KEYS = 1_000;
/** How long a refusal is held back while few are, in milliseconds. */
const HELD_MS = 250;

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
 * Holds a refusal back for a moment. A client that retries immediately is then refused at most four times a second per
 * connection, instead of as often as this process can. In the meantime the request holds no database connection, no
 * turn and no place in the process.
 */
export async function holdRefusal(refused: Refused): Promise<void> {
  const { held } = spent();
  if (held[refused] >= MOST_HELD) return;
  placeOfRequest()?.giveUp();
  const ms = heldMs(held[refused], HELD_MS);
  held[refused] += 1;
  await new Promise((resolve) => setTimeout(resolve, ms));
  held[refused] -= 1;
}
