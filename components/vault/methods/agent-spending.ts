import { formatAmount } from "@/lib/base/money";
import { spentOnDay } from "@/lib/policy/spent";
import { listAgents, type NamedAgent } from "@/sdk/account/agents";
import { readEveryView } from "@/sdk/account/funds/funds";
import { agentParty, ownParty, type Party, partyOf } from "@/sdk/account/party";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import type { Context } from "@/sdk/context/context";
import type { Tools } from "./method";

interface AgentSpendingInput {
  agents: {
    /** Handle of an agent, or of the account itself if its keys have limits. */
    handle: string;
    /** Its policy's time zone, which defines the day. */
    time_zone: string;
    /** Symbols of the assets to decrypt. */
    assets: string[];
  }[];
}

/** What an agent holds and has spent in one asset. Amounts are decimal strings. */
export interface AssetSpending {
  asset: string;
  /** On the current calendar day of the zone, including unsettled payments. */
  spent: string;
  /** Its available balance. */
  available: string;
  /** What others paid to it, and its deposited money. Becomes available once its owner makes it available. */
  waiting: string;
}

/**
 * The spending of one agent. `error` is set if it can't be decrypted (just registered, or an available balance no one
 * can read).
 */
export interface AgentSpending {
  handle: string;
  assets: AssetSpending[];
  error: { code: string; message: string } | null;
}

type Opener = Awaited<ReturnType<typeof readEveryView>>;

/** Returns the account itself, or an agent that the service lists. */
async function partyNamed(context: Context, handle: string, listed: ReadonlyMap<string, NamedAgent>): Promise<Party> {
  if (!handle.includes("/")) return ownParty(context);
  const agent = listed.get(handle);
  return agent ? agentParty(context, agent) : partyOf(context, handle);
}

async function spendingOf(
  context: Context,
  agent: AgentSpendingInput["agents"][number],
  { partyAt, open }: { partyAt: (handle: string) => Promise<Party>; open: Opener },
): Promise<AssetSpending[]> {
  const party = await partyAt(agent.handle);
  const now = new Date();
  const opened: AssetSpending[] = [];
  for (const symbol of agent.assets) {
    const asset = await context.asset(symbol);
    const amount = (units: bigint) => formatAmount(units, asset.decimals);
    const { available, notes, deposited } = await open(party, asset);
    opened.push({
      asset: symbol,
      // The counters are part of the available balance's newest encrypted state, which includes unsettled payments.
      spent: amount(spentOnDay(available.counters, agent.time_zone, now)),
      available: amount(available.limit),
      waiting: amount(notes.reduce((sum, note) => sum + note.amount, deposited)),
    });
  }
  return opened;
}

/**
 * Decrypts what agents hold and have spent today. Progress counts agents. One that can't be decrypted does not hide the
 * others.
 */
export async function agentSpending(
  context: Context,
  { agents }: AgentSpendingInput,
  tools: Tools,
): Promise<AgentSpending[]> {
  const [listed, open] = await Promise.all([listAgents(context), readEveryView(context)]);
  const named = new Map(listed.agents.map((agent) => [agent.handle, agent]));
  // Start all at once, so that they share chain requests. Errors are reported with their agent.
  const parties = new Map(agents.map(({ handle }) => [handle, partyNamed(context, handle, named)]));
  for (const party of parties.values()) party.catch(() => {});
  const partyAt = (handle: string) => parties.get(handle) ?? partyNamed(context, handle, named);
  const all: AgentSpending[] = [];
  for (const agent of agents) {
    tools.signal.throwIfAborted();
    tools.progress(all.length, agents.length);
    try {
      all.push({ handle: agent.handle, assets: await spendingOf(context, agent, { partyAt, open }), error: null });
    } catch (thrown) {
      const { code, message } = toHalcyonError(thrown);
      if (code === "unauthorized") throw thrown;
      all.push({ handle: agent.handle, assets: [], error: { code, message } });
    }
  }
  return all;
}
