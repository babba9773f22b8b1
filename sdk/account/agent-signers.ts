import { type Address, type Hex, isAddressEqual } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import type { AuthorityDocumentOf, AuthorityDraft } from "@/lib/ledger/authority/authority-documents";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { planAgentSigners } from "@/lib/ledger/authority/plan-agent-signers";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { deriveAgentHalf } from "@/lib/ledger/crypto/keys";
import { encryptAgentWallet } from "@/lib/ledger/encrypted/agent-wallet";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { HalcyonError } from "../api/errors";
import type { Operation } from "../api/resources/transfers";
import type { Context } from "../context/context";
import { type Carried, relayOrSend } from "../context/relay-or-send";
import { signDraft } from "../context/sign-draft";
import type { Vault } from "../context/vault/vault";

const TRIES = 5;

/** New keys of agents, by the agents' addresses. They leave this machine only encrypted. */
export type AgentKeys = ReadonlyMap<Address, Hex>;

/** Creates a random key for each agent. It is not derived from any secret, so a leaked secret doesn't reveal it. */
export function newAgentKeys(agents: readonly Address[]): AgentKeys {
  return new Map(agents.map((agent) => [lowerCase(agent), generatePrivateKey()]));
}

/** Returns the address of an agent's new key. */
export function newSignerOf(keys: AgentKeys, agent: Address): Address | null {
  const key = keys.get(lowerCase(agent));
  return key ? lowerCase(privateKeyToAddress(key)) : null;
}

/** Reports whether the chain has the signers that a document names. */
async function isInForce(context: Context, { agents, signers }: AuthorityDraft<"set_agent_signer">): Promise<boolean> {
  const chain = await context.chain();
  const records = await Promise.all(agents.map((agent) => chain.account(agent)));
  return records.every(({ signer }, at) => isAddressEqual(signer, signers[at] ?? "0x"));
}

/**
 * Reports whether another call has raised the policy version of one of the agents, which makes the document invalid for
 * good.
 */
async function isVoid(context: Context, { agents, policy_versions }: AuthorityDraft<"set_agent_signer">) {
  const chain = await context.chain();
  const records = await Promise.all(agents.map((agent) => chain.account(agent)));
  return records.some(({ policyVersion }, at) => policyVersion > BigInt(policy_versions[at] ?? 0));
}

/**
 * Signs new keys of agents with the wallet and puts them on the ledger. Repeats this if a policy was set in between.
 */
export async function replaceSigners(
  context: Context,
  vault: Vault,
  agents: readonly LedgerParty[],
  keys: AgentKeys,
  cooperates: boolean,
): Promise<Carried[]> {
  const [scope, chain] = await Promise.all([context.scope(), context.chain()]);
  const owner = lowerCase(context.wallet.address);
  const relay = async (document: AuthorityDocumentOf<"set_agent_signer">): Promise<Operation> => {
    const wallets = document.agents.flatMap((agent) => {
      const key = keys.get(agent);
      if (!key) return [];
      const authority = deriveAgentHalf(vault.authority, agent, scope);
      return [{ agent, wallet: toHex(encryptAgentWallet(authority, { scope, agent }, key)) }];
    });
    const body = { secret_version: vault.secretVersion, document, wallets };
    return (await context.session()).post<Operation>("/api/account-secret/signers", body);
  };
  const plan = async () => {
    const records = await Promise.all(agents.map(({ address }) => chain.account(address)));
    const now = agents.map((agent, at) => ({ ...agent, record: records[at] ?? agent.record }));
    const waiting = now.filter(({ address, record }) => lowerCase(record.signer) !== newSignerOf(keys, address));
    const ends = [await chain.now(), await chain.deadline()] as const;
    return planAgentSigners(owner, waiting, (agent) => newSignerOf(keys, agent), ...ends);
  };
  const carried: Carried[] = [];
  for (let attempt = 1; ; attempt++) {
    try {
      for (const draft of await plan()) {
        if (await isInForce(context, draft)) continue;
        const document = await signDraft<"set_agent_signer">(scope, draft, context.signer());
        const done = await relayOrSend(context, {
          what: "The new keys of your agents",
          data: authorityCalldata(document),
          deadline: document.deadline,
          relay: cooperates ? () => relay(document) : null,
          isDone: () => isInForce(context, draft),
          isVoid: async () => !(await isInForce(context, draft)) && isVoid(context, draft),
        });
        carried.push(done);
      }
      return carried;
    } catch (error) {
      const moved = error instanceof HalcyonError && error.code === "available_balance_changed";
      if (!moved || attempt === TRIES) throw error;
    }
  }
}
