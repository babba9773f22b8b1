import { and, eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { spendPolicies } from "@/db/schema/agents";
import { inTurn } from "@/lib/balances/in-turn";
import type { SessionContext } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { broadcast } from "@/lib/chain/broadcast";
import type { SubmittedOperation } from "@/lib/chain/operations/submit-operation";
import { optimisticRead } from "@/lib/chain/optimistic-read";
import { scopeOf } from "@/lib/chain/scope-of";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import {
  applyPatch,
  changedFields,
  DENY_ALL,
  type SpendPolicy,
  toSpendPolicyResource,
} from "@/lib/policy/spend-policy";
import { acceptPolicy, notSigned } from "./accept-policy";
import { auditOf } from "./audit-of";
import { authorityOf } from "./authority-of";
import { lockLimits } from "./lock-agent";
import { type OwnersPolicyView, readLimits } from "./owners-policy";
import { partyAtLatest } from "./party-at-latest";
import { type PolicyRead, policyTurn, readPolicy, stillPending } from "./pending-policy";
import { policyNotInForce, policyStanding, readStanding, type StandingRead } from "./policy-in-force";
import { rowOfPolicy, rowOfSetting } from "./policy-row";
import { refuseForBlindKeys } from "./refuse-for-blind-keys";
import { requireOwner } from "./require-owner";
import type { SignedPolicy } from "./schema";
import { relayPolicy, submitPolicy } from "./submit-policy";
import { isComplete } from "./update-policy";

/**
 * Sets a policy for the account's own keys, or changes fields of it. It is signed by the account's wallet, and beyond
 * it only the wallet can pay. The account is guarded from then on. Fields that the first policy leaves out deny.
 *
 * @throws ApiError `not_agent_owner`; `key_forbidden` unless the wallet signed exactly this; `policy_not_in_force` if
 *   the owner has not signed the current rows, unless the change sets every field; `rate_limited`
 */
export async function setLimits(
  ctx: SessionContext,
  patch: Partial<SpendPolicy>,
  signed: SignedPolicy | undefined,
): Promise<OwnersPolicyView> {
  requireOwner(ctx);
  if (!signed) throw notSigned("Sign the limits of your keys with your wallet.");
  const { chainId, account } = ctx;
  const [scope, party] = await Promise.all([scopeOf(chainId), partyAtLatest(chainId, account)]);
  const signer = await authorityOf(scope, signed.document, party);
  const set = async (tx: Tx, read: StandingRead) => {
    // The first policy has no row to lock yet. Of two concurrent requests, the second is signed over an outdated
    // version.
    await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account.id)).for("no key update");
    const locked = await lockLimits(tx, chainId, account.id, "update");
    const standing = locked && (await policyStanding(tx, read, locked));
    if (standing && !standing.isSigned && !isComplete(patch)) throw policyNotInForce();
    const { policyVersion, follows } = standing ?? (await stillPending(tx, read));
    const before = locked?.policy ?? DENY_ALL;
    const policy = applyPatch(before, patch);
    await refuseForBlindKeys(tx, chainId, account, policy);
    const change = { policy, paused: false, policyVersion, isLooser: true };
    const signing = acceptPolicy(scope, party, change, signed, signer);
    const now = new Date();
    const policyId = locked?.policyId ?? newId("policy");
    if (!locked) {
      const row = { ...rowOfPolicy(policy), ...rowOfSetting({ ...signing.setting, setBy: null }), updatedAt: now };
      await tx.insert(spendPolicies).values({ id: policyId, holderId: account.id, chainId, ...row });
    }
    const submitted = await submitPolicy(tx, scope, account, { policyId, policy, updatedAt: now }, signing, follows);
    const [was, is] = [toSpendPolicyResource(before), toSpendPolicyResource(policy)];
    const fields = changedFields(was, is);
    const only = (all: typeof was) => Object.fromEntries(fields.map((field) => [field, all[field]]));
    const entry = {
      rootId: account.id,
      chainId,
      actor: actorOf(ctx),
      action: "account.limits_set",
      target: account.id,
    };
    const after = { ...only(is), set_policy: auditOf(signing.document) };
    await appendAudit(tx, { ...entry, before: locked ? only(was) : undefined, after }, now);
    return submitted;
  };
  const operation = await inTurn(policyTurn(chainId, account), () =>
    optimisticRead(
      () => readStanding(chainId, account),
      (read) => db().transaction((tx) => set(tx, read)),
    ),
  );
  broadcast(operation);
  return readLimits(ctx);
}

/**
 * Removes the policy of the account's own keys, so that they can spend the whole available balance again. It is signed
 * by the account's wallet, over a document that allows nothing. The guard stays on.
 *
 * @throws ApiError `not_agent_owner`; `key_forbidden` unless the wallet signed exactly this; `rate_limited`
 */
export async function leaveLimits(ctx: SessionContext, signed: SignedPolicy): Promise<SubmittedOperation> {
  requireOwner(ctx);
  const { chainId, account } = ctx;
  const [scope, party] = await Promise.all([scopeOf(chainId), partyAtLatest(chainId, account)]);
  const signer = await authorityOf(scope, signed.document, party);
  const leave = async (tx: Tx, read: PolicyRead) => {
    await lockLimits(tx, chainId, account.id, "update");
    const { policyVersion, follows } = await stillPending(tx, read);
    const change = { policy: DENY_ALL, paused: false, limited: false, policyVersion, isLooser: true };
    const signing = acceptPolicy(scope, party, change, signed, signer);
    const mine = and(eq(spendPolicies.holderId, account.id), eq(spendPolicies.chainId, chainId));
    const submitted = await relayPolicy(tx, scope, account, signing, follows, () =>
      tx.delete(spendPolicies).where(mine),
    );
    const entry = { rootId: account.id, chainId, actor: actorOf(ctx), target: account.id };
    const after = { set_policy: auditOf(signing.document) };
    await appendAudit(tx, { ...entry, action: "account.limits_left", after }, submitted.createdAt);
    return submitted;
  };
  const operation = await inTurn(policyTurn(chainId, account), () =>
    optimisticRead(
      () => readPolicy(chainId, account),
      (read) => db().transaction((tx) => leave(tx, read)),
    ),
  );
  broadcast(operation);
  return operation;
}
