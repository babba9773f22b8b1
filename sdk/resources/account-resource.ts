import { account } from "../account/account";
import type { SignupInput, SignupResult } from "../account/signup";
import type { IdentityCheck } from "../account/verify-identity";
import type { OwnAccount } from "../api/api-types";
import type { CallOptions } from "../api/call-options";
import { checkInput } from "../api/check-input";
import type { Account } from "../api/resources/accounts";
import { Resource } from "./resource";

/** Your account: `halcyon.account`. */
export class AccountResource extends Resource {
  /** Returns the account of the API key. For an agent's key, this is the agent. */
  get(options?: CallOptions): Promise<Account> {
    return account(this.context.within(options));
  }

  /**
   * Returns the wallet's account on the client's network.
   *
   * @throws HalcyonError `not_found` if the wallet has no account yet
   */
  getByWallet(options?: CallOptions): Promise<OwnAccount> {
    return this.context.within(options).account();
  }

  /**
   * Creates the wallet's account and registers its keys on the ledger. Safe to repeat: it continues where an earlier
   * call stopped.
   *
   * @example
   * await halcyon.account.create({ handle: "alice" });
   * @throws HalcyonError `handle_taken`, `invalid_request`
   */
  async create(input: SignupInput, options?: CallOptions): Promise<SignupResult> {
    checkInput(input, { handle: "text!", type: "text", recoveryCode: "text" });
    const { signup } = await import("./lazy-calls");
    return signup(this.context.within(options), input);
  }

  /**
   * Starts or continues the verification of your identity with the network's provider: open the returned `url`, then
   * call this again. The test network's provider verifies everyone at once.
   */
  async verifyIdentity(options?: CallOptions): Promise<IdentityCheck> {
    const { verifyIdentity } = await import("./lazy-calls");
    return verifyIdentity(this.context.within(options));
  }
}
