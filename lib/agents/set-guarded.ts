import { isAddressEqual } from "viem";
import { db } from "@/db/client";
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
import { requireOwner } from "./require-owner";

/**
 * Relays the ledger's `setGuarded`, signed by the account's wallet. While the guard is on, only the wallet can set
 * policies and move money between the account and its agents.
 *
 * @throws ApiError `not_agent_owner`; `invalid_request` if the ledger would refuse it, for example turning off the
 *   guard of an account whose own keys have a policy; `rate_limited`
 */
export async function setGuarded(
  ctx: SessionContext,
  document: AuthorityDocumentOf<"set_guarded">,
): Promise<SubmittedOperation> {
  requireOwner(ctx);
  const { chainId, account } = ctx;
  const deadline = requireDeadline(document.deadline, "deadline");
  if (!isAddressEqual(document.account, account.address)) {
    throw new ApiError("invalid_request", "Sign for your own account.", { param: "account" });
  }
  const scope = await scopeOf(chainId);
  const { ledger } = scope;
  const data = authorityCalldata(document);
  if (!(await wouldSucceed(chainId, ledger, data))) {
    const message =
      "The ledger refuses this: sign SetGuarded with the account's wallet and its current nonce. An account whose keys " +
      "have limits stays guarded.";
    throw new ApiError("invalid_request", message, { param: "signature" });
  }
  const byContract = await isByContract(scope, document, [account.address]);
  const operation = await db().transaction(async (tx) => {
    const call = { chainId, kind: "set_guarded", account: account.address, target: ledger, data, byContract } as const;
    const submitted = await submitOperation(tx, { ...call, deadline });
    const entry = { rootId: account.id, chainId, actor: actorOf(ctx), target: account.id };
    const action = document.guarded ? "account.guarded" : "account.guard_removed";
    await appendAudit(tx, { ...entry, action, after: { signature: document.signature } }, submitted.createdAt);
    return submitted;
  });
  broadcast(operation);
  return operation;
}
