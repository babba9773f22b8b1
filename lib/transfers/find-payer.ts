import type { Recipient } from "@/lib/accounts/resolve-recipient";
import { findOwnAgent, notAgentOwner } from "@/lib/agents/find-own-agent";
import type { Context, ContextAccount, RelayContext } from "@/lib/context/context";

/**
 * Whose budget a payment spends: the caller's, or with `from` that of one of its agents. An agent's key names itself
 * at most.
 *
 * @param from a handle, checked by the schema
 * @throws ApiError `not_agent_owner` for any handle outside the caller's own names, whether or not someone has it;
 * `not_found` for an agent the caller does not have
 */
export async function findPayer(ctx: Context, from: string | undefined): Promise<ContextAccount> {
  const { account } = ctx;
  const handle = from?.replace(/^@/, "").toLowerCase();
  if (handle === undefined || handle === account.handle) return account;
  if (account.type === "agent" || !handle.startsWith(`${account.handle}/`)) throw notAgentOwner();
  return findOwnAgent(ctx, handle);
}

/** Whether the owner acts: with a key of the account or at a device, not by an agent's key. */
export function isOwnersAct(ctx: RelayContext): boolean {
  return ctx.actor === "session" || ctx.account.type !== "agent";
}

/** Whether money moves between an account and one of its own agents, either way. */
export function isOwnMove(payer: ContextAccount, { account }: Recipient): boolean {
  if (!account || account.id === payer.id) return false;
  return payer.type === "agent" ? account.id === payer.rootId : account.rootId === payer.id;
}
