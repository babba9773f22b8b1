import { and, eq, isNull } from "drizzle-orm";
import type { Address } from "viem";
import { db, type Tx } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import { accessPlace, removeWrapLayer, wrapPlace } from "@/lib/accounts/keys/wrap-layer";
import type { Layered } from "@/lib/accounts/pepper-layer";
import type { UnwrappedSecret } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { needsHomeKey } from "@/lib/base/payment-errors";
import { log } from "@/lib/base/telemetry/log";
import { scopeOf } from "@/lib/chain/scope-of";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { hashApiKey, type KeyWrapRef, unwrapFlagKey, unwrapSecret } from "@/lib/ledger/encrypted/api-key";
import { decryptAccess } from "@/lib/ledger/encrypted/blind-key";

/**
 * What a route may decrypt with a key: the account secret (server-signed payments), the flag key (balances), or nothing.
 */
export type Grant = "secret" | "flag" | "nothing";

/** A key as a request carries it, and the account whose secret it holds an encrypted copy of. */
interface WrappedKey {
  keyId: string;
  text: string;
  chainId: ChainId;
  holder: Address;
  version: number;
  /** The public half of its request key, if it is a blind key. */
  requestKey: Uint8Array | undefined;
  /** The id of the schedule, if the key was created for one. */
  schedule: string | undefined;
}

/**
 * Decrypts the key's copy of the account secret: k and a, or an agent's k_i and a_i.
 *
 * @param tx the transaction it is called in, if any
 * @throws ApiError `key_forbidden` for a key without a copy: a blind one, or of an account in strict mode
 */
export async function decryptWrap(key: WrappedKey, tx?: Tx): Promise<UnwrappedSecret> {
  if (key.requestKey) throw needsHomeKey();
  const wrap = await readWrap(key.keyId, "wrap", tx);
  if (wrap === null) throw clientSigned();
  const ref = await refOf(key);
  const inner = innerOf(key, wrapPlace("wrap", hashApiKey(key.text), ref), wrap);
  return { ...unwrapSecret(key.text, ref, inner), secretVersion: key.version };
}

/**
 * Decrypts the authority that a blind key wraps, a or an agent's a_i. It is asked for in the transaction that signs, so
 * that a revocation that came before it signs nothing.
 *
 * @throws ApiError `key_forbidden` if it wraps none any more
 */
export async function decryptAuthority(key: WrappedKey & { requestKey: Uint8Array }, tx: Tx): Promise<Uint8Array> {
  const wrap = await readWrap(key.keyId, "accessWrap", tx);
  if (wrap === null) throw clientSigned();
  const ref = { ...(await refOf(key)), requestKey: key.requestKey };
  return decryptAccess(key.text, ref, innerOf(key, accessPlace(hashApiKey(key.text), ref), wrap));
}

/** Decrypts the key's copy of the flag key; returns null for a key without one. */
export async function decryptFlagWrap(key: WrappedKey): Promise<Uint8Array | null> {
  const wrap = await readWrap(key.keyId, "flagWrap");
  if (wrap === null) return null;
  const ref = await refOf(key);
  return unwrapFlagKey(key.text, ref, innerOf(key, wrapPlace("flag wrap", hashApiKey(key.text), ref), wrap));
}

function clientSigned(): ApiError {
  return new ApiError(
    "key_forbidden",
    "This key has no secret to sign with, because its account requires client-signed payments: send `client_signed`, and " +
      "change agents and policies with the account's wallet.",
  );
}

async function refOf({ chainId, holder, version, schedule }: WrappedKey): Promise<KeyWrapRef> {
  return { scope: await scopeOf(chainId), holder, version, schedule };
}

/**
 * Removes the server's layer.
 *
 * @throws ApiError `unavailable` if no pepper of this process decrypts it
 */
function innerOf({ keyId }: WrappedKey, place: Layered, wrap: `0x${string}`): Uint8Array {
  try {
    return removeWrapLayer(place, wrap);
  } catch (error) {
    if (!(error instanceof DecryptionFailed)) throw error;
    log().error(
      { key_id: keyId },
      "what an API key wraps decrypts under no SERVER_PEPPER of this process: the pepper was exchanged without its steps, or the row was changed",
    );
    throw new ApiError(
      "unavailable",
      "This service can't decrypt what this API key wraps at the moment. Nothing was paid. Try again later; if it " +
        "lasts, create another key.",
    );
  }
}

/** Replaces both functions on every other route, so that a mistake in a verb can't decrypt anything. */
export async function refuseUnwrap(): Promise<never> {
  throw new Error("this route may not open what the key wraps");
}

/**
 * Reads an encrypted copy only when it is needed, and only while the key is valid. Revoking the key deletes all
 * copies.
 */
async function readWrap(
  keyId: string,
  column: "wrap" | "flagWrap" | "accessWrap",
  at: Pick<Tx, "select"> = db(),
): Promise<`0x${string}` | null> {
  const [row] = await at
    .select({ wrap: apiKeys[column] })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt)));
  if (!row) throw new ApiError("unauthorized", "This API key has been revoked.");
  return row.wrap;
}
