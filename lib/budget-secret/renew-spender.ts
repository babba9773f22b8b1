import { encodeFunctionData } from "viem";
import { db } from "@/db/client";
import { requireOwner } from "@/lib/agents/require-owner";
import { actorOf, appendAudit } from "@/lib/audit/append";
import { requireSpenderUntil } from "@/lib/budgets/spender-until";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { broadcast } from "@/lib/chain/broadcast";
import { readRecord } from "@/lib/chain/registry";
import { scopeOf } from "@/lib/chain/scope-of";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import type { SessionContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { requireDeadline } from "@/lib/operations/require-deadline";
import { type SubmittedOperation, submitOperation } from "@/lib/operations/submit-operation";
import type { RenewInput } from "./schema";

/**
 * Relays a `SetSpender` that keeps the account's spender and moves its end: the secret, keys and budgets stay as they
 * are.
 *
 * @throws ApiError `invalid_request` for a signature the ledger refuses (also over another spender than the account's);
 *   `rate_limited`
 */
export async function renewSpender(ctx: SessionContext, input: RenewInput): Promise<SubmittedOperation> {
  requireOwner(ctx);
  const { chainId, account } = ctx;
  const deadline = requireDeadline(input.deadline, "deadline");
  const until = requireSpenderUntil(input.spender_until);
  const { ledger } = await scopeOf(chainId);
  const record = await readRecord(chainId, account.address);
  if (!record) throw new ApiError("not_found", "This account is not enrolled on this network yet.");
  const args = [account.address, record.spender, until, BigInt(input.deadline), input.signature] as const;
  const data = encodeFunctionData({ abi: ledgerAbi, functionName: "setSpender", args });
  if (!(await wouldSucceed(chainId, ledger, data))) {
    const message =
      "The ledger refuses this: sign SetSpender with the account's wallet, its current payment signing key and nonce.";
    throw new ApiError("invalid_request", message, { param: "signature" });
  }
  const operation = await db().transaction(async (tx) => {
    const entry = { rootId: account.id, chainId, actor: actorOf(ctx), target: account.id };
    const after = { spender_until: input.spender_until };
    await appendAudit(tx, { ...entry, action: "account.spender_renewed", after }, new Date());
    const call = { chainId, kind: "set_spender", account: account.address, target: ledger, data } as const;
    return submitOperation(tx, { ...call, deadline });
  });
  broadcast(operation);
  return operation;
}
