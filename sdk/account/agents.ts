import type { CallOptions } from "../api/call-options";
import { HalcyonError } from "../api/errors";
import { type OptionalPageInput, type Paged, paged } from "../api/paged";
import { requireSameId } from "../api/require-same-id";
import type { Agent, AgentList } from "../api/resources/agents";
import { callApi } from "../context/call-api";
import type { Context } from "../context/context";

/** Lists the account's agents on this network, oldest first: all of them unless `limit` is set. */
export function listAgents(context: Context, input: OptionalPageInput = {}): Paged<AgentList, Agent> {
  const read = ({ limit, startingAfter }: OptionalPageInput) => {
    const query = { limit, starting_after: startingAfter };
    return callApi<AgentList>(context, "GET", "/v1/accounts/me/agents", { query });
  };
  return paged({ read, entries: ({ agents }) => agents, id: ({ account_id }) => account_id }, input);
}

/** Reports whether a name such as `bot` or `@alice/bot` refers to the agent with this handle. */
export function isNamed(handle: string, name: string): boolean {
  const own = handle.toLowerCase();
  const wanted = name.toLowerCase();
  return wanted.includes("/") ? own === `@${wanted.replace(/^@/, "")}` : own.split("/")[1] === wanted;
}

/** The fields that identify an agent. */
export type NamedAgent = Pick<Agent, "account_id" | "handle" | "public_key">;

/** Lists the agents that the caller may name: all agents of its account, or for an agent's own key just that agent. */
export async function namedAgents(context: Context): Promise<{ caller: string; agents: NamedAgent[] }> {
  if (context.hasWallet) return { caller: (await context.account()).handle, ...(await listAgents(context)) };
  const account = await callApi<NamedAgent & { type: string }>(context, "GET", "/v1/accounts/me");
  const { agents } = account.type === "agent" ? { agents: [account] } : await listAgents(context);
  return { caller: account.handle, agents };
}

/**
 * Finds an agent of the account by its name (`bot`) or handle (`@alice/bot`). An agent's own key finds only itself.
 *
 * @throws HalcyonError `not_found` when no agent of the account has this name, `not_agent_owner` for a handle of
 * another account
 */
export async function findAgent(context: Context, name: string): Promise<NamedAgent> {
  const { caller, agents } = await namedAgents(context);
  const found = agents.find(({ handle }) => isNamed(handle, name));
  if (found) return found;
  const [owner, agent] = name.toLowerCase().split("/");
  if (agent !== undefined && `@${owner?.replace(/^@/, "")}` !== caller.split("/")[0]) {
    throw new HalcyonError("not_agent_owner", "Only the agent's owner may do this. Use the owner's wallet or key.");
  }
  throw new HalcyonError(
    "not_found",
    `You have no agent "${name}" on this network. \`halcyon agents list\` shows them.`,
  );
}

/**
 * Stops an agent's payments at once, whatever its policy allows. The service enforces a pause. To stop the agent's key
 * on the ledger, use `agents.end`.
 */
export async function pauseAgent(context: Context, name: string, options?: CallOptions): Promise<Agent> {
  return setStatus(context, name, "pause", options);
}

/** Lets a paused agent pay again, with an API key: the service signs the policy during the request. */
export async function resumeByKey(context: Context, name: string, options?: CallOptions): Promise<Agent> {
  return setStatus(context, name, "resume", options);
}

async function setStatus(
  context: Context,
  name: string,
  verb: "pause" | "resume",
  options?: CallOptions,
): Promise<Agent> {
  const { account_id } = await findAgent(context, name);
  const { idempotencyKey } = options ?? {};
  const asked = callApi<Agent>(context, "POST", `/v1/agents/${account_id}/${verb}`, { json: {}, idempotencyKey });
  return requireSameId("account_id", account_id, asked, true);
}
