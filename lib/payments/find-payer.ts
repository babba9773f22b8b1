import type { Recipient } from "@/lib/accounts/resolve-recipient";
import { findOwnAgent, notAgentOwner } from "@/lib/agents/find-own-agent";
import type { Context, ContextAccount, RelayContext } from "@/lib/base/context/context";

/**
 * Returns the account whose available balance a payment spends: the caller's or, with `from`, one of its agents. With
 * an agent's key, `from` can only be the agent itself.
 *
 * @param from a handle, checked by the schema
 * @throws ApiError `not_agent_owner` for any handle that is not below the caller's own, whether or not it exists;
 *   `not_found` for an agent that the caller does not have
 */
export async function findPayer(ctx: Context, from: string | undefined): Promise<ContextAccount> {
  const { account } = ctx;
  const handle = from?.replace(/^@/, "").toLowerCase();
  if (handle === undefined || handle === account.handle) return account;
  if (account.type === "agent" || !handle.startsWith(`${account.handle}/`)) throw notAgentOwner();
  return findOwnAgent(ctx, handle);
}

/** Reports whether the owner acts, with a key of the account or in a session, and not an agent's key. */
export function isOwnersAct(ctx: RelayContext): boolean {
  return ctx.actor === "session" || ctx.account.type !== "agent";
}

/** Reports whether money moves between an account and one of its own agents, in either direction. */
export function isOwnMove(payer: ContextAccount, { account }: Recipient): boolean {
  if (!account || account.id === payer.id) return false;
  return payer.type === "agent" ? account.id === payer.rootId : account.rootId === payer.id;
}
