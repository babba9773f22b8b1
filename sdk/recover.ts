import { type Address, type Hex, isAddress, isAddressEqual } from "viem";
import { newHistory } from "@/lib/ledger/history";
import type { Prove } from "@/lib/ledger/witness";
import { formatAmount } from "@/lib/money";
import { Chain } from "./chain";
import { HalcyonError } from "./errors";
import type { Asset } from "./network-info";
import { openRecovered } from "./recover-open";
import { describeAsset, findAgents, type Holder, hasUnreadable, readOn, totalOf } from "./recover-scan";
import { type RecoveryStep, releaseBudget, requireSpender, withdrawAll } from "./recover-withdraw";
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
  /** Address of the account; the wallet's own when left out. */
  account?: string;
  /** Opens the account's key in place of its wallet: the copy on the ledger, or `backup`. */
  recoveryCode?: string;
  /** `sealed` of a downloaded backup: opened by the recovery code, else by the wallet, as the one it was made for. */
  backup?: Hex;
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
  /** Only with `to`, of another account than the wallet's: the part that its own wallet alone can withdraw. */
  left?: AssetAmount[];
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
 * Finds all money of an account and of its agents from chain data alone, and withdraws it by the wallet's own
 * transactions. No service takes part. Can be interrupted and run again.
 *
 * With another wallet than the account's, a recovery code or a backup opens the account's key. It reads everything and
 * withdraws the budgets; what is not in a budget only the account's own wallet can withdraw.
 *
 * @param wallet gives the wallet, or throws; a recovery code alone needs none to look
 * @example
 * await recover(() => wallet, prove, { rpc: "http://127.0.0.1:8545", ledger: "0x…", to: "0x…" });
 * // { balances: [{ asset: "USDG", amount: "975" }], steps: [{ account: "0x…", asset: "USDG", step: "release", tx_hash: "0x…" }] }
 */
export async function recover(
  wallet: () => Wallet,
  prove: () => Promise<Prove>,
  input: RecoverInput,
): Promise<RecoverResult> {
  const to = input.to === undefined ? undefined : checkedAddress(input.to, "--to");
  const chain = new Chain(input.rpc, checkedAddress(input.ledger, "--ledger").toLowerCase() as Address);
  const from = input.fromBlock ?? 0n;
  const scope = await chain.scope();
  const account = input.account === undefined ? wallet().address : checkedAddress(input.account, "--account");
  const vault = await openRecovered(chain, scope, wallet, { ...input, account }, from);

  const addresses = [account, ...(await findAgents(chain, account, from))];
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
  const recovery = { chain, scope, wallet: wallet(), vault, prove: await prove() };
  const own = isAddressEqual(account, recovery.wallet.address);
  if (!own) await requireSpender(recovery, account);
  result.steps = [];
  for (const holder of holders) {
    for (const { address, symbol: asset } of assets) {
      const steps = own
        ? await withdrawAll(recovery, holder, address, to)
        : await releaseBudget(recovery, holder, address, to);
      for (const step of steps) result.steps.push({ ...step, asset });
    }
  }
  if (own) return result;
  for (const holder of holders) await readOn(chain, scope, vault.viewingKey.secret, holder);
  return { ...result, left: sums(assets, holders) };
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
