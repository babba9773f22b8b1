import { type AllocateInput, type AllocateResult, allocate } from "./allocate";
import type { HeldPayment } from "./api-types";
import { type Balances, balances } from "./balances";
import { Context, type HalcyonOptions } from "./context";
import { type FaucetInput, faucet } from "./faucet";
import { type CreateKeyInput, createKey, listKeys, revokeKey } from "./keys";
import { verifyIdentity } from "./kyc";
import { proof } from "./proof";
import { type RecoverInput, type RecoverResult, recover } from "./recover";
import { type SendInput, type SendResult, send } from "./send";
import { type SignupInput, type SignupResult, signup } from "./signup";
import { type OpenedTransfer, transfers } from "./transfers";
import { type WithdrawInput, withdraw } from "./withdraw";

/**
 * A client of one Halcyon service on one network. Wallet key, root, viewing key and budget secret stay in this process;
 * each method returns when its effect is final on chain and usable by the next.
 *
 * @example
 * const alice = new Halcyon({ walletKey: process.env.HALCYON_WALLET_KEY as `0x${string}` });
 * await alice.signup({ handle: "alice" });
 * await alice.faucet({ amount: "1000" });
 * await alice.allocate();
 * const { api_key } = await alice.createKey({ label: "server" });
 * const payer = new Halcyon({ apiKey: api_key });
 * await payer.send({ to: "@bob", amount: "25" });
 * @throws HalcyonError everywhere; its `code` is one of the API's
 */
export class Halcyon {
  private readonly context: Context;

  constructor(options: HalcyonOptions = {}) {
    this.context = new Context(options);
  }

  /** Creates and enrols the account; repeatable. See {@link signup}. */
  signup(input: SignupInput): Promise<SignupResult> {
    return signup(this.context, input);
  }

  /** Verifies the identity. */
  verifyIdentity(): Promise<{ kyc_status: string }> {
    return verifyIdentity(this.context);
  }

  /** Test money as public credit, on the local stack. See {@link faucet}. */
  faucet(input: FaucetInput): Promise<{ tx_hash: string; asset: string }> {
    return faucet(this.context, input);
  }

  /** Moves credit and notes into the budget. See {@link allocate}. */
  allocate(input: AllocateInput = {}): Promise<AllocateResult> {
    return allocate(this.context, input);
  }

  /** Makes an API key on this machine. See {@link createKey}. */
  createKey(input: CreateKeyInput): Promise<{ key_id: string; api_key: string }> {
    return createKey(this.context, input);
  }

  /** The account's keys. */
  listKeys(): ReturnType<typeof listKeys> {
    return listKeys(this.context);
  }

  /** Ends a key at once. */
  revokeKey(keyId: string): Promise<{ key_id: string; revoked_at: string }> {
    return revokeKey(this.context, keyId);
  }

  /** Pays somebody and waits until the payment is final. See {@link send}. */
  send(input: SendInput): Promise<SendResult | HeldPayment> {
    return send(this.context, input);
  }

  /** The newest transfers, amounts and memos opened here. See {@link transfers}. */
  transfers(input: { limit?: number; offset?: number } = {}): Promise<{ transfers: OpenedTransfer[] }> {
    return transfers(this.context, input);
  }

  /** A decryption proof for the balances endpoint. See {@link proof}. */
  proof(): Promise<{ decryption_proof: string }> {
    return proof(this.context);
  }

  /** The balances endpoint. See {@link balances}. */
  balances(input: { decryptionProof?: string; prove?: boolean } = {}): Promise<Balances> {
    return balances(this.context, input);
  }

  /** Pays tokens from the budget to an address, in public. See {@link withdraw}. */
  withdraw(input: WithdrawInput): Promise<{ tx_hash: string }> {
    return withdraw(this.context, input);
  }

  /** Everything from chain data alone, without the service. See {@link recover}. */
  recover(input: RecoverInput): Promise<RecoverResult> {
    return recover(this.context.wallet, () => this.context.prover(), input);
  }
}
