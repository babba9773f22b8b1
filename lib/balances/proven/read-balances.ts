import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { depositedBalances, notes } from "@/db/schema/ledger";
import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { UNSPENT } from "@/lib/balances/available";
import { newestState, syncRequired } from "@/lib/balances/lock";
import { type Asset, assetsOf } from "@/lib/base/assets";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { scopeOf } from "@/lib/chain/scope-of";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { decryptFlag } from "@/lib/ledger/encrypted/available-state";
import { type ProvenBalances, readProvenBalances } from "./read-proven-balances";
import type { BalancesInput } from "./schema";

/** Whether each asset that the account has ever held has a balance above zero. */
export interface AboveZero {
  balances: { asset: Asset["symbol"]; above_zero: boolean }[];
}

/**
 * Returns the account's balances (docs/protocol.md section 8). With a `decryption_proof` it returns the amounts that
 * the proof shows, plus the deposited money. Without one it returns only whether each is above zero; for the available
 * balance, that is read from its encrypted flag.
 *
 * @throws ApiError `kyc_required`, `decryption_proof_invalid`, `sync_required` (the balance changed on chain without
 *   the service), `invalid_request` (no proof, and the caller can't decrypt the flag)
 */
export async function readBalances(ctx: Context, input: BalancesInput): Promise<AboveZero | ProvenBalances> {
  await requireKyc(ctx);
  if (input.decryption_proof !== undefined) return readProvenBalances(ctx, input.decryption_proof);
  const flagKey = ctx.actor === "key" ? await ctx.unwrapFlagKey() : null;
  const balances: AboveZero["balances"] = [];
  for (const asset of assetsOf(ctx.chainId)) {
    const known = await aboveZero(ctx, asset, flagKey);
    if (known !== null) balances.push({ asset: asset.symbol, above_zero: known });
  }
  return { balances };
}

/**
 * Returns the error for sessions and for keys of strict accounts, which can't decrypt the flag of the available
 * balance.
 */
function proofNeeded(): ApiError {
  return new ApiError("invalid_request", "This balance is known only to your wallet. Send a decryption proof.", {
    param: "decryption_proof",
  });
}

/** Returns null if the account never held this asset. */
async function aboveZero(ctx: Context, asset: Asset, flagKey: Uint8Array | null): Promise<boolean | null> {
  const availableId = { chainId: ctx.chainId, account: ctx.account.address, asset: asset.address };
  const [deposited] = await db()
    .select({ units: depositedBalances.units })
    .from(depositedBalances)
    .where(
      and(
        eq(depositedBalances.chainId, availableId.chainId),
        eq(depositedBalances.account, availableId.account),
        eq(depositedBalances.asset, availableId.asset),
      ),
    );
  if (deposited && deposited.units > 0n) return true;
  const mine = and(
    eq(notes.chainId, availableId.chainId),
    eq(notes.account, availableId.account),
    eq(notes.asset, availableId.asset),
  );
  // Every note holds at least one unit, so an unspent note means a balance above zero.
  const [open] = await db().select({ note: notes.note }).from(notes).where(and(mine, UNSPENT)).limit(1);
  if (open) return true;
  const newest = await db().transaction((tx) => newestState(tx, availableId));
  if (newest.syncRequired) throw syncRequired();
  if (newest.state) {
    if (!flagKey) throw proofNeeded();
    const commitment = hexToCommitment(newest.commitment);
    try {
      const where = {
        scope: await scopeOf(ctx.chainId),
        account: availableId.account,
        asset: availableId.asset,
        commitment,
      };
      return decryptFlag(flagKey, where, fromHex(newest.state.flag));
    } catch (error) {
      // The flag was encrypted under another version of the secret, so its value is unknown.
      throw error instanceof DecryptionFailed ? syncRequired() : error;
    }
  }
  if (deposited) return false;
  const [spent] = await db().select({ note: notes.note }).from(notes).where(mine).limit(1);
  return spent ? false : null;
}
