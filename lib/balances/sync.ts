import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { budgetStates } from "@/db/schema/ledger";
import { secretRotated, secretVersionOf } from "@/lib/accounts/secret-version";
import { assetBySymbol } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { EMPTY_BUDGET_WORD } from "@/lib/ledger/crypto/commitments";
import { budgetChanged } from "./check-prepared";
import { lockBudget, newestState, statesAt } from "./lock";
import type { SyncInput } from "./schema";

/**
 * Stores the opening of a final word that the log lacks, encrypted by the owner's client. This lets payments continue
 * after the owner changed the budget without the service. The service can't check that the opening is right; a payment
 * that can't decrypt it asks for another one.
 *
 * @throws ApiError `budget_changed` if the word is not the newest, or the secret has been rotated in the meantime
 */
export async function syncBalance(ctx: SessionContext, input: SyncInput): Promise<{ word: SyncInput["word"] }> {
  const asset = assetBySymbol(ctx.chainId, input.asset);
  const budgetId = { chainId: ctx.chainId, account: ctx.account.address, asset: asset.address };
  const { word, sealed, flag, secret_version: secretVersion } = input;
  return db().transaction(async (tx) => {
    await lockBudget(tx, budgetId);
    if ((await secretVersionOf(ctx.chainId, ctx.account, tx)) !== secretVersion) throw secretRotated();
    const newest = await newestState(tx, budgetId);
    if (newest.word !== word || word === EMPTY_BUDGET_WORD) throw budgetChanged();
    if (newest.state) {
      // An existing state is replaced too: it may be encrypted under an older version of the secret, or be
      // undecryptable.
      await tx
        .update(budgetStates)
        .set({ sealed, flag, secretVersion })
        .where(and(statesAt(budgetId, "pending", "final"), eq(budgetStates.word, word)));
    } else {
      const state = { ...budgetId, oldWord: word, word, sealed, flag, secretVersion, status: "final" as const };
      await tx.insert(budgetStates).values({ ...state, operationId: null, createdAt: new Date() });
      await tx.delete(budgetStates).where(statesAt(budgetId, "past"));
    }
    return { word };
  });
}
