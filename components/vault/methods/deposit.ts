import type { Hex } from "viem";
import { formatAmount, parseAmount } from "@/lib/money";
import type { AttemptOptions } from "@/sdk/attempts/attempt-options";
import type { Context } from "@/sdk/context/context";
import { deposit as fromWallet, walletUnits } from "@/sdk/funding/deposit";
import { faucet } from "@/sdk/funding/faucet";
import type { Tools } from "./method";

export interface DepositInput extends Omit<AttemptOptions, "onPending"> {
  /** Decimal string. */
  amount: string;
  asset: string;
  /** The local stack's faucet pays the wallet first. */
  faucet?: boolean;
}

/** Moves money from the wallet to the account's public credit. Returns when it is final. */
export async function deposit(context: Context, input: DepositInput, { onPending }: Tools): Promise<{ tx_hash: Hex }> {
  const { idempotencyKey, pending } = input;
  // A session that has ended is heard of before the wallet signs: once signed, no one could say that nothing was
  // deposited.
  await (await context.session()).get("/api/accounts/me");
  if (input.faucet) return faucet(context, input, { idempotencyKey, pending, onPending });
  const asset = await context.asset(input.asset);
  const units = parseAmount(input.amount, asset.decimals);
  return { tx_hash: await fromWallet(context, asset, units, { idempotencyKey, pending, onPending }) };
}

/** What the wallet itself holds of each asset, outside of the account; the chain shows it to everyone. */
export async function walletBalance(context: Context): Promise<{ asset: string; amount: string }[]> {
  const { assets } = await context.info();
  return Promise.all(
    assets.map(async (asset) => ({
      asset: asset.symbol,
      amount: formatAmount(await walletUnits(context, asset), asset.decimals),
    })),
  );
}
