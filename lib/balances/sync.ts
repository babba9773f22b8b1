import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { availableStates } from "@/db/schema/ledger";
import { secretRotated, secretVersionOf } from "@/lib/accounts/secret-version";
import { assetBySymbol } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { EMPTY_AVAILABLE_HEX } from "@/lib/ledger/crypto/commitments";
import { availableChanged } from "./check-document";
import { lockAvailable, newestState, statesAt } from "./lock";
import type { SyncInput } from "./schema";

/**
 * Stores the opening of a final commitment that the log lacks, encrypted by the owner's client. This lets payments
 * continue after the owner changed the available balance without the service. The service can't check that the opening
 * is right; a payment that can't decrypt it asks for another one.
 *
 * @throws ApiError `available_balance_changed` if the commitment is not the newest, or the secret has been rotated in
 *   the meantime
 */
export async function syncBalance(
  ctx: SessionContext,
  input: SyncInput,
): Promise<{ commitment: SyncInput["commitment"] }> {
  const asset = assetBySymbol(ctx.chainId, input.asset);
  const availableId = { chainId: ctx.chainId, account: ctx.account.address, asset: asset.address };
  const { commitment, encrypted, flag, secret_version: secretVersion } = input;
  return db().transaction(async (tx) => {
    await lockAvailable(tx, availableId);
    if ((await secretVersionOf(ctx.chainId, ctx.account, tx)) !== secretVersion) throw secretRotated();
    const newest = await newestState(tx, availableId);
    if (newest.commitment !== commitment || commitment === EMPTY_AVAILABLE_HEX) throw availableChanged();
    if (newest.state) {
      // An existing state is replaced too: it may be encrypted under an older version of the secret, or be
      // undecryptable.
      await tx
        .update(availableStates)
        .set({ encrypted, flag, secretVersion })
        .where(and(statesAt(availableId, "pending", "final"), eq(availableStates.commitment, commitment)));
    } else {
      const state = {
        ...availableId,
        oldCommitment: commitment,
        commitment,
        encrypted,
        flag,
        secretVersion,
        status: "final" as const,
      };
      await tx.insert(availableStates).values({ ...state, operationId: null, createdAt: new Date() });
      await tx.delete(availableStates).where(statesAt(availableId, "past"));
    }
    return { commitment };
  });
}
