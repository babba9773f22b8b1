import type { GuardSet, GuardState } from "../account/guard";
import type { CallOptions } from "../api/call-options";
import { checkInput, type FieldsOf } from "../api/check-input";
import { HalcyonError } from "../api/errors";
import type { RenewedPaymentKey } from "../context/renew-payment-key";
import type { AbandonInput, AbandonResult, AvailableLoss } from "../recovery/abandon";
import type { RotatedAccountSecret } from "../recovery/account-secret/rotate-account-secret";
import type { StopPaymentKeyInput, StoppedPaymentKey } from "../recovery/stop-payment-key";
import { Resource } from "./resource";

const BALANCE: FieldsOf<AbandonInput> = { asset: "text", agent: "text" };

/**
 * The account's secrets, and what to do when one may have leaked: `halcyon.security`. Few programs need it, so its code
 * loads with the first call. Needs the wallet.
 */
export class SecurityResource extends Resource {
  /**
   * Replaces the account secret, the payment key and the keys of all agents, for example after an attacker may
   * have taken over a server. Revokes all API keys. Balances and payments awaiting approval are encrypted again.
   */
  async rotateAccountSecret(options?: CallOptions): Promise<RotatedAccountSecret> {
    const { rotateAccountSecret } = await import("./lazy-calls");
    return rotateAccountSecret(this.context.within(options));
  }

  /**
   * Lets the account's keys sign payments for another year from now. Keys, balances and agents stay as they are. A
   * client whose wallet signs without asking a person renews automatically, 30 days before the expiry.
   *
   * @example
   * await halcyon.security.renewPaymentKey(); // { payment_key_until: "2027-11-21T10:00:00.000Z", tx_hash: "0x…" }
   * @throws HalcyonError `unavailable` when the service does not send the transaction and the wallet can't pay for gas
   */
  async renewPaymentKey(options?: CallOptions): Promise<RenewedPaymentKey> {
    const { renewPaymentKey } = await import("./lazy-calls");
    return renewPaymentKey(this.context.within(options));
  }

  /** Ends all payments by the account's signing key with a transaction of the wallet, without the service. */
  async stopPaymentKey(input: StopPaymentKeyInput, options?: CallOptions): Promise<StoppedPaymentKey> {
    checkInput(input, { rpc: "text!", ledger: "text!", replace: "flag" });
    const { wallet, call, recoveryCode } = this.context.within(options);
    const { stopPaymentKey } = await import("./lazy-calls");
    return stopPaymentKey(wallet, input, call, recoveryCode);
  }

  /**
   * Returns what the ledger reserves for the wallet, as the chain shows it.
   *
   * @example
   * await halcyon.security.guard(); // { guarded: true, limited: false }
   */
  async guard(options?: CallOptions): Promise<GuardState> {
    const { guardState } = await import("./lazy-calls");
    return guardState(this.context.within(options));
  }

  /**
   * Turns the account's guard on or off. When it is on, only the wallet sets agents' policies and moves money between
   * the account and its agents: an attacker who takes over the service with your API keys can't loosen a policy.
   *
   * @example
   * await halcyon.security.setGuard(true); // { guarded: true, by: "service", tx_hash: "0x…" }
   * @throws HalcyonError `invalid_request` when you turn it off while the account's keys have limits of their own
   */
  async setGuard(on: boolean, options?: CallOptions): Promise<GuardSet> {
    if (typeof on !== "boolean") {
      throw new HalcyonError("invalid_request", "on is true or false.", { param: "on" });
    }
    const { setGuard } = await import("./lazy-calls");
    return setGuard(this.context.within(options), on);
  }

  /**
   * Reports whether someone who could sign for an available balance has made it unreadable. Returns null if it is
   * readable.
   */
  async balanceLoss(input: AbandonInput = {}, options?: CallOptions): Promise<AvailableLoss | null> {
    checkInput(input, BALANCE);
    const { availableLoss } = await import("./lazy-calls");
    return availableLoss(this.context.within(options), input);
  }

  /** Gives up an available balance that can't be decrypted, so that you can make other money available again. */
  async abandonBalance(input: AbandonInput = {}, options?: CallOptions): Promise<AbandonResult> {
    checkInput(input, BALANCE);
    const { abandon } = await import("./lazy-calls");
    return abandon(this.context.within(options), input);
  }
}
