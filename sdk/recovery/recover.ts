import { type Address, type Hex, isAddress, isAddressEqual } from "viem";
import { lossOf } from "@/lib/ledger/authority/plan-abandon";
import type { Prove } from "@/lib/ledger/prepare/witness";
import type { Call } from "../api/call";
import { HalcyonError } from "../api/errors";
import { httpAddress } from "../api/http-address";
import { Chain } from "../chain/chain";
import { watchReads } from "../chain/ledger-events";
import { describeAsset, distinctSymbols, type RecoveredAsset, shownUnits } from "../chain/recover-assets";
import { findAgents, type Holder, hasUnreadable, readOn, totalOf, unread } from "../chain/recover-scan";
import type { Wallet } from "../chain/wallet";
import { decryptRecovered } from "./decrypt-recovered";
import { findUnclaimed, type Unclaimed } from "./one-time-addresses";
import { requirePaymentKeyInForce } from "./recover-steps";
import type { FailedStep, LeftDust, RecoveryStep } from "./recovery-step";
import { withdrawEverything } from "./withdraw-everything";

/** The input of a recovery. */
export interface RecoverInput {
  /** JSON-RPC address of the chain. */
  rpc: string;
  /** Address of the ledger contract. */
  ledger: string;
  /** Where to withdraw everything. Without it, balances are only shown. */
  to?: string | undefined;
  /**
   * With `to`: gives up available balances that can't be decrypted, for good, and withdraws the received and deposited
   * money behind them. Otherwise, that money stays where it is.
   */
  abandon?: boolean | undefined;
  /** With `to`: finally withdraws even received payments too small to be worth their gas. */
  dust?: boolean | undefined;
  /** The first block to read. Default: the block of the account's enrollment. */
  fromBlock?: bigint | undefined;
  /** Address of the account. Default: the wallet's own. */
  account?: string | undefined;
  /** Decrypts the account's key instead of its wallet: from the copy on the ledger, or from `backup`. */
  recoveryCode?: string | undefined;
  /**
   * `encrypted` of a downloaded backup. Decrypted with the recovery code, or else by the wallet for which it was
   * created.
   */
  backup?: Hex | undefined;
  /** Called while the chain is read, with the last block that was read and the last one that there is. */
  onProgress?: ((block: bigint, last: bigint) => void) | undefined;
}

interface AssetAmount {
  asset: string;
  amount: string;
}

/**
 * An available balance that can't be decrypted: someone who could sign for it left a copy that no one can decrypt.
 * Amounts are decimal strings.
 */
export interface LostInRecovery {
  account: Address;
  asset: string;
  /** The most that can have been in it; null when the chain sets no upper limit. */
  lost_at_most: string | null;
  /** The money behind it, which `abandon` frees. */
  notes: string;
  deposited: string;
}

/** A public payment that its seller has not collected, at an address whose key only the account can derive. */
export interface UnclaimedInRecovery {
  /** The payer: the account or an agent. */
  account: Address;
  asset: string;
  amount: string;
  /** Until then, the seller may collect it; afterwards, `to` withdraws it. */
  taken_before: string;
}

/** What the chain alone shows, and what was withdrawn. */
export interface RecoverResult {
  /** The holdings of the account and its agents by asset, according to the chain alone, before any withdrawal. */
  balances: AssetAmount[];
  /** Only when the account has agents: the holdings of each. */
  agents?: { address: Address; balances: AssetAmount[] }[];
  /** Available balances that can't be decrypted, if any. `balances` includes the money behind them, but not them. */
  lost?: LostInRecovery[];
  /** Public payments that their sellers have not collected, if any. Not in `balances`. */
  unclaimed?: UnclaimedInRecovery[];
  /** Only with `to`: the transactions that moved the money there, in order. */
  steps?: (RecoveryStep & { asset: string })[];
  /** Only with `to`: what failed while everything else continued. Run it again to retry. */
  failed?: (FailedStep & { asset: string })[];
  /** Only with `to`: received payments too small to be worth their gas, which the option `dust` withdraws as well. */
  dust?: LeftDust[];
  /**
   * Only with `to` and with a wallet that is not the account's own: what only the account's own wallet can withdraw.
   */
  left?: AssetAmount[];
  /** Assets with received payments or an available balance that can't be decrypted. These are not counted. */
  unreadable?: string[];
}

function checkedAddress(text: string, param: keyof RecoverInput): Address {
  if (isAddress(text)) return text;
  const message = `${param} is not an address: 0x and 40 hex digits, with a right checksum if in mixed case.`;
  throw new HalcyonError("invalid_request", message, { param });
}

/**
 * Finds all money of an account and its agents from chain data alone, and withdraws it with the wallet's own
 * transactions: available balances first, then notes and deposited money, and dust last and only on request. Works
 * without the service. Nothing that can't be decrypted, or fails, stops the rest. Can be interrupted and run again.
 *
 * With a wallet that is not the account's own, a recovery code or a backup decrypts the account's key. It can then read
 * everything and withdraw the available balances; only the account's own wallet can withdraw what is not in an
 * available balance.
 *
 * @param wallet returns the wallet, or throws; with a recovery code, viewing balances needs no wallet
 * @example
 * await halcyon.recovery.run({ rpc: "http://127.0.0.1:8545", ledger: "0x…", to: "0x…" });
 * // { balances: [{ asset: "USDG", amount: "975" }],
 * //   steps: [{ account: "0x…", asset: "USDG", step: "release", tx_hash: "0x…" }] }
 * @throws the first failure when nothing at all could be withdrawn
 */
export async function recover(
  wallet: () => Wallet,
  prove: () => Promise<Prove>,
  input: RecoverInput,
  call?: Call,
): Promise<RecoverResult> {
  const to = input.to === undefined ? undefined : checkedAddress(input.to, "to");
  const ledger = checkedAddress(input.ledger, "ledger").toLowerCase() as Address;
  const chain = new Chain(httpAddress("rpc", input.rpc), ledger, undefined, call);
  watchReads(chain.client, input.onProgress);
  const scope = await chain.scope();
  const account = input.account === undefined ? wallet().address : checkedAddress(input.account, "account");
  const from = input.fromBlock ?? (await chain.account(account)).enrolledBlock;
  const vault = await decryptRecovered(chain, scope, wallet, { ...input, account }, from);

  const addresses = [account, ...(await findAgents(chain, account, from))];
  const holders: Holder[] = addresses.map((address) => unread(address, from));
  const readAll = () => Promise.all(holders.map((holder) => readOn(chain, scope, vault.viewingKey.secret, holder)));
  await readAll();
  const assets = await assetsOf(chain, holders);
  const agents = holders.slice(1).map((agent) => ({ address: agent.address, balances: sums(assets, [agent]) }));
  const lost = lostIn(assets, holders);
  const unclaimed = await findUnclaimed(chain, scope, vault.authorities, addresses, from);
  const result: RecoverResult = {
    balances: sums(assets, holders),
    ...(agents.length > 0 && { agents }),
    ...(lost.length > 0 && { lost }),
    ...(unclaimed.length > 0 && { unclaimed: unclaimed.map(toUnclaimed) }),
    ...unreadableIn(assets, holders),
  };
  if (!to) return result;
  const recovery = { chain, scope, wallet: wallet(), vault, prove: await prove() };
  const own = isAddressEqual(account, recovery.wallet.address);
  if (!own) await requirePaymentKeyInForce(recovery, account);
  const { abandon = false, dust = false } = input;
  const done = await withdrawEverything(recovery, holders, assets, { to, own, abandon, dust, unclaimed });
  Object.assign(result, done);
  if (own) return result;
  await readAll();
  return { ...result, left: sums(assets, holders) };
}

function toUnclaimed({ account, symbol, amount, takenBefore }: Unclaimed): UnclaimedInRecovery {
  return { account, asset: symbol, amount, taken_before: new Date(Number(takenBefore) * 1000).toISOString() };
}

/** Returns the assets that any holder ever held. */
async function assetsOf(chain: Chain, holders: Holder[]): Promise<RecoveredAsset[]> {
  const addresses = new Set(holders.flatMap(({ history }) => [...history.assets.keys()]));
  return distinctSymbols(await Promise.all([...addresses].map((address) => describeAsset(chain, address))));
}

function sums(assets: RecoveredAsset[], holders: Holder[]): AssetAmount[] {
  return assets.map((asset) => {
    const held = holders.flatMap(({ history }) => history.assets.get(asset.address) ?? []);
    const total = held.reduce((sum, each) => sum + totalOf(each), 0n);
    return { asset: asset.symbol, amount: shownUnits(asset, total) };
  });
}

function lostIn(assets: RecoveredAsset[], holders: Holder[]): LostInRecovery[] {
  return holders.flatMap(({ address, history }) =>
    assets.flatMap((asset) => {
      const loss = lossOf(history.assets.get(asset.address));
      if (!loss) return [];
      return {
        account: address,
        asset: asset.symbol,
        lost_at_most: loss.atMost === null ? null : shownUnits(asset, loss.atMost),
        notes: shownUnits(asset, loss.notes),
        deposited: shownUnits(asset, loss.deposited),
      };
    }),
  );
}

function unreadableIn(assets: RecoveredAsset[], holders: Holder[]): { unreadable?: string[] } {
  const found = assets.filter(({ address }) =>
    holders.some(({ history }) => {
      const held = history.assets.get(address);
      return held !== undefined && hasUnreadable(held);
    }),
  );
  return found.length > 0 ? { unreadable: found.map(({ symbol }) => symbol) } : {};
}
