import { getAddress } from "viem";
import { fieldsOfPolicy } from "@/lib/policy/fields-of-policy";
import { loosens } from "@/lib/policy/loosens";
import { hasOpenRecipients } from "@/lib/policy/policy-document";
import { DENY_ALL, type SpendPolicy as Policy } from "@/lib/policy/spend-policy";
import type { CallOptions } from "../api/call-options";
import { HalcyonError } from "../api/errors";
import { requireSameId } from "../api/require-same-id";
import type { Agent, SignedPolicy, SpendPolicyFields } from "../api/resources/agents";
import type { SpendPolicy } from "../api/resources/transfers";
import type { Context } from "../context/context";
import { findAgent, resumeByKey } from "./agents";
import { type Party, partyOf } from "./party";
import { patchOfFields } from "./patch-of-fields";
import { setPolicyByKey } from "./policy";
import { policyInForceOf, policyOfResource, policyPath, type SessionPolicy } from "./session-policy";
import { handOver, policySettled, signPolicy } from "./sign-policy";

/** Signs a change of a stored policy. */
async function signChange(
  context: Context,
  party: Party,
  stored: SessionPolicy,
  after: Policy,
  { paused = stored.ledger?.paused ?? false, byWallet = false } = {},
): Promise<SignedPolicy> {
  const before = policyOfResource(stored);
  // Reuse resolved addresses only for an unchanged list: a stale list would pay the former address of a handle.
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

/**
 * Changes fields of a policy. Implements `policies.update`. With a wallet, the client signs the policy for the ledger.
 */
export async function setPolicy(context: Context, name: string, fields: SpendPolicyFields): Promise<SpendPolicy> {
  if (!context.hasWallet) return setPolicyByKey(context, name, fields);
  return setPolicyOf(context, await partyOf(context, name), fields);
}

/**
 * Returns the policy to change. Fields that the change doesn't set are signed again, so the ledger must confirm them:
 * the service could return a different policy. A change that sets every field doesn't depend on the stored policy.
 *
 * @throws HalcyonError `policy_not_in_force` when the ledger does not confirm it
 */
async function storedPolicy(context: Context, party: Party, patch: Partial<Policy>): Promise<SessionPolicy> {
  if (!Object.keys(DENY_ALL).every((field) => field in patch)) return (await policyInForceOf(context, party)).rows;
  const rows = await (await context.session()).get<SessionPolicy>(policyPath(party));
  // The stored policy is unconfirmed: `no` makes the client resolve recipients again and the wallet sign.
  return { ...rows, in_force: "no" };
}

/** Returns a policy as a text that can be compared, whatever the order of its rules. */
const textOf = (policy: Policy) =>
  JSON.stringify(Object.entries(policy).sort(), (_, value: unknown) =>
    typeof value === "bigint" ? `${value}` : value,
  );

/**
 * Returns the service's text of a policy that was signed.
 *
 * @throws HalcyonError `unavailable` when it says something else
 */
export function signedRules(said: SessionPolicy, signed: Policy): SpendPolicy {
  const { policy_id, updated_at } = said;
  try {
    if (textOf(policyOfResource(said)) === textOf(signed)) return { policy_id, updated_at, ...fieldsOfPolicy(said) };
  } catch {
    // It can't be read.
  }
  const other = new HalcyonError("unavailable", "The service shows another policy than the ledger has now.");
  throw Object.assign(other, { mayHaveHappened: true });
}

/** Signs and stores a changed policy of an agent, or of the account itself, and waits until the ledger has it. */
export async function setPolicyOf(context: Context, party: Party, fields: SpendPolicyFields): Promise<SpendPolicy> {
  const patch = patchOfFields(fields);
  const session = await context.session();
  const path = policyPath(party);
  const stored = await storedPolicy(context, party, patch);
  const after = { ...policyOfResource(stored), ...patch };
  const signed = await signChange(context, party, stored, after, { byWallet: party.type === "account" });
  // If the ledger does not confirm the stored policy, don't build on it: send every field.
  const sent = stored.in_force === "no" ? { ...fieldsOfPolicy(stored), ...fields } : fields;
  const asked = session.call<SessionPolicy>("PATCH", path, { json: { ...sent, signed } });
  const updated = (await handOver(context, signed, asked)) ?? (await session.get<SessionPolicy>(path));
  await policySettled(context, signed);
  return signedRules(updated, after);
}

/** Lets a paused agent pay again. Implements `agents.resume`. The wallet signs, because this loosens the policy. */
export async function resumeAgent(context: Context, name: string, options?: CallOptions): Promise<Agent> {
  if (!context.hasWallet) return resumeByKey(context, name, options);
  const party = await partyOf(context, name);
  const session = await context.session();
  const { rows: stored } = await policyInForceOf(context, party);
  const change = { paused: false, byWallet: true };
  const signed = await signChange(context, party, stored, policyOfResource(stored), change);
  const { agent: id } = party.query;
  const asked = session.call<Agent>("POST", `/v1/agents/${id}/resume`, { json: { signed } });
  const answered = await handOver(context, signed, asked);
  await policySettled(context, signed);
  const agent = await requireSameId(
    "account_id",
    `${id}`,
    answered ?? ((await findAgent(context, name)) as Agent),
    true,
  );
  return { ...agent, public_key: getAddress(party.address), status: "active" };
}
