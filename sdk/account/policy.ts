import { normaliseSignature } from "@/lib/ledger/prepare/signature";
import { CONSENT_SECONDS, policyChangeTypedData, type WalletConsent } from "@/lib/policy/policy-change";
import type { DecisionList, SimulatePolicy, SpendPolicy, SpendPolicyFields } from "../api/resources/agents";
import type { Context } from "../context/context";
import type { KeyContext } from "../context/key-context";
import { account } from "./account";
import { callAsOwner, findAgent, type NamedAgent } from "./agents";

/**
 * An agent's spend policy.
 *
 * @param name `bot` or `@alice/bot`; an agent's own key may leave it out
 */
export async function getPolicy(context: KeyContext, name?: string): Promise<SpendPolicy> {
  const { account_id } = name === undefined ? await account(context) : await findAgent(context, name);
  if (name === undefined) {
    const path = `/v1/agents/${account_id}/spend-policy`;
    return (await context.http.send("GET", path, { headers: context.bearer })).body as SpendPolicy;
  }
  return callAsOwner<SpendPolicy>(context, "GET", `/${account_id}/spend-policy`);
}

/** The wallet's consent to a change, should it loosen the policy: over exactly these fields, and the policy as it is. */
async function consentTo(context: Context, agent: NamedAgent, fields: SpendPolicyFields): Promise<WalletConsent> {
  const [{ updated_at: since }, { ledger }] = await Promise.all([
    callAsOwner<SpendPolicy>(context, "GET", `/${agent.account_id}/spend-policy`),
    context.info(),
  ]);
  const deadline = BigInt(Math.floor(Date.now() / 1000) + CONSENT_SECONDS);
  const { handle, public_key: address } = agent;
  const change = { network: context.network, ledger, agent: { handle, address }, fields, since, deadline };
  const signature = await context.wallet.signTypedData(policyChangeTypedData(change));
  return { signature: normaliseSignature(signature), since, deadline: deadline.toString() };
}

/** Changes fields of a policy: what `policies.update` does. With a wallet, it signs the change. */
export async function setPolicy(context: Context, name: string, fields: SpendPolicyFields): Promise<SpendPolicy> {
  const agent = await findAgent(context, name);
  const consent = context.hasWallet ? await consentTo(context, agent, fields) : undefined;
  const body = { ...fields, ...(consent && { wallet_consent: consent }) };
  return callAsOwner<SpendPolicy>(context, "PATCH", `/${agent.account_id}/spend-policy`, body);
}

/** Decides payments by a draft of a policy: what `policies.simulate` does. */
export async function simulatePolicy(context: KeyContext, name: string, input: SimulatePolicy): Promise<DecisionList> {
  const { account_id } = await findAgent(context, name);
  return callAsOwner<DecisionList>(context, "POST", `/${account_id}/spend-policy/simulate`, input);
}
