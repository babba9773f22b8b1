import { account } from "./account/account";
import { type CallOptions, listAgents, pauseAgent, resumeAgent } from "./account/agents";
import { type AuditLogInput, auditLog } from "./account/audit-log";
import { type CreateAgentInput, createAgent } from "./account/create-agent";
import { type CreateKeyInput, createKey, listKeys, revokeKey } from "./account/keys";
import { verifyIdentity } from "./account/kyc";
import { getPolicy, setPolicy } from "./account/policy";
import { type SignupInput, type SignupResult, signup } from "./account/signup";
import type { SealedHeldPayment } from "./api/api-types";
import type { Paged } from "./api/paging";
import type {
  Account,
  Agent,
  AuditEntry,
  AuditList,
  DecidedPayment,
  DryRun,
  HeldPayment,
  HeldPaymentDetails,
  SpendPolicy,
  SpendPolicyFields,
  Transfer,
  TransferList,
} from "./api/resources";
import { type ApproveOptions, approve } from "./approvals/approve";
import {
  heldPayment,
  type OpenedHeldPayment,
  type PendingInput,
  type PendingList,
  pending,
  reject,
  rejectAll,
} from "./approvals/held";
import { checkPayment } from "./attempts/check-payment";
import type { PaymentOutcome, PendingPayment } from "./attempts/pending-payment";
import type { SettledTransfer } from "./attempts/transfer-status";
import { type RotatedBudgetSecret, rotateBudgetSecret } from "./budget-secret/rotate-budget-secret";
import type { Context } from "./context/context";
import { type RenewedSpender, renewSpender } from "./context/renew-spender";
import { type AllocateInput, type AllocateResult, allocate } from "./funding/allocate";
import { type FaucetInput, faucet } from "./funding/faucet";
import { type Balances, type BalancesInput, balances } from "./funds/balances";
import { proof } from "./funds/proof";
import { prepareTransfer } from "./payments/prepare-transfer";
import type { PreparedTransferBody, PrepareTransferInput } from "./payments/prepare-transfer-input";
import { dryRun, type SendInput, send } from "./payments/send";
import { type WithdrawInput, type Withdrawn, withdraw } from "./payments/withdraw";
import { type AbandonInput, type AbandonResult, abandon, type BudgetLoss, budgetLoss } from "./recovery/abandon";
import { type RecoverInput, type RecoverResult, recover } from "./recovery/recover";
import { type StoppedSpender, type StopSpenderInput, stopSpender } from "./recovery/stop-spender";
import type { VerifiedReceipt } from "./transfers/check-receipt";
import {
  type DecryptBalanceInput,
  type DecryptedBalance,
  decryptBalance,
  decryptHeldPayment,
  decryptTransfer,
} from "./transfers/decrypt";
import { getTransfer, type ListTransfersInput, listTransfers } from "./transfers/list-transfers";
import type { SealedParts, TransferContent } from "./transfers/open-transfer";
import { type MadeReceipt, receipt, verifyReceipt } from "./transfers/receipt";
import { type OpenedTransfer, type OpenedTransferList, type TransfersInput, transfers } from "./transfers/transfers";
import { Events, Webhooks } from "./webhooks/webhooks";

/** Everything a client does, wherever it runs. `Halcyon` is this class with what its platform has. */
export class HalcyonClient {
  /** Subscriptions, their deliveries and secrets. */
  readonly webhooks: Webhooks;
  /** What happened. */
  readonly events: Events;

  constructor(private readonly context: Context) {
    this.webhooks = new Webhooks(context);
    this.events = new Events(context);
  }

  /** The API key's account; to an agent's key, the agent. */
  account(): Promise<Account> {
    return account(this.context);
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

  /** Whether a budget was made unreadable by somebody who could sign for it. See {@link budgetLoss}. */
  budgetLoss(input: AbandonInput = {}): Promise<BudgetLoss | null> {
    return budgetLoss(this.context, input);
  }

  /** Gives up a budget that no longer opens, so that notes and credit can be allocated again. See {@link abandon}. */
  abandon(input: AbandonInput = {}): Promise<AbandonResult> {
    return abandon(this.context, input);
  }

  /** Makes an API key on this machine. See {@link createKey}. */
  createKey(input: CreateKeyInput): Promise<{ key_id: string; api_key: string }> {
    return createKey(this.context, input);
  }

  /** The keys of the account and its agents, or of one agent. */
  listKeys(input: { agent?: string } = {}): ReturnType<typeof listKeys> {
    return listKeys(this.context, input);
  }

  /** Ends a key at once. */
  revokeKey(keyId: string): Promise<{ key_id: string; revoked_at: string }> {
    return revokeKey(this.context, keyId);
  }

  /** Replaces the budget secret after a server may have been taken over. See {@link rotateBudgetSecret}. */
  rotateBudgetSecret(): Promise<RotatedBudgetSecret> {
    return rotateBudgetSecret(this.context);
  }

  /** Lets the account's keys sign payments for another year. See {@link renewSpender}. */
  renewSpender(): Promise<RenewedSpender> {
    return renewSpender(this.context);
  }

  /** Ends payments by the account's signing key with the wallet's own transaction, without the service. See {@link stopSpender}. */
  async stopSpender(input: StopSpenderInput): Promise<StoppedSpender> {
    return stopSpender(this.context.wallet, input);
  }

  /** Pays somebody and returns once the service has accepted it. See {@link send}. */
  send(input: SendInput & { wait: false; prepared?: false }): Promise<Transfer | HeldPayment>;
  /** Pays somebody and waits until the payment is final, or held. See {@link send}. */
  send(input: SendInput): Promise<SettledTransfer | HeldPayment>;
  send(input: SendInput): Promise<SettledTransfer | HeldPayment> {
    return send(this.context, input);
  }

  /** What the chain shows of a payment whose outcome was unknown. See {@link checkPayment}. */
  checkPayment(pending: PendingPayment): Promise<PaymentOutcome> {
    return checkPayment(this.context, pending);
  }

  /** Builds and proves a payment here without sending it. See {@link prepareTransfer}. */
  prepareTransfer(input: PrepareTransferInput): Promise<PreparedTransferBody> {
    return prepareTransfer(this.context, input);
  }

  /** Amount and memo of a transfer. See {@link decryptTransfer}. */
  decryptTransfer(sealed: SealedParts): Promise<TransferContent> {
    return decryptTransfer(this.context, sealed);
  }

  /** Amount and memo of a payment that waits for approval. See {@link decryptHeldPayment}. */
  decryptHeldPayment(sealed: SealedHeldPayment): Promise<TransferContent> {
    return decryptHeldPayment(this.context, sealed);
  }

  /** What the account or an agent has of one asset. See {@link decryptBalance}. */
  decryptBalance(input: DecryptBalanceInput = {}): Promise<DecryptedBalance> {
    return decryptBalance(this.context, input);
  }

  /** What an agent's policy says of a payment, without paying. See {@link dryRun}. */
  dryRun(input: Omit<SendInput, "prepared" | "idempotencyKey" | "wait">): Promise<DryRun> {
    return dryRun(this.context, input);
  }

  /** Registers an agent with a wallet and a policy of its own. See {@link createAgent}. */
  createAgent(input: CreateAgentInput): Promise<Agent> {
    return createAgent(this.context, input);
  }

  /** The account's agents. */
  listAgents(): Promise<{ agents: Agent[] }> {
    return listAgents(this.context);
  }

  /** Stops an agent's payments at once. Agents are named `bot` or `@alice/bot`. */
  pauseAgent(name: string, options?: CallOptions): Promise<Agent> {
    return pauseAgent(this.context, name, options);
  }

  /** Lets a paused agent pay again. */
  resumeAgent(name: string, options?: CallOptions): Promise<Agent> {
    return resumeAgent(this.context, name, options);
  }

  /** An agent's spend policy; an agent's own key needs no name. See {@link getPolicy}. */
  getPolicy(name?: string): Promise<SpendPolicy> {
    return getPolicy(this.context, name);
  }

  /** Changes fields of an agent's spend policy. See {@link setPolicy}. */
  setPolicy(name: string, fields: SpendPolicyFields): Promise<SpendPolicy> {
    return setPolicy(this.context, name, fields);
  }

  /** Agents' payments that wait for approval, opened here. See {@link pending}. */
  pending(input: PendingInput = {}): Paged<PendingList, OpenedHeldPayment> {
    return pending(this.context, input);
  }

  /** One held payment and what became of it. See {@link heldPayment}. */
  heldPayment(transactionId: string): Promise<HeldPaymentDetails> {
    return heldPayment(this.context, transactionId);
  }

  /** Approves a held payment and waits until it is final. See {@link approve}. */
  approve(transactionId: string, options?: ApproveOptions): Promise<DecidedPayment> {
    return approve(this.context, transactionId, options);
  }

  /** Drops a held payment. See {@link reject}. */
  reject(transactionId: string, options?: CallOptions): Promise<DecidedPayment> {
    return reject(this.context, transactionId, options);
  }

  /** Drops all held payments, of one agent or of all. See {@link rejectAll}. */
  rejectAll(input: { agent?: string } = {}): Promise<{ rejected: number }> {
    return rejectAll(this.context, input);
  }

  /** The transfers an API key sees, without amounts. See {@link listTransfers}. */
  listTransfers(input: ListTransfersInput = {}): Paged<TransferList, Transfer> {
    return listTransfers(this.context, input);
  }

  /** One transfer. See {@link getTransfer}. */
  getTransfer(transferId: string): Promise<Transfer> {
    return getTransfer(this.context, transferId);
  }

  /** The newest transfers, amounts and memos opened here. See {@link transfers}. */
  transfers(input: TransfersInput = {}): Paged<OpenedTransferList, OpenedTransfer> {
    return transfers(this.context, input);
  }

  /** A receipt of one of your payments: proof of its amount for whoever you give it to. See {@link receipt}. */
  receipt(transferId: string): Promise<MadeReceipt> {
    return receipt(this.context, transferId);
  }

  /** Checks a receipt with the chain; needs no key. See {@link verifyReceipt}. */
  verifyReceipt(text: string): Promise<VerifiedReceipt> {
    return verifyReceipt(this.context, text);
  }

  /** Who did what in the account. See {@link auditLog}. */
  auditLog(input: AuditLogInput = {}): Paged<AuditList, AuditEntry> {
    return auditLog(this.context, input);
  }

  /** A decryption proof for the balances endpoint. See {@link proof}. */
  proof(input: { agent?: string } = {}): Promise<{ decryption_proof: string }> {
    return proof(this.context, input);
  }

  /** The balances endpoint. See {@link balances}. */
  balances(input: BalancesInput = {}): Promise<Balances> {
    return balances(this.context, input);
  }

  /** Pays tokens from the budget to an address, in public. See {@link withdraw}. */
  withdraw(input: WithdrawInput): Promise<Withdrawn> {
    return withdraw(this.context, input);
  }

  /** Everything from chain data alone, without the service. See {@link recover}. */
  recover(input: RecoverInput): Promise<RecoverResult> {
    return recover(
      () => this.context.wallet,
      () => this.context.prover(),
      input,
    );
  }
}
