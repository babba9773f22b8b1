import type { CallOptions } from "../api/call-options";
import { checkInput } from "../api/check-input";
import type { SpendPolicyFields } from "../api/resources/agents";
import type { Limits, LimitsCleared } from "../payments/funding/limits";
import { Resource } from "./resource";

/**
 * Limits on the account's own keys: `halcyon.limits`. The ledger enforces them like an agent's policy; payments beyond
 * them need the wallet. Few programs need limits, so their code loads with the first call. Needs the wallet.
 */
export class LimitsResource extends Resource {
  /** Returns the stored limits, or null when the account has none. */
  async get(options?: CallOptions): Promise<Limits | null> {
    const { getLimits } = await import("./lazy-calls");
    return getLimits(this.context.within(options));
  }

  /**
   * Sets the given fields, as `policies.update` does for an agent. When you first set limits, fields you leave out
   * deny. The wallet signs, and the account is guarded from then on. Returns once the chain shows the limits.
   *
   * @example
   * await halcyon.limits.set({ daily_limit_usdg: 500, per_transaction_limit_usdg: 100, allowed_recipients: ["*"] });
   * @throws HalcyonError `invalid_policy` naming the field
   */
  async set(fields: SpendPolicyFields, options?: CallOptions): Promise<Limits> {
    checkInput({ fields }, { fields: "object!" });
    const { setLimits } = await import("./lazy-calls");
    return setLimits(this.context.within(options), fields);
  }

  /**
   * Removes the limits, so that the account's keys pay any amount without the wallet again. The wallet signs. The guard
   * stays on.
   *
   * @example
   * await halcyon.limits.clear(); // { tx_hash: "0x…" }
   */
  async clear(options?: CallOptions): Promise<LimitsCleared> {
    const { clearLimits } = await import("./lazy-calls");
    return clearLimits(this.context.within(options));
  }
}
