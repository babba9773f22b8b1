import { type Recipient, resolveRecipient } from "@/lib/accounts/resolve-recipient";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import { assetBySymbol } from "@/lib/base/assets";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { getTransfer } from "./get-transfer";
import type { ListOptions } from "./list-options";
import { listSummaries, listTransfers, type TransferPage } from "./list-transfers";
import { idsOfPage, type PageStatement } from "./page-statement";
import type { TransferFilters } from "./schema";
import type { TransferSummary, TransferView } from "./transfer-view";

/** Filters of a list, as the caller specifies them. */
type FilterQuery = TransferFilters & { agent?: string };

/**
 * Returns transfers with their ciphertexts, filtered: of the account and its agents, of the agent that the context acts
 * for, or of the agent that the query names.
 *
 * @throws ApiError `recipient_not_found` for an unknown counterparty; `not_found`, `not_agent_owner` for a wrong
 *   `agent`; `invalid_request` if `starting_after` is not one of the caller's transfers
 */
export async function listOwnTransfers(ctx: Context, query: FilterQuery): Promise<TransferPage<TransferView>> {
  return listTransfers(...(await asked(ctx, query)));
}

/** Like {@link listOwnTransfers}, without the ciphertexts. */
export async function listOwnSummaries(ctx: Context, query: FilterQuery): Promise<TransferPage<TransferSummary>> {
  return listSummaries(...(await asked(ctx, query)));
}

/** Returns the statement for the ids of the list's transfers, with one more if it continues. */
export async function idsOfAsked(ctx: Context, query: FilterQuery): Promise<PageStatement> {
  return idsOfPage(...(await asked(ctx, query)));
}

async function asked(ctx: Context, query: FilterQuery): Promise<[Context, ListOptions]> {
  const { agent, asset, counterparty, key, starting_after, refund_of, ...rest } = query;
  const account = agent === undefined ? ctx.account : await findOwnAgent(ctx, agent);
  return [
    { ...ctx, account },
    {
      ...rest,
      keyId: key,
      asset: asset && assetBySymbol(ctx.chainId, asset).address,
      counterparty: counterparty === undefined ? undefined : await resolve(ctx, counterparty),
      refundOf: refund_of,
      startingAfter: starting_after === undefined ? undefined : await ownTransfer(ctx, starting_after),
    },
  ];
}

/** Returns the id of a transfer that the caller may see. Other accounts' ids and unknown ids get the same error. */
async function ownTransfer(ctx: Context, id: string): Promise<string> {
  try {
    return (await getTransfer(ctx, id)).row.id;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "not_found")) throw error;
    throw new ApiError(
      "invalid_request",
      "starting_after is no transfer of yours. Take an id from a page of the list.",
      {
        param: "starting_after",
      },
    );
  }
}

async function resolve(ctx: Context, counterparty: string): Promise<Recipient> {
  try {
    return await resolveRecipient(ctx.chainId, counterparty);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "recipient_not_found")) throw error;
    throw new ApiError("recipient_not_found", "No account has this handle. Check its spelling.", {
      param: "counterparty",
    });
  }
}
