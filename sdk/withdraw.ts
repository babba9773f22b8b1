import { type Hex, isAddress, zeroAddress } from "viem";
import { parseAmount } from "@/lib/money";
import type { AttemptOptions } from "./attempt-options";
import { underLease } from "./budget-lease";
import type { Context } from "./context";
import { HalcyonError } from "./errors";
import { partyOf } from "./party";
import { preparePayment } from "./payment";
import { postPrepared } from "./post-prepared";
import { settled } from "./transfer-status";

/** A withdrawal. */
export interface WithdrawInput extends AttemptOptions {
  /** Any 0x address, the own wallet's as well. */
  to: string;
  /** Decimal string. */
  amount: string;
  /** `USDG` when left out. */
  asset?: string;
  /** Handle of an agent of the account: withdraws from its budget. */
  agent?: string;
  /** `false` returns once the service has accepted the withdrawal, mostly before it is final. */
  wait?: boolean;
}

/**
 * Pays tokens out of the budget to an address, in public. Proven and signed here, relayed by the service.
 *
 * @example
 * await halcyon.withdraw({ to: "0x…", amount: "5" }); // { transfer_id: "tr_…", tx_hash: "0x…" }
 * @throws HalcyonError `insufficient_balance` when the budget does not cover it: allocate first
 */
export async function withdraw(context: Context, input: WithdrawInput): Promise<{ transfer_id: string; tx_hash: Hex }> {
  const { to } = input;
  if (!isAddress(to)) {
    throw new HalcyonError(
      "invalid_request",
      "Withdraw to an address: 0x and 40 hex digits, with a right checksum if in mixed case.",
    );
  }
  const [asset, party] = await Promise.all([context.asset(input.asset), partyOf(context, input.agent)]);
  const units = parseAmount(input.amount, asset.decimals);
  const created = await underLease(context, party, asset, async (leaseToken) => {
    const recipient = { address: to, viewingKey: null, owner: zeroAddress };
    const prepared = await preparePayment(context, party, { to: recipient, asset, units, kind: "release" });
    return postPrepared(context, "/api/withdrawals", { prepared, lease_token: leaseToken }, party.query);
  });
  const { transfer_id, tx_hash } =
    input.wait === false ? created : await settled(context, created.transfer_id, "session");
  return { transfer_id, tx_hash };
}
