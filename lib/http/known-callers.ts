import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { addressBlock } from "@/lib/base/rate-limit/address-bucket";
import { lineOf } from "./account-concurrency";
import { placeOfRequest } from "./admission";
import { callerOfKey } from "./auth/authenticate-key";
import { sessionCookieOf } from "./auth/read-session-cookie";
import { walletOfCookie } from "./wallet-of-cookie";

/** For whom a request counts: a client address, or an account once its key or session is known to be valid. */
export interface RequestOwner {
  kind: "address" | "account";
  name: string;
}

/** How many keys and sessions a process knows. Those that it has not seen for longest are forgotten first. */
const MOST_KNOWN = 10_000;

// Next.js bundles routes separately, so a module variable would give one per bundle. A global gives one per process.
const shared = globalThis as typeof globalThis & { halcyonKnownCallers?: Map<string, string> };
shared.halcyonKnownCallers ??= new Map();
const known = shared.halcyonKnownCallers;

const hashOf = (credential: string) => createHash("sha256").update(credential).digest("base64");

/**
 * Remembers whose a key or session is that has just been found to be valid, and counts the current request for it.
 *
 * @param credential the `Authorization` header, or the value of the session cookie
 */
export function rememberCaller(credential: string | null | undefined, line: string): void {
  placeOfRequest()?.countFor({ kind: "account", name: line });
  if (!credential) return;
  const hash = hashOf(credential);
  // Moves it to the end.
  known.delete(hash);
  known.set(hash, line);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}

/** Forgets a key or session that is not valid any more. */
export function forgetCaller(credential: string | null | undefined): void {
  if (credential && known.size > 0) known.delete(hashOf(credential));
}

/**
 * Returns for whom a request counts before its key or session has been looked up. What this process has found valid
 * counts for its account; anything else may be made up, and counts for its client address. This decides in whose place
 * a request stands, never what it may do.
 *
 * @param wallet for a page: of the request's session, if it has one that this service made
 */
export function ownerOf(
  { authorization, cookie }: IncomingHttpHeaders,
  address: string,
  wallet?: string,
): RequestOwner {
  if (wallet !== undefined) return { kind: "account", name: `wallet:${wallet}` };
  for (const credential of known.size === 0 ? [] : [authorization, sessionCookieOf(cookie ?? null)]) {
    const line = credential ? known.get(hashOf(credential)) : undefined;
    if (line !== undefined) return { kind: "account", name: line };
  }
  return { kind: "address", name: addressBlock(address) };
}

/**
 * Looks up for whom a request counts that its address can't be refused for before: one with a key that is valid, or with
 * a session that this service made.
 */
export async function lookUpOwner({ authorization, cookie }: IncomingHttpHeaders): Promise<RequestOwner | undefined> {
  const caller = authorization === undefined ? undefined : await callerOfKey(authorization);
  if (caller) return { kind: "account", name: lineOf(caller) };
  const wallet = await walletOfCookie(cookie);
  return wallet === undefined ? undefined : { kind: "account", name: `wallet:${wallet}` };
}
