import { type Address, type Hex, isAddress, isAddressEqual, zeroAddress } from "viem";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { hasSignerAt, type LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { maySign } from "@/lib/ledger/authority/may-sign";
import { planAgentSigners } from "@/lib/ledger/authority/plan-agent-signers";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { Operation } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import { type Carried, carry } from "../context/carry";
import type { Context } from "../context/context";
import { signDraft } from "../context/sign-draft";
import { newAgentKeys, newSignerOf, replaceSigners } from "./agent-signers";
import { findAgent } from "./agents";
import { partyOf } from "./party";

/** An agent that has ended. */
export interface EndedAgent {
  /** Null for an agent that the service does not list: then its address stands for its handle. */
  account_id: string | null;
  handle: string;
  status: "ended";
  /** Null when it had ended already, or the service did not say in which transaction. */
  tx_hash: Hex | null;
  by: Carried["by"] | null;
}

/** An agent with a new key. */
export interface RekeyedAgent {
  account_id: string;
  handle: string;
  /** The address that signs for the agent from now on. */
  signer: Address;
  tx_hash: Hex | null;
  by: Carried["by"];
}

interface Named {
  party: LedgerParty;
  /** As the service lists it; null when it does not. */
  listed: { account_id: string; handle: string } | null;
}

/** An agent of the account by name, or by address: one that the service does not list can be ended all the same. */
async function agentNamed(context: Context, name: string): Promise<Named> {
  const chain = await context.chain();
  if (!isAddress(name, { strict: false })) {
    const [{ address }, { account_id, handle }] = await Promise.all([partyOf(context, name), findAgent(context, name)]);
    return { party: await chain.party(address), listed: { account_id, handle } };
  }
  const party = await chain.party(lowerCase(name));
  if (!isAddressEqual(party.record.owner, context.wallet.address)) {
    throw new HalcyonError("not_found", "The ledger has no agent of yours at this address.");
  }
  return { party, listed: null };
}

/**
 * Ends an agent on the ledger: neither its key nor an approval pays from it any more. What `agents.end` does. Signed by the
 * payment signing key, or the wallet where that no longer counts; sent by the service or, when that does not send it, by the
 * wallet itself. Its money goes back with a payment from it to yourself.
 */
export async function endAgent(context: Context, name: string): Promise<EndedAgent> {
  const [scope, chain, vault] = await Promise.all([context.scope(), context.chain(), context.vault()]);
  const { party, listed } = await agentNamed(context, name);
  const agent = party.address;
  const ended = { account_id: listed?.account_id ?? null, handle: listed?.handle ?? agent, status: "ended" as const };
  for (let attempt = 1; ; attempt++) {
    const now = await chain.party(agent);
    const [time, deadline] = [await chain.now(), await chain.deadline()];
    if (!hasSignerAt(now.record, time)) return { ...ended, tx_hash: null, by: null };
    const [draft] = planAgentSigners(context.wallet.address, [now], () => null, time, deadline);
    if (!draft) throw new RangeError("an agent with a signer can be ended");
    const byKey = maySign({ struct: "SetAgentSigner" }, now, vault.spender.address, deadline, true);
    const sign = byKey ? keySigner(vault.spender.privateKey) : context.signer();
    const document = await signDraft<"set_agent_signer">(scope, draft, sign);
    const isDone = async () => isAddressEqual((await chain.account(agent)).signer, zeroAddress);
    const { policyVersion } = now.record;
    try {
      const { by, tx_hash } = await carry(context, {
        what: "The end of the agent",
        data: authorityCalldata(document),
        relay: async () => {
          if (!listed) throw new HalcyonError("unavailable", "The service does not list this agent.");
          const session = await context.session();
          const path = `/api/agents/${listed.account_id}/end`;
          return (await session.post<{ operation: Operation }>(path, document)).operation;
        },
        isDone,
        isVoid: async () => (await chain.account(agent)).policyVersion > policyVersion && !(await isDone()),
      });
      return { ...ended, tx_hash, by };
    } catch (error) {
      // A policy was set in between: the end is signed over the version that it made.
      const moved = error instanceof HalcyonError && error.code === "budget_changed";
      if (!moved || attempt === TRIES) throw error;
    }
  }
}

const TRIES = 5;

/**
 * Gives an agent a new key, signed by the wallet: the one before signs nothing any more. What
 * `agents.replaceKey` does. An agent that has ended stays so.
 */
export async function replaceAgentKey(context: Context, name: string): Promise<RekeyedAgent> {
  const { party, listed } = await agentNamed(context, name);
  if (!listed) {
    throw new HalcyonError(
      "not_found",
      "The service does not list this agent, so it could not use a new key. End it instead.",
    );
  }
  const chain = await context.chain();
  if (!hasSignerAt(party.record, await chain.now())) {
    throw new HalcyonError("invalid_request", "This agent has ended, and stays so. Create another one.");
  }
  const keys = newAgentKeys([party.address]);
  const signer = newSignerOf(keys, party.address);
  const [carried] = await replaceSigners(context, await context.vault(), [party], keys, true);
  if (!carried || !signer) throw new RangeError("a new key is one more transaction");
  return { ...listed, signer, tx_hash: carried.tx_hash, by: carried.by };
}
