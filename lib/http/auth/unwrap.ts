import { and, eq, isNull } from "drizzle-orm";
import type { Address } from "viem";
import { db, type Tx } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import type { UnwrappedSecret } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { scopeOf } from "@/lib/chain/scope-of";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { unwrapFlagKey, unwrapSecret } from "@/lib/ledger/seal/api-key";

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
 * Decrypts the key's copy of the account secret s (or an agent's s_i).
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
  const { chainId, holder, version, schedule } = key;
  const wrapRef = { scope: await scopeOf(chainId), holder, version, schedule };
  return { ...unwrapSecret(key.text, wrapRef, wrap), secretVersion: key.version };
}

/** Decrypts the key's copy of the flag key; returns null for a key without one. */
export async function openFlagWrap(key: WrappedKey): Promise<Uint8Array | null> {
  const wrap = await readWrap(key.keyId, "flagWrap");
  if (wrap === null) return null;
  const { chainId, holder, version, schedule } = key;
  const wrapRef = { scope: await scopeOf(chainId), holder, version, schedule };
  return unwrapFlagKey(key.text, wrapRef, wrap);
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
): Promise<Uint8Array | null> {
  const [row] = await at
    .select({ wrap: apiKeys[column] })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt)));
  if (!row) throw new ApiError("unauthorized", "This API key has been revoked.");
  return row.wrap && fromHex(row.wrap);
}
