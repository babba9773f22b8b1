import { isAddressEqual } from "viem";
import { db } from "@/db/client";
import { assetByAddress } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { broadcast } from "@/lib/chain/broadcast";
import { isByContract } from "@/lib/chain/is-by-contract";
import { requireDeadline } from "@/lib/chain/operations/require-deadline";
import { type SubmittedOperation, submitOperation } from "@/lib/chain/operations/submit-operation";
import { scopeOf } from "@/lib/chain/scope-of";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { EMPTY_AVAILABLE_HEX } from "@/lib/ledger/crypto/commitments";
import { availableChanged } from "./check-document";
import { lockAvailable, newestState } from "./lock";

/**
 * Relays the ledger's `abandon`, signed by the owner's wallet. It sets an available balance that no one can decrypt to
 * zero, so that notes and deposited money of that asset can be made available again. What was in the available balance
 * is lost. Only the owner's client can know that the available balance can't be decrypted; the service doesn't check
 * it.
 *
 * @throws ApiError `available_balance_changed` if the available balance has changed or a payment from it is under way;
 *   `invalid_request` for another account's available balance, an unknown asset or a signature that the ledger refuses;
 *   `rate_limited`
 */
export async function abandon(
  ctx: SessionContext,
  document: AuthorityDocumentOf<"abandon">,
): Promise<SubmittedOperation> {
  const { chainId, account } = ctx;
  if (!isAddressEqual(document.account, account.address)) {
    throw new ApiError("invalid_request", "Give up a balance of your own account.", { param: "account" });
  }
  const asset = assetByAddress(chainId, document.asset);
  if (!asset) throw new ApiError("invalid_request", "This asset is not offered.", { param: "asset" });
  const deadline = requireDeadline(document.deadline, "deadline");
  const scope = await scopeOf(chainId);
  const { ledger } = scope;
  const data = authorityCalldata(document);
  const accepted = await wouldSucceed(chainId, ledger, data);
  const availableId = { chainId, account: account.address, asset: asset.address };
  const byContract = await isByContract(scope, document, [account.rootAddress]);
  const operation = await db().transaction(async (tx) => {
    await lockAvailable(tx, availableId);
    const { commitment, madeBy } = await newestState(tx, availableId);
    if (commitment !== document.old_available || commitment === EMPTY_AVAILABLE_HEX || madeBy.length > 0)
      throw availableChanged();
    if (!accepted) {
      const message =
        "The ledger refuses this: sign Abandon with the owner's wallet, over the current balance commitment and nonce.";
      throw new ApiError("invalid_request", message, { param: "signature" });
    }
    const { rootId, id: target, rootAddress: quotaOf } = account;
    const call = { kind: "abandon", account: account.address, quotaOf, target: ledger, data, byContract } as const;
    const submitted = await submitOperation(tx, { chainId, ...call, deadline });
    const entry = { rootId, chainId, actor: actorOf(ctx), action: "available_balance.abandoned", target };
    await appendAudit(tx, { ...entry, after: { asset: asset.symbol, commitment } }, submitted.createdAt);
    return submitted;
  });
  broadcast(operation);
  return operation;
}
