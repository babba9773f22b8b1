import { and, eq, isNull } from "drizzle-orm";
import type { Address } from "viem";
import { db, type Tx } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import { removeWrapLayer, type WrapLabel } from "@/lib/accounts/keys/wrap-layer";
import type { UnwrappedSecret } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { scopeOf } from "@/lib/chain/scope-of";
import { UnsealFailed } from "@/lib/ledger/crypto/errors";
import { hashApiKey, type KeyWrapRef, unwrapFlagKey, unwrapSecret } from "@/lib/ledger/seal/api-key";

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
  /** The id of the schedule, if the key was created for one. */
  schedule: string | undefined;
}

/**
 * Decrypts the key's copy of the account secret: k and a, or an agent's k_i and a_i.
 *
 * @param tx the transaction it is called in, if any
 * @throws ApiError `key_forbidden` for a key without a copy
 */
export async function openWrap(key: WrappedKey, tx?: Tx): Promise<UnwrappedSecret> {
  const wrap = await readWrap(key.keyId, "wrap", tx);
  if (wrap === null) {
    throw new ApiError(
      "key_forbidden",
      "This key has no secret to sign with, because its account requires client-signed payments: send `prepared`, and " +
        "change agents and policies with the account's wallet.",
    );
  }
  const ref = await refOf(key);
  return { ...unwrapSecret(key.text, ref, innerOf(key, "wrap", ref, wrap)), secretVersion: key.version };
}

/** Decrypts the key's copy of the flag key; returns null for a key without one. */
export async function openFlagWrap(key: WrappedKey): Promise<Uint8Array | null> {
  const wrap = await readWrap(key.keyId, "flagWrap");
  if (wrap === null) return null;
  const ref = await refOf(key);
  return unwrapFlagKey(key.text, ref, innerOf(key, "flag wrap", ref, wrap));
}

async function refOf({ chainId, holder, version, schedule }: WrappedKey): Promise<KeyWrapRef> {
  return { scope: await scopeOf(chainId), holder, version, schedule };
}

/**
 * Removes the server's layer.
 *
 * @throws ApiError `unavailable` if no pepper of this process decrypts it
 */
function innerOf({ keyId, text }: WrappedKey, label: WrapLabel, ref: KeyWrapRef, wrap: `0x${string}`): Uint8Array {
  try {
    return removeWrapLayer(label, hashApiKey(text), ref, wrap);
  } catch (error) {
    if (!(error instanceof UnsealFailed)) throw error;
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
 * Reads an encrypted copy only when it is needed, and only while the key is valid. Revoking the key deletes both
 * copies.
 */
async function readWrap(
  keyId: string,
  column: "wrap" | "flagWrap",
  at: Pick<Tx, "select"> = db(),
): Promise<`0x${string}` | null> {
  const [row] = await at
    .select({ wrap: apiKeys[column] })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt)));
  if (!row) throw new ApiError("unauthorized", "This API key has been revoked.");
  return row.wrap;
}
