import { checkInput } from "../api/check-input";
import type { WithdrawInput, Withdrawn, WithdrawOptions } from "../payments/withdraw";
import { Resource } from "./resource";

/** Money that leaves Halcyon: `halcyon.withdrawals`. */
export class WithdrawalsResource extends Resource {
  /**
   * Pays tokens from the available balance to an address, in public, and waits until it is final. Needs the wallet.
   *
   * @example
   * await halcyon.withdrawals.create({ to: "0x…", amount: "25" });
   * @throws HalcyonError `insufficient_balance`, `invalid_request`; OutcomeUnknown when it was sent and its outcome is not
   * known yet; NothingMoved when it did not happen
   */
  async create(input: WithdrawInput, options?: WithdrawOptions): Promise<Withdrawn> {
    checkInput(input, { to: "text!", amount: "amount!", asset: "text", agent: "text" });
    const { withdraw } = await import("./rare-calls");
    return withdraw(this.context.within(options), { ...input, ...options });
  }
}
