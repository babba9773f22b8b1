import { eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { spendPolicies } from "@/db/schema/agents";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import type { ChainScope } from "@/lib/chain/scope-of";
import { type SubmittedOperation, submitOperation } from "@/lib/operations/submit-operation";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import type { SigningOfPolicy } from "./accept-policy";
import type { PolicyHolder } from "./party-at-latest";
import { rowOfPolicy, rowOfSetting } from "./policy-row";

/** What a policy's row gets with its `setPolicy`. */
interface PolicyToSet {
  policy: SpendPolicy;
  policyId: string;
  /** When the policy itself changed; left out, it stays as it was. */
  updatedAt?: Date;
}

/**
 * Relays a `setPolicy` and writes the policy's row to match, under the holder's lock. The rows count at once; payments
 * that follow go behind it by the same relayer. Takes the relayer's nonce: after it only the audit log is locked.
 *
 * @param follows operations under way that raise the version before
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

/** As {@link submitPolicy}, with whatever the caller writes beside it, given the operation's id. */
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
