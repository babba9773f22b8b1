import { type BalancesInput, balances, type DecryptedBalances } from "../account/funds/balances";
import { proof } from "../account/funds/proof";
import type { CallOptions } from "../api/call-options";
import { checkInput } from "../api/check-input";
import {
  type MakeAvailableInput,
  type MakeAvailableOptions,
  type MakeAvailableResult,
  makeAvailable,
} from "../payments/funding/make-available";
import type { DecryptBalanceInput } from "../payments/transfers/decrypt";
import type { DecryptedBalance } from "../payments/transfers/decrypted-balance";
import { Resource } from "./resource";

/** The balances of the account and its agents: `halcyon.balances`. */
export class BalancesResource extends Resource {
  /**
   * Reads the balances endpoint. With only an API key, the response says whether each asset's balance is above zero.
   * The wallet can prove the balance and so get amounts; for an agent's balance, only the wallet can.
   *
   * @example
   * await halcyon.balances.get({ prove: true }); // { balances: [{ asset: "USDG", amount: "975" }],
   * //   undecrypted_notes: 0 }
   * @throws HalcyonError `kyc_required`, `decryption_proof_invalid`
   */
  get(input: BalancesInput = {}, options?: CallOptions): Promise<DecryptedBalances> {
    checkInput(input, { decryptionProof: "text", prove: "flag", agent: "text" });
    return balances(this.context.within(options), input);
  }

  /**
   * Creates the `decryption_proof` for the balances endpoint on this machine. It proves what the account, or one of its
   * agents, holds; no key leaves this machine. Valid for 10 minutes, or until money moves. Needs the wallet.
   *
   * @example
   * const { decryption_proof } = await halcyon.balances.prove();
   */
  prove(input: { agent?: string | undefined } = {}, options?: CallOptions): Promise<{ decryption_proof: string }> {
    checkInput(input, { agent: "text" });
    return proof(this.context.within(options), input);
  }

  /**
   * Decrypts the balance of the account, or of one of its agents, in one asset on this machine. It creates no proof,
   * and the service learns nothing. Needs the wallet, or a viewing key and a node that returns the ledger's events.
   * With a viewing key, it reads everything from the chain, because the service stores the available balance encrypted
   * under the account secret.
   *
   * @example
   * await halcyon.balances.decrypt(); // { asset: "USDG", total: "975", available: "975", deposited: "0",
   * //   notes: [], … }
   */
  async decrypt(input: DecryptBalanceInput = {}, options?: CallOptions): Promise<DecryptedBalance> {
    checkInput(input, { asset: "text", agent: "text" });
    const { decryptBalance } = await import("./lazy-calls");
    return decryptBalance(this.context.within(options), input);
  }

  /**
   * Makes deposited and received money of the account, or of an agent, available to API keys. This machine creates the
   * proof and the wallet signs. If more than 8 received payments are needed, it sends several transactions.
   *
   * @example
   * await halcyon.balances.makeAvailable(); // { tx_hashes: ["0x…"], notes: 3, amount: "42.5" }
   * await halcyon.balances.makeAvailable({ available: "20" }); // { tx_hashes: ["0x…"], notes: 0, amount: "5" }
   * @throws HalcyonError `insufficient_balance` when deposited and received money don't cover the amount;
   * OutcomeUnknown when a transaction was sent and its outcome is not known yet, or when only some of several
   * succeeded; NothingMoved when none did
   */
  makeAvailable(input: MakeAvailableInput = {}, options?: MakeAvailableOptions): Promise<MakeAvailableResult> {
    checkInput(input, { amount: "amount", available: "amount", asset: "text", agent: "text" });
    return makeAvailable(this.context.within(options), { ...input, ...options });
  }
}
