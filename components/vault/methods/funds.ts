import { formatAmount } from "@/lib/base/money";
import { listAgents } from "@/sdk/account/agents";
import { decryptFunds, readEveryView } from "@/sdk/account/funds/funds";
import { agentParty, ownParty, type Party } from "@/sdk/account/party";
import { ApiCallError, type HalcyonError } from "@/sdk/api/errors";
import type { Asset } from "@/sdk/api/network-info";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import type { Context } from "@/sdk/context/context";
import type { Tools } from "./method";

export interface FundsInput {
  /** Whether to include what each agent holds. */
  agents?: boolean;
}

/** What an account or agent has of one asset. Amounts are decimal strings. */
export interface DecryptedFunds {
  asset: string;
  decimals: number;
  /** What API keys may spend, including unsettled payments. */
  available: string;
  /** Received and not yet made available, largest first. */
  notes: string[];
  notesTotal: string;
  /** Deposited and not yet made available. Public on chain. */
  deposited: string;
  /** Available balance, notes and deposited money. */
  total: string;
  /** How many notes can't be decrypted. They are not counted. */
  unreadable: number;
  /** Whether there are more notes than the service lists at once. They are not counted. */
  more: boolean;
  /** Whether a payment in this asset is not final yet. */
  moving: boolean;
}

/**
 * An asset that could not be decrypted, and why (`sync_required`: no client holds the chain's current available
 * balance).
 */
export interface UndecryptedFunds {
  asset: string;
  decimals: number;
  error: { code: string; message: string };
}

interface AgentFunds {
  account_id: string;
  handle: string;
  assets: (DecryptedFunds | UndecryptedFunds)[];
}

export interface FundsOutput {
  assets: (DecryptedFunds | UndecryptedFunds)[];
  /** Empty unless requested. */
  agents: AgentFunds[];
}

/** Returns whether an error affects every asset: signed out, or no response. Earlier amounts then stay on screen. */
function concernsAll(error: HalcyonError): boolean {
  const passing = ["unauthorized", "unavailable", "rate_limited"].includes(error.code);
  return passing || (error instanceof ApiCallError && error.status >= 500);
}

type Opener = Awaited<ReturnType<typeof readEveryView>>;

async function openAsset(open: Opener, party: Party, asset: Asset): Promise<DecryptedFunds | UndecryptedFunds> {
  const { symbol, decimals } = asset;
  const amount = (units: bigint) => formatAmount(units, decimals);
  try {
    const { view, available, notes, unreadable, deposited } = await open(party, asset);
    const notesTotal = notes.reduce((sum, note) => sum + note.amount, 0n);
    return {
      asset: symbol,
      decimals,
      available: amount(available.limit),
      notes: notes.map((note) => amount(note.amount)),
      notesTotal: amount(notesTotal),
      deposited: amount(deposited),
      total: amount(available.limit + notesTotal + deposited),
      unreadable,
      more: view.has_more,
      moving: view.available.commitment !== view.available.newest_commitment,
    };
  } catch (thrown) {
    const error = toHalcyonError(thrown);
    if (concernsAll(error)) throw thrown;
    // One asset that can't be decrypted must not hide the others.
    return { asset: symbol, decimals, error: { code: error.code, message: error.message } };
  }
}

/**
 * Decrypts everything that the account has, with its agents on request. Progress counts assets. Regardless of the
 * number of agents, it reads the service once and the chain once.
 */
export async function funds(context: Context, input: FundsInput, tools: Tools): Promise<FundsOutput> {
  const [info, own, { agents }, open] = await Promise.all([
    context.info(),
    ownParty(context),
    input.agents ? listAgents(context) : { agents: [] },
    input.agents ? readEveryView(context) : decryptFunds.bind(undefined, context),
  ]);
  const total = info.assets.length * (1 + agents.length);
  let done = 0;
  tools.progress(done, total);
  const openAll = async (party: Party) => {
    const opened: (DecryptedFunds | UndecryptedFunds)[] = [];
    for (const asset of info.assets) {
      tools.signal.throwIfAborted();
      opened.push(await openAsset(open, party, asset));
      tools.progress(++done, total);
    }
    return opened;
  };
  const [assets, parties] = await Promise.all([
    openAll(own),
    Promise.all(agents.map(async (agent) => ({ agent, party: await agentParty(context, agent) }))),
  ]);
  const opened: AgentFunds[] = [];
  for (const { agent, party } of parties) {
    opened.push({ account_id: agent.account_id, handle: agent.handle, assets: await openAll(party) });
  }
  return { assets, agents: opened };
}
