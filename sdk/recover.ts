import { type Address, isAddress } from "viem";
import { newHistory } from "@/lib/ledger/history";
import type { Prove } from "@/lib/ledger/witness";
import { formatAmount } from "@/lib/money";
import { Chain } from "./chain";
import { HalcyonError } from "./errors";
import type { Asset } from "./network-info";
import { describeAsset, findAgents, findSealedRoot, type Holder, hasUnreadable, readOn, totalOf } from "./recover-scan";
import { type RecoveryStep, withdrawAll } from "./recover-withdraw";
import { FIRST_SECRET, unlock } from "./vault";
import type { Wallet } from "./wallet";

/** Where the chain is, and where to withdraw to. */
export interface RecoverInput {
  /** JSON-RPC address of the chain. */
  rpc: string;
  /** Address of the ledger contract. */
  ledger: string;
  /** Where everything is withdrawn to; without it, balances are only shown. */
  to?: string;
  /** First block to read; the block the ledger was deployed in is soon enough. */
  fromBlock?: bigint;
}

interface AssetAmount {
  asset: string;
  amount: string;
}

/** What chain data alone shows, and what was withdrawn. */
export interface RecoverResult {
  /** Per asset: what the account and its agents hold, as chain data alone shows it, before any withdrawal. */
  balances: AssetAmount[];
  /** Only when the account has agents: the part each of them holds. */
  agents?: { address: Address; balances: AssetAmount[] }[];
  /** Only with `to`: the transactions that moved everything there, in their order. */
  steps?: (RecoveryStep & { asset: string })[];
  /** Assets with notes or a budget whose ciphertext does not open; they are not counted. */
  unreadable?: string[];
}

function checkedAddress(text: string, option: string): Address {
  if (isAddress(text)) return text;
  throw new HalcyonError(
    "invalid_request",
    `${option} is not an address: 0x and 40 hex digits, checksummed if in mixed case.`,
  );
}

/**
 * Finds all money of the wallet's account and of its agents from chain data alone, and withdraws it by the wallet's own
 * transactions. No service takes part. Can be interrupted and run again.
 *
 * @example
 * await recover(wallet, prove, { rpc: "http://127.0.0.1:8545", ledger: "0x…", to: "0x…" });
 * // { balances: [{ asset: "USDG", amount: "975" }], steps: [{ account: "0x…", asset: "USDG", step: "release", tx_hash: "0x…" }] }
 */
export async function recover(
  wallet: Wallet,
  prove: () => Promise<Prove>,
  input: RecoverInput,
): Promise<RecoverResult> {
  const to = input.to === undefined ? undefined : checkedAddress(input.to, "--to");
  const chain = new Chain(input.rpc, checkedAddress(input.ledger, "--ledger").toLowerCase() as Address);
  const from = input.fromBlock ?? 0n;
  const scope = await chain.scope();
  const sealedRoot = await findSealedRoot(chain, wallet.address, from);
  const { viewingKey } = await chain.account(wallet.address);
  const vault = await unlock(wallet, scope, sealedRoot, viewingKey, FIRST_SECRET);

  const addresses = [wallet.address, ...(await findAgents(chain, wallet.address, from))];
  const holders: Holder[] = addresses.map((address) => ({ address, history: newHistory(), nextBlock: from }));
  for (const holder of holders) await readOn(chain, scope, vault.viewingKey.secret, holder);
  const assets = await assetsOf(chain, holders);
  const agents = holders.slice(1).map((agent) => ({ address: agent.address, balances: sums(assets, [agent]) }));
  const result: RecoverResult = {
    balances: sums(assets, holders),
    ...(agents.length > 0 && { agents }),
    ...unreadableIn(assets, holders),
  };
  if (!to) return result;
  const recovery = { chain, scope, wallet, vault, prove: await prove() };
  result.steps = [];
  for (const holder of holders) {
    for (const { address, symbol: asset } of assets) {
      for (const step of await withdrawAll(recovery, holder, address, to)) result.steps.push({ ...step, asset });
    }
  }
  return result;
}

/** The assets that anybody of them ever held. */
async function assetsOf(chain: Chain, holders: Holder[]): Promise<Asset[]> {
  const addresses = new Set(holders.flatMap(({ history }) => [...history.assets.keys()]));
  return Promise.all([...addresses].map((address) => describeAsset(chain, address)));
}

function sums(assets: Asset[], holders: Holder[]): AssetAmount[] {
  return assets.map(({ address, symbol, decimals }) => {
    const held = holders.flatMap(({ history }) => history.assets.get(address) ?? []);
    const total = held.reduce((sum, each) => sum + totalOf(each), 0n);
    return { asset: symbol, amount: formatAmount(total, decimals) };
  });
}

function unreadableIn(assets: Asset[], holders: Holder[]): { unreadable?: string[] } {
  const found = assets.filter(({ address }) =>
    holders.some(({ history }) => {
      const held = history.assets.get(address);
      return held !== undefined && hasUnreadable(held);
    }),
  );
  return found.length > 0 ? { unreadable: found.map(({ symbol }) => symbol) } : {};
}
