import { type Address, type Hex, zeroAddress } from "viem";
import { assetBySymbol } from "@/lib/base/assets";
import { publicClient } from "@/lib/chain/clients";
import { readParty } from "@/lib/chain/registry";
import type { AuthorityDraft } from "@/lib/ledger/authority/authority-documents";
import { NO_END } from "@/lib/ledger/authority/authority-limits";
import { planSetPolicy } from "@/lib/ledger/authority/plan-set-policy";
import { NO_LIMIT } from "@/lib/ledger/crypto/policy-commitment";
import { NO_OPTIONAL_RULES } from "@/lib/ledger/policy/policy-document";
import { newPolicySalt, policyCommitmentSalt } from "@/lib/ledger/policy/policy-salts";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { Agent } from "@/test/accounts/agent";
import type { Owner } from "@/test/accounts/owner";
import { authorityCall } from "@/test/attacks/sign-authority-call";
import { CHAIN } from "./site";

const usdg = () => assetBySymbol(CHAIN).address;

/** Actions that attackers would like to authorize, signed with the keys that they have. */
const deadline = async () => (await publicClient(CHAIN).getBlock()).timestamp + 600n;

const record = async (address: Address) => {
  const party = await readParty(CHAIN, address);
  if (!party) throw new Error(`${address} is not enrolled`);
  return party.record;
};

/** A policy without limits for an agent or an account. Returns the call and the opening of its commitments. */
export async function loosePolicy(holder: Owner | Agent, key: Hex, limited = true) {
  const { scope, address } = holder;
  const salt = newPolicySalt();
  const limits = { perPayment: NO_LIMIT, daily: NO_LIMIT, threshold: NO_LIMIT };
  const document = {
    scope,
    holder: address,
    version: (await record(address)).policyVersion + 1n,
    paused: false,
    hours: { start: 0, end: 1_440 },
    zone: "UTC",
    assets: [{ asset: usdg(), allowed: true, ...limits }],
    recipients: ["*"],
    ...NO_OPTIONAL_RULES,
  };
  const { draft } = planSetPolicy(salt, document, "anyone", await deadline(), limited);
  const opening = { ...limits, salt: policyCommitmentSalt(salt, document, usdg()) };
  return { data: await authorityCall(scope, draft, key), opening };
}

export const loosen = async (holder: Owner | Agent, key: Hex) => (await loosePolicy(holder, key)).data;

/** Removes the account's own policy. */
export const leaveLimits = async (owner: Owner, key: Hex) => (await loosePolicy(owner, key, false)).data;

export async function setGuarded(owner: Owner, guarded: boolean, key: Hex): Promise<Hex> {
  const { nonce } = await record(owner.address);
  const draft = { kind: "set_guarded", account: owner.address, guarded, ...(await overNonce(nonce)) } as const;
  return authorityCall(owner.scope, draft, key);
}

/** Sets another payment key for the account. */
export async function replacePaymentKey(owner: Owner, paymentKey: Address, key: Hex): Promise<Hex> {
  const { nonce } = await record(owner.address);
  const until = ((await deadline()) + 86_400n).toString();
  const account = { account: owner.address, payment_key: lowerCase(paymentKey), payment_key_until: until };
  return authorityCall(owner.scope, { kind: "set_payment_key", ...account, ...(await overNonce(nonce)) }, key);
}

/** Sets another signer for an agent, or ends the agent. */
export async function replaceSigner(agent: Agent, signer: Address | null, key: Hex): Promise<Hex> {
  const { policyVersion } = await record(agent.address);
  const draft: AuthorityDraft<"set_agent_signer"> = {
    kind: "set_agent_signer",
    owner: agent.owner.address,
    agents: [agent.address],
    signers: [lowerCase(signer ?? zeroAddress)],
    policy_versions: [policyVersion.toString()],
    until: NO_END.toString(),
    deadline: (await deadline()).toString(),
  };
  return authorityCall(agent.scope, draft, key);
}

/** Abandons an available balance. */
export async function abandonAvailable(holder: Owner | Agent, oldAvailable: Hex, key: Hex): Promise<Hex> {
  const { nonce } = await record(holder.address);
  const what = { account: holder.address, asset: usdg(), old_available: oldAvailable };
  return authorityCall(holder.scope, { kind: "abandon", ...what, ...(await overNonce(nonce)) }, key);
}

const overNonce = async (nonce: bigint) => ({ nonce: nonce.toString(), deadline: (await deadline()).toString() });
