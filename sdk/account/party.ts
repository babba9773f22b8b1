import { type Address, isAddressEqual } from "viem";
import { deriveAgentHalf } from "@/lib/ledger/crypto/keys";
import { requestTag } from "@/lib/ledger/crypto/request-tag";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { HalcyonError } from "../api/errors";
import type { Context } from "../context/context";
import { findAgent, listAgents, type NamedAgent } from "./agents";

/** The account that the owner's client acts for: the wallet's own account, or one of its agents. */
export interface Party {
  /** Lower case. */
  address: Address;
  type: "account" | "agent";
  /** Knowledge, `k` or an agent's `k_i`. Available balance states are encrypted under it. */
  secret: Uint8Array;
  /** Authority, `a` or an agent's `a_i`. */
  authority: Uint8Array;
  /** Query of session routes: names the agent; empty for the account itself. */
  query: { agent?: string };
}

/** Returns the tag of a payer's request under an idempotency key. */
export function tagOf(scope: Scope, { secret, address }: Party, id: string): Uint8Array {
  return requestTag(secret, scope, address, id);
}

/** Returns the wallet's own account. */
export async function ownParty(context: Context): Promise<Party> {
  const { secret, authority } = await context.vault();
  return { address: lowerCase(context.wallet.address), type: "account", secret, authority, query: {} };
}

/**
 * Returns the account, or the named agent. Reads from the chain that the agent belongs to the wallet, and pins its
 * address, so that the service can't substitute someone else's agent or another agent of the same owner.
 *
 * @throws HalcyonError `not_found`, `not_agent_owner`; PinMismatch
 */
export async function partyOf(context: Context, agent?: string): Promise<Party> {
  return agent === undefined ? ownParty(context) : agentParty(context, await findAgent(context, agent));
}

/** Returns the account or agent with an address. */
export async function partyAt(context: Context, address: Address): Promise<Party> {
  if (isAddressEqual(address, context.wallet.address)) return ownParty(context);
  const { agents } = await listAgents(context);
  const found = agents.find(({ public_key }) => isAddressEqual(public_key, address));
  if (found) return agentParty(context, found);
  throw new HalcyonError("not_found", `The service does not list your agent ${address}.`);
}

/**
 * Returns an agent that the service lists, checked like in {@link partyOf}. Concurrent calls are batched into one
 * request to the chain.
 *
 * @throws HalcyonError `unavailable`; PinMismatch
 */
export async function agentParty(context: Context, agent: NamedAgent): Promise<Party> {
  const address = lowerCase(agent.public_key);
  const [info, scope, vault] = await Promise.all([
    context.info(),
    context.scope(),
    context.vault(),
    context.requireOwnAgent(address, agent.handle),
  ]);
  await context.pins.checkHandle(info, agent.handle, address);
  return {
    address,
    type: "agent",
    secret: deriveAgentHalf(vault.secret, address, scope),
    authority: deriveAgentHalf(vault.authority, address, scope),
    query: { agent: agent.account_id },
  };
}
