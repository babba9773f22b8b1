import { type Hex, isAddress } from "viem";
import { parseAmount } from "@/lib/money";
import type { Operation } from "./api-types";
import { underLease } from "./budget-lease";
import type { Context } from "./context";
import { HalcyonError } from "./errors";
import { confirmed } from "./operation";
import { preparePayment } from "./payment";

export interface WithdrawInput {
  /** Any 0x address, the own wallet's as well. */
  to: string;
  /** Decimal string. */
  amount: string;
  /** `USDG` when left out. */
  asset?: string;
}

/**
 * Pays tokens out of the budget to an address, in public. Proven and signed here, relayed by the service.
 *
 * @example
 * await halcyon.withdraw({ to: "0x…", amount: "5" }); // { tx_hash: "0x…" }
 * @throws HalcyonError `insufficient_balance` when the budget does not cover it: allocate first
 */
export async function withdraw(context: Context, input: WithdrawInput): Promise<{ tx_hash: Hex }> {
  const { to } = input;
  if (!isAddress(to)) {
    throw new HalcyonError(
      "invalid_request",
      "Withdraw to an address: 0x and 40 hex digits, with a right checksum if in mixed case.",
    );
  }
  const [session, asset] = await Promise.all([context.session(), context.asset(input.asset)]);
  const units = parseAmount(input.amount, asset.decimals);
  const operation = await underLease(context, asset, async (leaseToken) => {
    const recipient = { address: to, viewingKey: null };
    const prepared = await preparePayment(context, { to: recipient, asset, units, confidential: false });
    return session.post<Operation>("/api/withdrawals", { prepared, lease_token: leaseToken });
  });
  const { tx_hash } = await confirmed(context, operation, "The withdrawal");
  return { tx_hash };
}
