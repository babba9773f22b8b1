import { eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { spendPolicies } from "@/db/schema/agents";
import { actorOf, appendAudit } from "@/lib/audit/append";
import { isoTime } from "@/lib/clock";
import type { Context, ContextAccount } from "@/lib/context/context";
import { appendEvents } from "@/lib/events/append-events";
import { loosens } from "@/lib/policy/loosens";
import { changedFields, type SpendPolicyResource, toSpendPolicyResource } from "@/lib/policy/resource";
import { applyPatch, type SpendPolicy } from "@/lib/policy/spend-policy";
import type { PolicyView } from "./agent-resource";
import { findOwnAgent } from "./find-own-agent";
import { lockAgent } from "./lock-agent";
import { rowOfPolicy } from "./policy-row";
import { requireConsent, type SentConsent } from "./require-consent";
import { requireOwner } from "./require-owner";

/**
 * Changes the given fields of an agent's policy, for every payment that commits after it. One that changes nothing
 * leaves no trace.
 *
 * @param consent the owner's wallet over exactly this change: what a session needs to loosen a policy; kept in the
 *   audit log
 * @throws ApiError `not_agent_owner`, `not_found`, `key_forbidden` without consent
 */
export async function updatePolicy(
  ctx: Context,
  agentId: string,
  patch: Partial<SpendPolicy>,
  consent?: SentConsent,
): Promise<PolicyView> {
  requireOwner(ctx);
  const agent = await findOwnAgent(ctx, agentId);
  return db().transaction(async (tx) => {
    const { policyId, policy: before, policyUpdatedAt } = await lockAgent(tx, agent.id, "update");
    const after = applyPatch(before, patch);
    const changed = changedFields(before, after);
    if (changed.length === 0) return { id: policyId, policy: before, updatedAt: policyUpdatedAt };
    const now = new Date();
    // What an API key may do is its scopes' and the contract's to say; a cookie is easier to steal than a wallet.
    const signed = ctx.actor === "session" && loosens(before, after);
    if (signed) await requireConsent(ctx, agent, policyUpdatedAt, consent, now);
    await tx
      .update(spendPolicies)
      .set({ ...rowOfPolicy(after), updatedAt: now })
      .where(eq(spendPolicies.id, policyId));
    await announce(
      tx,
      ctx,
      agent,
      { id: policyId, before, after, changed, consent: signed ? consent : undefined },
      now,
    );
    return { id: policyId, policy: after, updatedAt: now };
  });
}

interface Change {
  id: string;
  before: SpendPolicy;
  after: SpendPolicy;
  changed: (keyof SpendPolicyResource)[];
  /** What the owner's wallet signed, when the change loosens. */
  consent?: SentConsent;
}

async function announce(tx: Tx, ctx: Context, agent: ContextAccount, change: Change, now: Date): Promise<void> {
  const { chainId } = ctx;
  const { id, before, after, changed, consent } = change;
  const payload = { agent: `@${agent.handle}`, policy_id: id, changed, updated_at: isoTime(now) };
  await appendEvents(tx, [{ chainId, type: "agent.policy.updated", subject: agent, payload }], now);
  const of = (policy: SpendPolicy) => {
    const resource = toSpendPolicyResource(policy);
    return Object.fromEntries(changed.map((field) => [field, resource[field]]));
  };
  await appendAudit(
    tx,
    {
      rootId: agent.rootId,
      chainId,
      actor: actorOf(ctx),
      action: "agent.policy.updated",
      target: agent.id,
      before: of(before),
      after: { ...of(after), ...(consent && { wallet_consent: { ...consent } }) },
    },
    now,
  );
}
