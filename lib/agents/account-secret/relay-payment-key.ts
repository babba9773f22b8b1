import { isAddressEqual, zeroAddress } from "viem";
import { db } from "@/db/client";
import { requirePaymentKeyUntil } from "@/lib/accounts/payment-key-until";
import { requireOwner } from "@/lib/agents/require-owner";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { broadcast } from "@/lib/chain/broadcast";
import { isByContract } from "@/lib/chain/is-by-contract";
import { requireDeadline } from "@/lib/chain/operations/require-deadline";
import { type SubmittedOperation, submitOperation } from "@/lib/chain/operations/submit-operation";
import { readRecord } from "@/lib/chain/registry";
import { scopeOf } from "@/lib/chain/scope-of";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";

/**
 * Relays a `SetPaymentKey` that keeps the account's payment key and moves its end, or that leaves the account without
 * one, so that only its wallet signs: the secret, keys and available balances stay as they are.
 *
 * @throws ApiError `invalid_request` for another account's or payment key's, and for a signature the ledger refuses;
 *   `rate_limited`
 */
export async function relayPaymentKey(
  ctx: SessionContext,
  document: AuthorityDocumentOf<"set_payment_key">,
): Promise<SubmittedOperation> {
  requireOwner(ctx);
  const { chainId, account } = ctx;
  const deadline = requireDeadline(document.deadline, "deadline");
  const ends = isAddressEqual(document.payment_key, zeroAddress);
  if (!ends) requirePaymentKeyUntil(document.payment_key_until);
  const scope = await scopeOf(chainId);
  const { ledger } = scope;
  const record = await readRecord(chainId, account.address);
  if (!record) throw new ApiError("not_found", "This account is not enrolled on this network yet.");
  const isOwn = document.account === account.address;
  const isTaken = isOwn && (ends || isAddressEqual(document.payment_key, record.signer));
  const data = authorityCalldata(document);
  if (!isTaken || !(await wouldSucceed(chainId, ledger, data))) {
    const message =
      "The ledger refuses this: sign SetPaymentKey with the account's wallet, its current payment key and nonce.";
    throw new ApiError("invalid_request", message, { param: "signature" });
  }
  const byContract = await isByContract(scope, document, [account.address]);
  const operation = await db().transaction(async (tx) => {
    const call = {
      chainId,
      kind: "set_payment_key",
      account: account.address,
      target: ledger,
      data,
      byContract,
    } as const;
    const submitted = await submitOperation(tx, { ...call, deadline });
    const entry = { rootId: account.id, chainId, actor: actorOf(ctx), target: account.id };
    const change = ends
      ? { action: "account.payment_key_stopped", after: {} }
      : { action: "account.payment_key_renewed", after: { payment_key_until: document.payment_key_until } };
    await appendAudit(tx, { ...entry, ...change }, submitted.createdAt);
    return submitted;
  });
  broadcast(operation);
  return operation;
}
