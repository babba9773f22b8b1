import { type Address, isAddressEqual } from "viem";
import { deriveAgentSecret } from "@/lib/ledger/crypto/keys";
import { requestTag } from "@/lib/ledger/crypto/request-tag";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { HalcyonError } from "../api/errors";
import type { Context } from "../context/context";
import { findAgent, listAgents, type NamedAgent } from "./agents";

/** Whom the owner's client acts for: the wallet's own account, or one of its agents. */
export interface Party {
  /** Lower case. */
  address: Address;
  type: "account" | "agent";
  /** s of the account, s_i of an agent: budget states are encrypted under it. */
  secret: Uint8Array;
  /** For the session routes: names the agent; nothing for the account itself. */
  query: { agent?: string };
}

/** The tag of a payer's request under an idempotency key. */
export function tagOf(scope: Scope, { secret, address }: Party, id: string): Uint8Array {
  return requestTag(secret, scope, address, id);
}

/** The wallet's own account. */
export async function ownParty(context: Context): Promise<Party> {
  const { secret } = await context.vault();
  return { address: lowerCase(context.wallet.address), type: "account", secret, query: {} };
}

/**
 * The account, or the agent of that name. That the agent is the wallet's own is read from the chain and its address
 * pinned: the service cannot put someone else's, or another of the owner's, in its place.
 *
 * @throws HalcyonError `not_found`, `not_agent_owner`; PinMismatch
 */
export async function partyOf(context: Context, agent?: string): Promise<Party> {
  return agent === undefined ? ownParty(context) : agentParty(context, await findAgent(context, agent));
}

/** The account or its agent of that address. */
export async function partyAt(context: Context, address: Address): Promise<Party> {
  if (isAddressEqual(address, context.wallet.address)) return ownParty(context);
  const { agents } = await listAgents(context);
  const found = agents.find(({ public_key }) => isAddressEqual(public_key, address));
  if (found) return agentParty(context, found);
  throw new HalcyonError("not_found", `The service does not list your agent ${address}.`);
}

/**
 * An agent that the service lists, as {@link partyOf} gives it. Those of one moment ask the chain together.
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
    secret: deriveAgentSecret(vault.secret, address, scope),
    query: { agent: agent.account_id },
  };
}
