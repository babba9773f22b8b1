import type { CallOptions } from "../api/call-options";
import { checkInput } from "../api/check-input";
import type { SpendPolicyFields } from "../api/resources/agents";
import type { Limits, LimitsCleared } from "../funding/limits";
import { Resource } from "./resource";

/**
 * Limits of the account's own keys: `halcyon.limits`. The ledger enforces them as it enforces an agent's policy; beyond them
 * the wallet pays. Few programs need them, so their code is loaded with the first call. Needs the wallet.
 */
export class LimitsResource extends Resource {
  /** The limits as they are stored; null when the account has none. */
  async get(options?: CallOptions): Promise<Limits | null> {
    const { getLimits } = await import("./rare-calls");
    return getLimits(this.context.within(options));
  }

  /**
   * Sets the given fields, as `policies.update` does for an agent; what the first limits leave out denies. The wallet signs, and
   * the account is guarded from then on. Returns once the chain shows it.
   *
   * @example
   * await halcyon.limits.set({ daily_limit_usdg: 500, per_transaction_limit_usdg: 100, allowed_recipients: ["*"] });
   * @throws HalcyonError `invalid_policy` naming the field
   */
  async set(fields: SpendPolicyFields, options?: CallOptions): Promise<Limits> {
    checkInput({ fields }, { fields: "object!" });
    const { setLimits } = await import("./rare-calls");
    return setLimits(this.context.within(options), fields);
  }

  /**
   * Removes the limits: the account's keys pay without the wallet again. The wallet signs. The guard stays on.
   *
   * @example
   * await halcyon.limits.clear(); // { tx_hash: "0x…" }
   */
  async clear(options?: CallOptions): Promise<LimitsCleared> {
    const { clearLimits } = await import("./rare-calls");
    return clearLimits(this.context.within(options));
  }
}
