import type { CallOptions } from "../api/call-options";
import { checkInput } from "../api/check-input";
import { type AllocateInput, type AllocateOptions, type AllocateResult, allocate } from "../funding/allocate";
import { type Balances, type BalancesInput, balances } from "../funds/balances";
import { proof } from "../funds/proof";
import type { DecryptBalanceInput } from "../transfers/decrypt";
import type { DecryptedBalance } from "../transfers/decrypted-balance";
import { Resource } from "./resource";

/** What the account and its agents hold: `halcyon.balances`. */
export class BalancesResource extends Resource {
  /**
   * The balances endpoint. An API key alone learns only whether each asset's balance is above zero. A wallet proves the
   * amounts, and only a wallet proves for an agent.
   *
   * @example
   * await halcyon.balances.get({ prove: true }); // { balances: [{ asset: "USDG", amount: "975" }], unopened_notes: 0 }
   * @throws HalcyonError `kyc_required`, `decryption_proof_invalid`
   */
  get(input: BalancesInput = {}, options?: CallOptions): Promise<Balances> {
    checkInput(input, { decryptionProof: "text", prove: "flag", agent: "text" });
    return balances(this.context.within(options), input);
  }

  /**
   * Creates the `decryption_proof` of the balances endpoint on this machine: it proves what the account, or one of its agents,
   * holds, and no key leaves this machine. Good for 10 minutes and until money moves. Needs the wallet.
   *
   * @example
   * const { decryption_proof } = await halcyon.balances.prove();
   */
  prove(input: { agent?: string | undefined } = {}, options?: CallOptions): Promise<{ decryption_proof: string }> {
    checkInput(input, { agent: "text" });
    return proof(this.context.within(options), input);
  }

  /**
   * What the account, or one of its agents, has of an asset, decrypted on this machine: no proof is made and the service learns
   * nothing. Needs the wallet, or a viewing key and a node that returns the ledger's events: with a viewing key, everything is
   * read from the chain, because the service stores the available balance under the account secret.
   *
   * @example
   * await halcyon.balances.decrypt(); // { asset: "USDG", total: "975", budget: "975", credit: "0", notes: [], … }
   */
  async decrypt(input: DecryptBalanceInput = {}, options?: CallOptions): Promise<DecryptedBalance> {
    checkInput(input, { asset: "text", agent: "text" });
    const { decryptBalance } = await import("./rare-calls");
    return decryptBalance(this.context.within(options), input);
  }

  /**
   * Makes deposited and received money of the account, or of an agent, available to API keys. Proven on this machine and
   * signed by the wallet; it sends several transactions where more than 8 received payments are needed.
   *
   * @example
   * await halcyon.balances.makeAvailable(); // { tx_hashes: ["0x…"], notes: 3, amount: "42.5" }
   * await halcyon.balances.makeAvailable({ budget: "20" }); // { tx_hashes: ["0x…"], notes: 0, amount: "5" }
   * @throws HalcyonError `insufficient_balance` when deposited and received money do not cover the amount; OutcomeUnknown when
   * a transaction was sent and its outcome is not known yet, or when only some of several were made; NothingMoved when none
   * was
   */
  makeAvailable(input: AllocateInput = {}, options?: AllocateOptions): Promise<AllocateResult> {
    checkInput(input, { amount: "amount", budget: "amount", asset: "text", agent: "text" });
    return allocate(this.context.within(options), { ...input, ...options });
  }
}
