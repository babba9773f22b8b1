import { eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { spendPolicies } from "@/db/schema/agents";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { type SubmittedOperation, submitOperation } from "@/lib/chain/operations/submit-operation";
import type { ChainScope } from "@/lib/chain/scope-of";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import type { SigningOfPolicy } from "./accept-policy";
import type { PolicyHolder } from "./party-at-latest";
import { rowOfPolicy, rowOfSetting } from "./policy-row";

/** What a policy's row gets along with its `setPolicy`. */
interface PolicyToSet {
  policy: SpendPolicy;
  policyId: string;
  /** When the policy itself changed. Omit it to keep the row's time. */
  updatedAt?: Date;
}

/**
 * Relays a `setPolicy` and updates the policy's row, under the holder's lock. The new rows apply at once; payments that
 * follow use the same relayer, to be mined after it. This takes the relayer's nonce, so only the audit log may be
 * locked after it.
 *
 * @param follows operations under way that raise the policy version before this one
 * @throws ApiError `rate_limited`
 */
export function submitPolicy(
  tx: Tx,
  scope: ChainScope,
  holder: PolicyHolder,
  { policyId, policy, updatedAt }: PolicyToSet,
  signing: SigningOfPolicy,
  follows: readonly string[],
): Promise<SubmittedOperation> {
  return relayPolicy(tx, scope, holder, signing, follows, (setBy) =>
    tx
      .update(spendPolicies)
      .set({ ...rowOfPolicy(policy), ...rowOfSetting({ ...signing.setting, setBy }), ...(updatedAt && { updatedAt }) })
      .where(eq(spendPolicies.id, policyId)),
  );
}

/**
 * Does the same as {@link submitPolicy}, but lets the caller do the writing.
 *
 * @param alongside writes in the same transaction, given the operation's id
 */
export function relayPolicy(
  tx: Tx,
  scope: ChainScope,
  holder: PolicyHolder,
  { document, byContract }: Pick<SigningOfPolicy, "document" | "byContract">,
  follows: readonly string[],
  alongside: (operationId: string) => Promise<unknown>,
): Promise<SubmittedOperation> {
  const call = {
    chainId: scope.chainId,
    kind: "set_policy",
    account: holder.address,
    quotaOf: holder.rootAddress,
    target: scope.ledger,
    data: authorityCalldata(document),
    deadline: new Date(Number(document.deadline) * 1000),
    policyVersion: BigInt(document.policy_version),
    byContract,
    follows,
  } as const;
  return submitOperation(tx, call, ({ id }) => alongside(id));
}
