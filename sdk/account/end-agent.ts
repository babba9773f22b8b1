import { type Hex, isAddress, isAddressEqual, zeroAddress } from "viem";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { hasSignerAt, type LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { maySign } from "@/lib/ledger/authority/may-sign";
import { planAgentSigners } from "@/lib/ledger/authority/plan-agent-signers";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { HalcyonError } from "../api/errors";
import type { Operation } from "../api/resources/transfers";
import type { Context } from "../context/context";
import { type Carried, relayOrSend } from "../context/relay-or-send";
import { signDraft } from "../context/sign-draft";
import { findAgent } from "./agents";
import { partyOf } from "./party";

/** An agent that was ended. */
export interface EndedAgent {
  /** Null for an agent that the service does not list; `handle` is then its address. */
  account_id: string | null;
  handle: string;
  status: "ended";
  /** Null when the agent had already ended, or when the service did not report the transaction. */
  tx_hash: Hex | null;
  by: Carried["by"] | null;
}

/** An agent of the account, and how the service lists it. */
interface Named {
  party: LedgerParty;
  /** The agent in the service's list; null when it is not listed. */
  listed: { account_id: string; handle: string } | null;
}

/**
 * Finds an agent of the account by name, or by address, so that an agent that the service does not list can be ended
 * too.
 */
export async function agentNamed(context: Context, name: string): Promise<Named> {
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
 * Ends an agent on the ledger: neither its key nor an approval can pay from it any more. Implements `agents.end`.
 * Signed by the payment key, or by the wallet if that key is not valid any more. Sent by the service or, if it
 * does not send it, by the wallet. To get the agent's money back, make a payment from the agent to yourself.
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
    const byKey = maySign({ struct: "SetAgentSigner" }, now, vault.paymentKey.address, deadline, true);
    const sign = byKey ? keySigner(vault.paymentKey.privateKey) : context.signer();
    const document = await signDraft<"set_agent_signer">(scope, draft, sign);
    const isDone = async () => isAddressEqual((await chain.account(agent)).signer, zeroAddress);
    const { policyVersion } = now.record;
    try {
      const { by, tx_hash } = await relayOrSend(context, {
        what: "The end of the agent",
        data: authorityCalldata(document),
        deadline: document.deadline,
        // It does not list every agent.
        relay:
          listed &&
          (async () => {
            const session = await context.session();
            const path = `/api/agents/${listed.account_id}/end`;
            return (await session.post<{ operation: Operation }>(path, document)).operation;
          }),
        isDone,
        isVoid: async () => (await chain.account(agent)).policyVersion > policyVersion && !(await isDone()),
      });
      return { ...ended, tx_hash, by };
    } catch (error) {
      // A policy was set in between: sign again over the new policy version.
      const moved = error instanceof HalcyonError && error.code === "available_balance_changed";
      if (!moved || attempt === TRIES) throw error;
    }
  }
}

const TRIES = 5;
