import { loosens } from "@/lib/policy/loosens";
import { hasOpenRecipients } from "@/lib/policy/policy-document";
import { applyPatch, DENY_ALL, type SpendPolicy as Policy } from "@/lib/policy/spend-policy";
import type { CallOptions } from "../api/call-options";
import type { Agent, SpendPolicy, SpendPolicyFields } from "../api/resources/agents";
import type { Context } from "../context/context";
import { callAsOwner, findAgent, resumeByKey } from "./agents";
import { type Party, partyOf } from "./party";
import { patchOfFields } from "./patch-of-fields";
import { fieldsOf, policyInForceOf, policyOfResource, policyPath, type SessionPolicy } from "./session-policy";
import { policySettled, type SignedPolicy, signPolicy } from "./sign-policy";

/** What a change of a stored policy is signed as. */
export async function signChange(
  context: Context,
  party: Party,
  stored: SessionPolicy,
  after: Policy,
  { paused = stored.ledger?.paused ?? false, byWallet = false } = {},
): Promise<SignedPolicy> {
  const before = policyOfResource(stored);
  // A stale list of addresses would pay whom a handle stood for, so it is kept only as it was signed.
  const isListed = stored.ledger && !hasOpenRecipients(before);
  const kept = isListed && JSON.stringify(before.allowedRecipients) === JSON.stringify(after.allowedRecipients);
  const vouched = stored.in_force !== "no";
  return signPolicy(context, party, {
    policy: after,
    paused,
    resolved: kept && vouched ? stored.ledger?.resolved : undefined,
    over: stored.ledger?.policy_version,
    byWallet: byWallet || !vouched || loosens(before, after),
  });
}

/** Changes fields of a policy: what `policies.update` does. With a wallet, the client signs it for the ledger. */
export async function setPolicy(context: Context, name: string, fields: SpendPolicyFields): Promise<SpendPolicy> {
  if (!context.hasWallet) {
    const { account_id } = await findAgent(context, name);
    return callAsOwner<SpendPolicy>(context, "PATCH", `/${account_id}/spend-policy`, fields);
  }
  return setPolicyOf(context, await partyOf(context, name), fields);
}

/**
 * The policy that a change is made to. Every field that the change does not name is signed again, so the ledger has to
 * confirm it: a service could say another one. A change that names every field builds on nothing.
 *
 * @throws HalcyonError `policy_not_in_force` when the ledger does not confirm it
 */
async function storedPolicy(context: Context, party: Party, patch: Partial<Policy>): Promise<SessionPolicy> {
  if (!Object.keys(DENY_ALL).every((field) => field in patch)) return (await policyInForceOf(context, party)).rows;
  const rows = await (await context.session()).get<SessionPolicy>(policyPath(party));
  // What recipients stood for is asked again, and the wallet signs: nothing of these rows is known to be true.
  return { ...rows, in_force: "no" };
}

/** Signs and stores a changed policy of an agent, or of the account itself, and waits until the ledger has it. */
export async function setPolicyOf(context: Context, party: Party, fields: SpendPolicyFields): Promise<SessionPolicy> {
  const patch = patchOfFields(fields);
  const session = await context.session();
  const path = policyPath(party);
  const stored = await storedPolicy(context, party, patch);
  const after = applyPatch(policyOfResource(stored), patch);
  const signed = await signChange(context, party, stored, after, { byWallet: party.type === "account" });
  // Rows that the ledger does not confirm are not built on: every field is said.
  const sent = stored.in_force === "no" ? { ...fieldsOf(stored), ...fields } : fields;
  const updated = await session.call<SessionPolicy>("PATCH", path, { json: { ...sent, signed } });
  await policySettled(context, signed);
  return updated;
}

/** Lets a paused agent pay again: what `agents.resume` does. The wallet signs, because it loosens. */
export async function resumeAgent(context: Context, name: string, options?: CallOptions): Promise<Agent> {
  if (!context.hasWallet) return resumeByKey(context, name, options);
  const party = await partyOf(context, name);
  const session = await context.session();
  const { rows: stored } = await policyInForceOf(context, party);
  const change = { paused: false, byWallet: true };
  const signed = await signChange(context, party, stored, policyOfResource(stored), change);
  const agent = await session.call<Agent>("POST", `/api/agents/${party.query.agent}/resume`, { json: { signed } });
  await policySettled(context, signed);
  return agent;
}
