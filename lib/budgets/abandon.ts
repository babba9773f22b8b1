import { encodeFunctionData } from "viem";
import { db } from "@/db/client";
import { assetBySymbol } from "@/lib/assets";
import { actorOf, appendAudit } from "@/lib/audit/append";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { broadcast } from "@/lib/chain/broadcast";
import { scopeOf } from "@/lib/chain/scope-of";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import type { SessionContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { EMPTY_BUDGET_WORD } from "@/lib/ledger/crypto/commitments";
import { requireDeadline } from "@/lib/operations/require-deadline";
import { type SubmittedOperation, submitOperation } from "@/lib/operations/submit-operation";
import { budgetChanged } from "./check-prepared";
import { lockBudget, newestState } from "./lock";
import type { AbandonInput } from "./schema";

/**
 * Relays the ledger's `abandon`, signed by the owner's wallet: a budget that no one can open is set to zero, so that
 * the notes and credit of that asset can be allocated again. What was in the budget is lost. That it does not open,
 * only the owner's client knows.
 *
 * @throws ApiError `budget_changed` when the budget is another by now, or a payment over it is under way;
 *   `invalid_request` for a signature the ledger refuses; `rate_limited`
 */
export async function abandon(ctx: SessionContext, input: AbandonInput): Promise<SubmittedOperation> {
  const { chainId, account } = ctx;
  const asset = assetBySymbol(chainId, input.asset).address;
  const deadline = requireDeadline(input.deadline, "deadline");
  const { ledger } = await scopeOf(chainId);
  const data = encodeFunctionData({
    abi: ledgerAbi,
    functionName: "abandon",
    args: [account.address, asset, BigInt(input.deadline), input.signature],
  });
  const accepted = await wouldSucceed(chainId, ledger, data);
  const budgetId = { chainId, account: account.address, asset };
  const operation = await db().transaction(async (tx) => {
    await lockBudget(tx, budgetId);
    const { word, madeBy } = await newestState(tx, budgetId);
    if (word !== input.word || word === EMPTY_BUDGET_WORD || madeBy.length > 0) throw budgetChanged();
    if (!accepted) {
      const message =
        "The ledger refuses this: sign Abandon with the owner's wallet, over the current balance commitment and nonce.";
      throw new ApiError("invalid_request", message, { param: "signature" });
    }
    const { rootId, id: target, rootAddress: quotaOf } = account;
    const entry = { rootId, chainId, actor: actorOf(ctx), action: "budget.abandoned", target };
    await appendAudit(tx, { ...entry, after: { asset: input.asset, word } }, new Date());
    const call = { kind: "abandon", account: account.address, quotaOf, target: ledger, data } as const;
    return submitOperation(tx, { chainId, ...call, deadline });
  });
  broadcast(operation);
  return operation;
}
