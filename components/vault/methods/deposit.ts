import type { Hex } from "viem";
import { formatAmount, parseAmount } from "@/lib/money";
import type { Context } from "@/sdk/context";
import { deposit as fromWallet, walletUnits } from "@/sdk/deposit";
import { faucet } from "@/sdk/faucet";

export interface DepositInput {
  /** Decimal string. */
  amount: string;
  asset: string;
  /** The local stack's faucet pays the wallet first. */
  faucet?: boolean;
}

/** Moves money from the wallet to the account's public credit. Returns when it is final. */
export async function deposit(context: Context, input: DepositInput): Promise<{ tx_hash: Hex }> {
  if (input.faucet) return faucet(context, input);
  const asset = await context.asset(input.asset);
  return { tx_hash: await fromWallet(context, asset, parseAmount(input.amount, asset.decimals)) };
}

/** What the wallet itself holds of each asset, outside of the account; the chain shows it to everybody. */
export async function walletBalance(context: Context): Promise<{ asset: string; amount: string }[]> {
  const { assets } = await context.info();
  return Promise.all(
    assets.map(async (asset) => ({
      asset: asset.symbol,
      amount: formatAmount(await walletUnits(context, asset), asset.decimals),
    })),
  );
}
