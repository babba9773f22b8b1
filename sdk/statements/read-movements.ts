import type { Address } from "viem";
import type { AssetOfStatement, BalanceEnds, Movement } from "@/lib/payments/statements/make-statement";
import type { Period } from "@/lib/payments/statements/period";
import type { MovementType, StatementProblem } from "@/lib/payments/statements/statement";
import type { TransferWithCopies } from "../api/api-types";
import type { Asset } from "../api/network-info";
import type { Chain } from "../chain/chain";
import { describeAsset } from "../chain/recover-assets";
import type { Context } from "../context/context";
import { OnChain } from "../payments/transfers/on-chain";
import {
  type ChainEnd,
  chainEnd,
  type HolderHistory,
  type ReadingProgress,
  readHolder,
  type TimedEntry,
} from "./chain-history";
import { holdersOf, type StatementHolder } from "./holders-of";
import { ListedPayments } from "./listed-payments";
import { periodOf, type StatementInput } from "./statement-input";

/** A movement, and the entry of the history that it comes from. */
export interface ReadMovement extends Movement {
  entry: TimedEntry;
}

/** All movements of a period, before they become a statement or a view. */
export interface ReadMovements {
  period: Period & { timeZone: string };
  end: ChainEnd;
  holders: StatementHolder[];
  assets: AssetOfStatement[];
  balances: ReadonlyMap<Address, BalanceEnds>;
  movements: ReadMovement[];
  problems: StatementProblem[];
}

const TYPES: Readonly<Record<TimedEntry["type"], MovementType | null>> = {
  deposit: "deposit",
  received: "received",
  sent: "sent",
  released: "paid_out",
  funded_out: "moved_out",
  funded_in: "moved_in",
  abandoned: "abandoned",
  // Moves money from one balance to another; the total stays the same.
  make_available: null,
};

/** Returns the totals of all holders together at both ends. */
function balancesOf(histories: readonly HolderHistory[]): Map<Address, BalanceEnds> {
  const sums = new Map<Address, BalanceEnds>();
  const add = (a: bigint | null, b: bigint | null | undefined) => (a === null || b === null ? null : a + (b ?? 0n));
  for (const { opening, closing } of histories) {
    for (const asset of new Set([...opening.keys(), ...closing.keys()])) {
      const sum = sums.get(asset) ?? { opening: 0n, closing: 0n };
      sums.set(asset, {
        opening: add(sum.opening, opening.get(asset)),
        closing: add(sum.closing, closing.get(asset)),
      });
    }
  }
  return sums;
}

/** Returns the service's assets, plus those it doesn't list, as described by the ledger. */
async function assetsOf(chain: Chain, known: readonly Asset[], used: Iterable<Address>): Promise<AssetOfStatement[]> {
  const others = [...used].filter((address) => !known.some((asset) => asset.address === address));
  return [...known, ...(await Promise.all(others.map((address) => describeAsset(chain, address))))];
}

const AT_ONCE = 20;

/**
 * Finds payments that the service lists as confirmed but that the chain does not show, or shows although this reading
 * missed them.
 */
async function contradictions(
  chain: Chain,
  onChain: OnChain,
  assets: readonly Asset[],
  unused: readonly TransferWithCopies[],
  { from, to }: Period,
): Promise<StatementProblem[]> {
  let [absent, overlooked] = [0, 0];
  const look = async (entry: TransferWithCopies) => {
    const asset = assets.find(({ symbol }) => symbol === entry.asset);
    if (!asset || !(await onChain.shows(entry, asset.address))) {
      absent += 1;
      return;
    }
    const { blockNumber } = await chain.client.getTransactionReceipt({ hash: entry.tx_hash });
    const time = Number((await chain.client.getBlock({ blockNumber })).timestamp) * 1000;
    if (time >= from.getTime() && time < to.getTime()) overlooked += 1;
  };
  for (let at = 0; at < unused.length; at += AT_ONCE) await Promise.all(unused.slice(at, at + AT_ONCE).map(look));
  const problems: StatementProblem[] = [];
  if (absent > 0) {
    const what = absent === 1 ? "1 payment that is" : `${absent} payments that are`;
    problems.push({ code: "not_on_chain", message: `Halcyon lists ${what} not on chain. They are left out.` });
  }
  if (overlooked > 0) problems.push(incomplete(`${overlooked} payments`));
  return problems;
}

const incomplete = (what: string): StatementProblem => ({
  code: "chain_incomplete",
  message: `The node left out ${what}. Read the chain over another RPC address.`,
});

/**
 * Reads all movements of a period from the chain, decrypts them on this machine, and adds what the service knows about
 * them. Amounts and balances come from the chain alone.
 *
 * @throws HalcyonError `invalid_request` for an invalid period or time zone; like {@link holdersOf}
 */
export async function readMovements(
  context: Context,
  input: StatementInput,
  reading: ReadingProgress = {},
): Promise<ReadMovements> {
  const period = periodOf(input);
  const [info, scope, chain, viewer] = await Promise.all([
    context.info(),
    context.scope(),
    context.chain(),
    context.viewer(),
  ]);
  const only = input.asset === undefined ? undefined : (await context.asset(input.asset)).address;
  const [holders, end] = await Promise.all([holdersOf(context, chain, input), chainEnd(chain, info.finality)]);
  const listed = await ListedPayments.of(context, period, input.agent);
  const histories: HolderHistory[] = [];
  for (const holder of holders) {
    histories.push(await readHolder(chain, scope, viewer.viewingKey.secret, holder, period, end, reading));
  }
  const problems: StatementProblem[] = [];
  const movements: ReadMovement[] = [];
  let disagreeing = 0;
  for (const { holder, entries, complete } of histories) {
    if (!complete) problems.push(incomplete(`movements of ${holder.name}`));
    for (const entry of entries) {
      const { disagrees, ...names } = await listed.namesOf(entry, holder.address);
      const { time, blockNumber, logIndex, transactionHash, asset, amount, counterparty = null } = entry;
      // The name of an account whose movements these are stands for its own address alone.
      const isOthersName = holders.some(({ name, address }) => name === names.counterparty && address !== counterparty);
      if (disagrees || isOthersName) disagreeing += 1;
      const type = TYPES[entry.type];
      if (type === null) continue;
      const listedName = isOthersName ? null : names.counterparty;
      const place = { time, blockNumber, logIndex, transactionHash, asset, amount };
      movements.push({
        ...place,
        ...names,
        type,
        entry,
        holder: holder.address,
        counterparty: listedName ?? holders.find(({ address }) => address === counterparty)?.name ?? null,
        counterpartyAddress: counterparty,
      });
    }
  }
  if (disagreeing > 0) {
    const what = disagreeing === 1 ? "1 payment" : `${disagreeing} payments`;
    const message = `Halcyon names other parties than the chain for ${what}. Their names are left out.`;
    problems.push({ code: "other_parties", message });
  }
  const onChain = new OnChain(chain, viewer.account);
  const unused = listed.unused(new Set(holders.map(({ address }) => address)));
  problems.push(...(await contradictions(chain, onChain, info.assets, unused, period)));
  const balances = balancesOf(histories);
  const used = new Set([...balances.keys(), ...movements.map(({ entry }) => entry.asset)]);
  const assets = await assetsOf(chain, info.assets, used);
  return {
    period,
    end,
    holders,
    assets: assets.filter(({ address }) => only === undefined || address === only),
    balances,
    movements: movements.filter(({ asset }) => only === undefined || asset === only),
    problems,
  };
}
