import { type Hex, isAddress, zeroAddress } from "viem";
import { parseAmount } from "@/lib/money";
import type { Operation } from "./api-types";
import { underLease } from "./budget-lease";
import type { Context } from "./context";
import { HalcyonError } from "./errors";
import { confirmed } from "./operation";
import { partyOf } from "./party";
import { preparePayment } from "./payment";

export interface WithdrawInput {
  /** Any 0x address, the own wallet's as well. */
  to: string;
  /** Decimal string. */
  amount: string;
  /** `USDG` when left out. */
  asset?: string;
  /** Handle of an agent of the account: withdraws from its budget. */
  agent?: string;
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
  const [session, asset, party] = await Promise.all([
    context.session(),
    context.asset(input.asset),
    partyOf(context, input.agent),
  ]);
  const units = parseAmount(input.amount, asset.decimals);
  const operation = await underLease(context, party, asset, async (leaseToken) => {
    const recipient = { address: to, viewingKey: null, owner: zeroAddress };
    const prepared = await preparePayment(context, party, { to: recipient, asset, units, kind: "release" });
    return session.post<Operation>("/api/withdrawals", { prepared, lease_token: leaseToken }, party.query);
  });
  const { tx_hash } = await confirmed(context, operation, "The withdrawal");
  return { tx_hash };
}
