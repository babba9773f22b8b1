import type { Address, Hex } from "viem";
import { hasSignerAt } from "@/lib/ledger/authority/ledger-record";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { newAgentKeys, newSignerOf, replaceSigners } from "../../account/agent-signers";
import { agentNamed } from "../../account/end-agent";
import { HalcyonError } from "../../api/errors";
import { readOn, unread } from "../../chain/recover-scan";
import type { Context } from "../../context/context";
import type { Carried } from "../../context/relay-or-send";
import { type AvailableName, type Resalted, resaltHolder } from "./resalt";

/** An agent with a replaced key. */
export interface RekeyedAgent {
  account_id: string;
  handle: string;
  /** The address that signs for the agent from now on. */
  signer: Address;
  tx_hash: Hex | null;
  by: Carried["by"];
  /** Number of the agent's available balances that have a new salt. */
  available_balances: number;
  /** Available balances that can't be decrypted. `security.abandonBalance` gives them up. */
  lost?: AvailableName[];
  /** What failed after the key was replaced. Replace it again to retry. */
  unfinished?: Resalted["unfinished"];
}

/**
 * Replaces an agent's key, signed by the wallet: the old key can't sign any more. Then renews the salts of the agent's
 * balances: who has seen one reads the amounts of all later payments from the chain until then (docs/protocol.md section
 * 4). Implements `agents.replaceKey`. An ended agent can't be revived this way.
 */
export async function replaceAgentKey(context: Context, name: string): Promise<RekeyedAgent> {
  const { party, listed } = await agentNamed(context, name);
  if (!listed) {
    throw new HalcyonError(
      "not_found",
      "The service does not list this agent, so it could not use a new key. End it instead.",
    );
  }
  const [chain, scope, vault] = await Promise.all([context.chain(), context.scope(), context.vault()]);
  if (!hasSignerAt(party.record, await chain.now())) {
    throw new HalcyonError("invalid_request", "This agent has ended, and stays so. Create another one.");
  }
  const keys = newAgentKeys([party.address]);
  const signer = newSignerOf(keys, party.address);
  const [carried] = await replaceSigners(context, vault, [party], keys, true);
  if (!carried || !signer) throw new RangeError("a new key is one more transaction");
  const { enrolledBlock: nextBlock } = await chain.account(party.address);
  const holder = unread(lowerCase(party.address), nextBlock);
  await readOn(chain, scope, vault.viewingKey.secret, holder);
  const rotating = { scope, versions: () => vault, next: vault };
  const { renewed, lost, unfinished } = await resaltHolder(context, rotating, holder, { agent: listed.account_id });
  return {
    ...listed,
    signer,
    tx_hash: carried.tx_hash,
    by: carried.by,
    available_balances: renewed,
    ...(lost.length > 0 && { lost }),
    ...(unfinished.length > 0 && { unfinished }),
  };
}
