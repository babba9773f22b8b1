import { type Recipient, resolveRecipient } from "@/lib/accounts/resolve-recipient";
import { assetBySymbol } from "@/lib/assets";
import type { SessionContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { listTransfers, type TransferPage } from "./list-transfers";
import type { ListOwnTransfersQuery } from "./schema";

/**
 * The transfers of the account and its agents, or of the agent the context acts for, as the owner's pages filter them.
 *
 * @throws ApiError `recipient_not_found` for a counterparty nobody is
 */
export async function listOwnTransfers(ctx: SessionContext, query: ListOwnTransfersQuery): Promise<TransferPage> {
  const { asset, counterparty, key, ...rest } = query;
  return listTransfers(ctx, {
    ...rest,
    keyId: key,
    asset: asset && assetBySymbol(ctx.chainId, asset).address,
    counterparty: counterparty === undefined ? undefined : await resolve(ctx, counterparty),
  });
}

async function resolve(ctx: SessionContext, counterparty: string): Promise<Recipient> {
  try {
    return await resolveRecipient(ctx.chainId, counterparty);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "recipient_not_found")) throw error;
    throw new ApiError("recipient_not_found", "No account has this handle. Check its spelling.", {
      param: "counterparty",
    });
  }
}
