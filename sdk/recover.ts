import { type Address, type Hex, isAddress, type LocalAccount } from "viem";
import { newHistory } from "@/lib/ledger/history";
import type { Prove } from "@/lib/ledger/witness";
import { formatAmount } from "@/lib/money";
import { Chain } from "./chain";
import { HalcyonError } from "./errors";
import type { Asset } from "./network-info";
import { describeAsset, findAgents, findSealedRoot, type Holder, hasUnreadable, readOn, totalOf } from "./recover-scan";
import { withdrawAll } from "./recover-withdraw";
import { unlock } from "./vault";

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

export interface RecoverResult {
  /** Per asset: what the account and its agents hold, as chain data alone shows it, before any withdrawal. */
  balances: { asset: string; amount: string }[];
  /** Only with `to`: the withdrawals. */
  tx_hashes?: Hex[];
  /** Assets with notes or a budget whose ciphertext does not open; they are not counted. */
  unreadable?: string[];
}

const FIRST_SECRET = 1;

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
 * // { balances: [{ asset: "USDG", amount: "975" }], tx_hashes: ["0x…"] }
 */
export async function recover(
  wallet: LocalAccount,
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
  const assets = new Map<Address, Asset>();
  const totals = new Map<Address, bigint>();
  const unreadable = new Set<string>();
  for (const holder of holders) {
    await readOn(chain, scope, vault.viewingKey.secret, holder);
    for (const [address, held] of holder.history.assets) {
      const asset = assets.get(address) ?? (await describeAsset(chain, address));
      assets.set(address, asset);
      totals.set(address, (totals.get(address) ?? 0n) + totalOf(held));
      if (hasUnreadable(held)) unreadable.add(asset.symbol);
    }
  }
  const result: RecoverResult = {
    balances: [...assets.values()].map((asset) => ({
      asset: asset.symbol,
      amount: formatAmount(totals.get(asset.address) ?? 0n, asset.decimals),
    })),
    ...(unreadable.size > 0 && { unreadable: [...unreadable] }),
  };
  if (!to) return result;
  const recovery = { chain, scope, wallet, vault, prove: await prove() };
  result.tx_hashes = [];
  for (const holder of holders) {
    for (const address of assets.keys()) {
      result.tx_hashes.push(...(await withdrawAll(recovery, holder, address, to)));
    }
  }
  return result;
}
