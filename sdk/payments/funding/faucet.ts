import { type Hex, parseEther, zeroAddress } from "viem";
import { formatAmount, parseAmount } from "@/lib/base/money";
import { HalcyonError } from "../../api/errors";
import type { Operation } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import { confirmed } from "../../context/operation";
import type { AttemptOptions } from "../attempts/attempt-options";
import { deposit } from "./deposit";

/** How much test money to get. */
export interface FaucetInput {
  /** Decimal string, up to 10,000,000. */
  amount: string;
  /** Default: `USDG`. */
  asset?: string | undefined;
}

/** The amount the wallet must keep for the gas of an ETH deposit. */
const GAS_RESERVE = parseEther("0.01");

async function mint(context: Context, asset: string, amount: string): Promise<void> {
  const session = await context.session();
  const operation = await session.post<Operation>("/api/faucet", { asset, amount });
  await confirmed(context, operation, "The faucet's payment");
}

/** Deposits test money. Implements `testHelpers.faucet`. */
export async function faucet(
  context: Context,
  input: FaucetInput,
  options: AttemptOptions = {},
): Promise<{ tx_hash: Hex; asset: string }> {
  const [info, asset] = await Promise.all([context.info(), context.asset(input.asset)]);
  if (!info.local) {
    throw new HalcyonError(
      "invalid_request",
      "There is a faucet on the local stack only. Send the wallet money, then deposit.",
    );
  }
  const units = parseAmount(input.amount, asset.decimals);
  // Check before the faucet pays: an account that is not enrolled can't deposit.
  await context.vault();
  // The faucet has already paid for a deposit that is continued.
  if (!options.pending) await mint(context, asset.symbol, formatAmount(units, asset.decimals));
  if (asset.address === zeroAddress) {
    const chain = await context.chain();
    const balance = await chain.client.getBalance({ address: context.wallet.address });
    if (balance < units * asset.unit + GAS_RESERVE) await mint(context, asset.symbol, "0.02");
  }
  return { tx_hash: await deposit(context, asset, units, options), asset: asset.symbol };
}
