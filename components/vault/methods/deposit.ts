import type { Hex } from "viem";
import { formatAmount, parseAmount } from "@/lib/base/money";
import type { Context } from "@/sdk/context/context";
import type { AttemptOptions } from "@/sdk/payments/attempts/attempt-options";
import { deposit as fromWallet, walletUnits } from "@/sdk/payments/funding/deposit";
import { faucet } from "@/sdk/payments/funding/faucet";
import type { Tools } from "./method";

interface DepositInput extends Omit<AttemptOptions, "onPending"> {
  /** Decimal string. */
  amount: string;
  asset: string;
  /** Whether the local stack's faucet fills the wallet first. */
  faucet?: boolean;
}

/** Moves money from the wallet to the account's deposited money. Resolves when it is final. */
export async function deposit(context: Context, input: DepositInput, { onPending }: Tools): Promise<{ tx_hash: Hex }> {
  const { idempotencyKey, pending } = input;
  // Detect an ended session before the wallet signs. After the signature it would be unclear whether anything was
  // deposited.
  await (await context.session()).get("/v1/accounts/me");
  if (input.faucet) return faucet(context, input, { idempotencyKey, pending, onPending });
  const asset = await context.asset(input.asset);
  const units = parseAmount(input.amount, asset.decimals);
  return { tx_hash: await fromWallet(context, asset, units, { idempotencyKey, pending, onPending }) };
}

/** Returns what the wallet itself holds of each asset, outside the account. Public on chain. */
export async function walletBalance(context: Context): Promise<{ asset: string; amount: string }[]> {
  const { assets } = await context.info();
  return Promise.all(
    assets.map(async (asset) => ({
      asset: asset.symbol,
      amount: formatAmount(await walletUnits(context, asset), asset.decimals),
    })),
  );
}
