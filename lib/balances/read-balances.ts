import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { credits, notes } from "@/db/schema/ledger";
import { type Asset, assetsOf } from "@/lib/assets";
import { newestState, resealRequired } from "@/lib/budgets/lock";
import { scopeOf } from "@/lib/chain/scope-of";
import type { Context } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { requireKyc } from "@/lib/kyc/require-kyc";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { UnsealFailed } from "@/lib/ledger/crypto/errors";
import { hexToWord } from "@/lib/ledger/crypto/field";
import { openFlag } from "@/lib/ledger/seal/budget-state";
import { type ProvenBalances, readProvenBalances } from "./read-proven-balances";
import type { BalancesInput } from "./schema";

/** Whether there is anything of an asset, for each asset the account has ever held. */
export interface AboveZero {
  balances: { asset: Asset["symbol"]; above_zero: boolean }[];
}

/**
 * The account's balances (docs/protocol.md section 8). With a `decryption_proof` the amounts it proves, plus the public
 * credit; without one only whether each is above zero, and the budget's part comes from its sealed flag.
 *
 * @throws kyc_required, decryption_proof_invalid, reseal_required (the owner acted alone), invalid_request (without a
 * proof, to a caller that opens no flag)
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

/** Sessions, and keys of strict accounts, open no flag: they can't learn what the budget holds. */
function proofNeeded(): ApiError {
  return new ApiError("invalid_request", "This balance is known only to your wallet. Send a decryption proof.", {
    param: "decryption_proof",
  });
}

/** Null: the account never held this asset. */
async function aboveZero(ctx: Context, asset: Asset, flagKey: Uint8Array | null): Promise<boolean | null> {
  const budgetId = { chainId: ctx.chainId, account: ctx.account.address, asset: asset.address };
  const [credit] = await db()
    .select({ units: credits.units })
    .from(credits)
    .where(
      and(
        eq(credits.chainId, budgetId.chainId),
        eq(credits.account, budgetId.account),
        eq(credits.asset, budgetId.asset),
      ),
    );
  if (credit && credit.units > 0n) return true;
  const mine = and(
    eq(notes.chainId, budgetId.chainId),
    eq(notes.account, budgetId.account),
    eq(notes.asset, budgetId.asset),
  );
  // A note holds at least one unit.
  const [open] = await db()
    .select({ note: notes.note })
    .from(notes)
    .where(and(mine, eq(notes.spent, false)))
    .limit(1);
  if (open) return true;
  const newest = await db().transaction((tx) => newestState(tx, budgetId));
  if (newest.resealRequired) throw resealRequired();
  if (newest.state) {
    if (!flagKey) throw proofNeeded();
    const commitment = hexToWord(newest.word);
    try {
      const where = { scope: await scopeOf(ctx.chainId), account: budgetId.account, asset: budgetId.asset, commitment };
      return openFlag(flagKey, where, fromHex(newest.state.flag));
    } catch (error) {
      // Sealed under another version of the secret: what it says is not known.
      throw error instanceof UnsealFailed ? resealRequired() : error;
    }
  }
  if (credit) return false;
  const [spent] = await db().select({ note: notes.note }).from(notes).where(mine).limit(1);
  return spent ? false : null;
}
