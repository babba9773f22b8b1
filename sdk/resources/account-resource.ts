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
  /** The account of the API key; for an agent's key, the agent. */
  get(options?: CallOptions): Promise<Account> {
    return account(this.context.within(options));
  }

  /**
   * The wallet's account, on the client's network.
   *
   * @throws HalcyonError `not_found` before the wallet has an account
   */
  getByWallet(options?: CallOptions): Promise<OwnAccount> {
    return this.context.within(options).account();
  }

  /**
   * Creates the wallet's account and registers its keys on the ledger. Repeatable: it continues where an earlier call ended.
   *
   * @example
   * await halcyon.account.create({ handle: "alice" });
   * @throws HalcyonError `handle_taken`, `invalid_request`
   */
  async create(input: SignupInput, options?: CallOptions): Promise<SignupResult> {
    checkInput(input, { handle: "text!", type: "text", recoveryCode: "text" });
    const { signup } = await import("./rare-calls");
    return signup(this.context.within(options), input);
  }

  /**
   * Verifies your identity with the network's provider, or continues a check: open `url`, then call this again. The test
   * network's provider verifies everyone at once.
   */
  async verifyIdentity(options?: CallOptions): Promise<IdentityCheck> {
    const { verifyIdentity } = await import("./rare-calls");
    return verifyIdentity(this.context.within(options));
  }
}
