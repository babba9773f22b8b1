import { checkInput } from "../api/check-input";
import type { SettledTransfer } from "../payments/attempts/transfer-status";
import type { WithdrawInput, WithdrawOptions } from "../payments/withdraw";
import { Resource } from "./resource";

/** Payments out of Halcyon to a public address: `halcyon.withdrawals`. */
export class WithdrawalsResource extends Resource {
  /**
   * Pays tokens from the available balance publicly to an address, and waits until the payment is final. Needs the
   * wallet.
   *
   * @example
   * await halcyon.withdrawals.create({ to: "0x…", amount: "25" });
   * @throws HalcyonError `insufficient_balance`, `invalid_request`; OutcomeUnknown when the payment was sent and its
   * outcome is not known yet; NothingMoved when the payment did not happen
   */
  async create(input: WithdrawInput, options?: WithdrawOptions): Promise<SettledTransfer> {
    checkInput(input, { to: "text!", amount: "amount!", asset: "text", agent: "text" });
    const { withdraw } = await import("./lazy-calls");
    return withdraw(this.context.within(options), { ...input, ...options });
  }
}
