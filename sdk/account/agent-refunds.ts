import type { Context } from "../context/context";
import { findAgent } from "./agents";

/** Where refunds of an agent's payments go: to the agent's received balance, or to its owner's. */
export type RefundsTo = "available" | "owner";

/** The refund setting of an agent. */
export interface AgentRefunds {
  account_id: string;
  refunds: RefundsTo;
}

/** Reads where an agent's refunds go. With `refunds`, sets it first. */
export async function agentRefunds(context: Context, agent: string, refunds?: RefundsTo): Promise<AgentRefunds> {
  const [session, { account_id }] = await Promise.all([context.session(), findAgent(context, agent)]);
  const path = `/api/agents/${encodeURIComponent(account_id)}/refunds`;
  return refunds === undefined ? session.get<AgentRefunds>(path) : session.post<AgentRefunds>(path, { refunds });
}
