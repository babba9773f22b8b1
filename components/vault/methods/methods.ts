import type { Hex } from "viem";
import { testBackup } from "@/sdk/account/backups";
import { type ConnectAgentInput, connectAgent } from "@/sdk/account/connect-agent";
import { type CreateAgentInput, createAgent } from "@/sdk/account/create-agent";
import { createBlindKey } from "@/sdk/account/create-blind-key";
import { endAgent } from "@/sdk/account/end-agent";
import { setGuard } from "@/sdk/account/guard";
import { type CreateKeyInput, createKey } from "@/sdk/account/keys";
import { resumeAgent, setPolicy } from "@/sdk/account/set-policy";
import { type SignupInput, signup } from "@/sdk/account/signup";
import type { SpendPolicyFields } from "@/sdk/api/resources/agents";
import type { WalletTypedData } from "@/sdk/chain/wallet";
import type { Context } from "@/sdk/context/context";
import { renewPaymentKey } from "@/sdk/context/renew-payment-key";
import { checkPayment } from "@/sdk/payments/attempts/check-payment";
import { readPending } from "@/sdk/payments/attempts/pending-payment";
import { caughtUp } from "@/sdk/payments/attempts/settle";
import { clearLimits, setLimits } from "@/sdk/payments/funding/limits";
import {
  type MakeAvailableInput,
  type MakeAvailableOptions,
  makeAvailable,
} from "@/sdk/payments/funding/make-available";
import { findRecipient } from "@/sdk/payments/recipient";
import { refundable } from "@/sdk/payments/refunds/refundable";
import { type ReceiptSource, receiptOf } from "@/sdk/payments/transfers/receipt";
import { type WithdrawCall, withdrawClientSigned } from "@/sdk/payments/withdraw";
import { type AbandonInput, abandon, availableLoss } from "@/sdk/recovery/abandon";
import { replaceAgentKey } from "@/sdk/recovery/account-secret/replace-agent-key";
import { rotateAccountSecret } from "@/sdk/recovery/account-secret/rotate-account-secret";
import { stopSigning } from "@/sdk/recovery/stop-signing";
import { createStatement } from "@/sdk/statements/create-statement";
import {
  type CreateProofOfFundsInput,
  createProofOfFunds,
} from "@/sdk/statements/proofs-of-funds/create-proof-of-funds";
import { previewProofOfFunds } from "@/sdk/statements/proofs-of-funds/preview-proof-of-funds";
import type { ProofOfFundsInput } from "@/sdk/statements/proofs-of-funds/request-of";
import { createSharedView } from "@/sdk/statements/shared-views/create-shared-view";
import type { CreateSharedViewInput } from "@/sdk/statements/shared-views/shared-view-input";
import type { StatementInput } from "@/sdk/statements/statement-input";
import { earnings } from "@/sdk/x402/earnings";
import { agentSpending } from "./agent-spending";
import { approveHeld } from "./approve-held";
import { createBackup } from "./create-backup";
import { deposit, walletBalance } from "./deposit";
import { exportTransfers } from "./export-transfers";
import { findPayments } from "./find-payments";
import type { firstMethods } from "./first-methods";
import { held } from "./held";
import type { Tools } from "./method";
import { moved } from "./moved";
import { pastPayments } from "./past-payments";
import {
  checkPaymentRequests,
  decryptPaymentRequest,
  encryptPaymentRequest,
  storePaymentRequest,
} from "./payment-requests";
import { acceptPayout, checkPayout, decryptPayoutRows, exportPayoutRows, payoutLeft, payPayout } from "./payouts";
import { refund } from "./refund";
import {
  decryptSchedules,
  encryptSchedule,
  payScheduleRun,
  skipDate,
  storeSchedule,
  updateSchedule,
} from "./schedules";
import { accepted, send } from "./send";
import { spending } from "./spending";
import { verifyBalances } from "./verify-balances";

/**
 * An input without the options that pages don't set: the worker does not wait, and has the page store pending records.
 */
type FromPage<I> = Omit<I, "wait" | "onPending">;

/**
 * The vault's methods besides its first ones, loaded after them. A method that is more than a call of the SDK has its
 * own file. Pages import only the type.
 */
export const laterMethods = {
  acceptPayout,
  checkPayout,
  decryptPayoutRows,
  payoutLeft,
  payPayout,
  /** Gives up an available balance that can't be decrypted. The wallet signs. Resolves once the chain shows it. */
  abandon: (context: Context, input: AbandonInput) => abandon(context, input),
  agentSpending,
  /**
   * Changes the available balance. The wallet signs each move to the available balance. Resolves once all are final.
   */
  makeAvailable: (context: Context, input: FromPage<MakeAvailableInput & MakeAvailableOptions>, { onPending }: Tools) =>
    makeAvailable(context, { ...input, onPending }),
  approveHeld,
  /**
   * Returns what is lost with an available balance that can't be decrypted and what waits to be made available, or null
   * if it can be decrypted.
   */
  availableLoss: (context: Context, input: AbandonInput) => availableLoss(context, input),
  /** Removes the limits of the account's keys. The wallet signs. Resolves once the chain shows it. */
  clearLimits: (context: Context) => clearLimits(context),
  checkPaymentRequests,
  /**
   * Returns what the chain shows about a payment, move to the available balance or deposit with an open outcome.
   * `pending` is the kept record.
   */
  checkPayment: (context: Context, { pending }: { pending: unknown }) => checkPayment(context, readPending(pending)),
  /** Registers an agent. Its wallet is created and encrypted in the worker. Resolves once the ledger has it. */
  createAgent: (context: Context, input: CreateAgentInput) => createAgent(context, input),
  /** Connects an application to an agent. The wallet signs. The code leaves the worker once, for the application. */
  connectAgent: (context: Context, input: ConnectAgentInput) => connectAgent(context, input),
  createBackup,
  /** Creates an API key, with `blind` also a home key. Their texts leave the worker once, to be shown. */
  createKey: (context: Context, { blind, ...input }: CreateKeyInput & { blind?: boolean }) =>
    blind ? createBlindKey(context, input) : createKey(context, input),
  deposit,
  /** Sums what was sold over HTTP 402. Progress counts chain events, as for a statement. */
  earnings: (context: Context, input: StatementInput, { progress, signal }: Tools) =>
    earnings(context, input, { progress, signal }),
  /** Ends on the ledger what an agent's key and approvals can pay. Resolves once the chain shows it. */
  endAgent: (context: Context, { agent }: { agent: string }) => endAgent(context, agent),
  /** Creates and enrolls the account. The account key is created and encrypted in the worker. Safe to repeat. */
  enroll: (context: Context, input: SignupInput) => signup(context, input),
  exportPayoutRows,
  exportTransfers,
  findPayments,
  held,
  /** Creates a receipt for a listed transfer, checked against the chain. */
  makeReceipt: (context: Context, input: ReceiptSource) => receiptOf(context, input),
  /** Proves to one verifier that the account holds at least a sum. */
  makeProofOfFunds: (context: Context, input: CreateProofOfFundsInput) => createProofOfFunds(context, input),
  moved,
  decryptPaymentRequest,
  decryptSchedules,
  payScheduleRun,
  pastPayments,
  /** Returns what such a proof would reveal, and what was revealed before. Proves nothing. */
  previewProofOfFunds: (context: Context, input: ProofOfFundsInput) => previewProofOfFunds(context, input),
  /** Looks up who would receive a payment to this handle or address. */
  recipient: (context: Context, { to }: { to: string }) => findRecipient(context, to),
  refund,
  /** Returns what is left to refund of a received payment. */
  refundable: (context: Context, { transferId }: { transferId: string }) => refundable(context, transferId),
  /** Lets the account's keys sign payments for another year. The wallet signs. Resolves once the chain shows it. */
  renewPaymentKey: (context: Context) => renewPaymentKey(context),
  /** Gives an agent another signing key. The wallet signs. Resolves once the chain shows it. */
  replaceAgentKey: (context: Context, { agent }: { agent: string }) => replaceAgentKey(context, agent),
  /** Lets a paused agent pay again. The wallet signs. */
  resumeAgent: (context: Context, { agent }: { agent: string }) => resumeAgent(context, agent),
  /**
   * Replaces the account secret, and unlocks with the next one. The wallet signs. Progress counts four steps:
   * reading, the new payment key, keys and balances, and what waits. A contract wallet needs its recovery code.
   */
  rotateSecret: (context: Context, { recoveryCode }: { recoveryCode?: string | undefined }, { progress }: Tools) =>
    rotateAccountSecret(context, (done) => progress(done, 4), recoveryCode),
  encryptPaymentRequest,
  encryptSchedule,
  send,
  skipDate,
  storePaymentRequest,
  storeSchedule,
  updateSchedule,
  /**
   * Turns guard on or off: whether only the wallet changes policies and moves money between the account and its agents.
   */
  setGuard: (context: Context, { on }: { on: boolean }) => setGuard(context, on),
  /** Sets fields of the account's own policy, which says what its keys pay without the wallet. The wallet signs. */
  setLimits: setOwnLimits,
  /** Changes fields of an agent's policy. The wallet signs changes that loosen it. */
  setPolicy: (context: Context, { agent, fields }: { agent: string; fields: SpendPolicyFields }) =>
    setPolicy(context, agent, fields),
  /** Shares a view of payments. Its link leaves the worker once, to be shown. */
  shareView: (context: Context, input: CreateSharedViewInput, { progress, signal }: Tools) =>
    createSharedView(context, input, { progress, signal }),
  spending,
  /** Creates a statement. Progress counts the chain events of one account. Stops if aborted. */
  statement: (context: Context, input: StatementInput, { progress, signal }: Tools) =>
    createStatement(context, input, { progress, signal }),
  /** Switches the payment key off, also while locked. The wallet signs. Resolves once the chain shows it. */
  stopSigning: (context: Context) => stopSigning(context),
  /** Decrypts a backup and compares it with the account's keys. Rejects if they differ. */
  testBackup: (context: Context, { encrypted, opener }: TestBackupInput, { ask }: Tools) => {
    const signTypedData = (data: WalletTypedData) => ask({ kind: "typed-data", data, reason: "open-copy" });
    return testBackup(context, { encrypted, opener: opener === "wallet" ? { wallet: { signTypedData } } : opener });
  },
  verifyBalances,
  walletBalance,
  /** Pays from the available balance to an address, in public. Resolves once the service has accepted it. */
  withdraw: async (context: Context, input: FromPage<WithdrawCall>, { onPending }: Tools) => {
    const { response, seen, pending } = await withdrawClientSigned(context, { ...input, onPending });
    return accepted(response, seen, pending);
  },
};

export type LaterMethods = typeof laterMethods;

/** All methods of the vault. */
export type Methods = typeof firstMethods & LaterMethods;

/**
 * Sets the limits of the account's own keys. The wallet signs. Resolves once the service's index has them, since the
 * next page is rendered from it, or after a while.
 */
async function setOwnLimits(context: Context, { fields }: { fields: SpendPolicyFields }) {
  const limits = await setLimits(context, fields);
  await caughtUp(context, async () => {
    const { limited } = await context.account();
    return { status: limited ? "indexed" : "pending" };
  });
  return limits;
}

/** An encrypted copy, and what should decrypt it. */
interface TestBackupInput {
  encrypted: Hex;
  opener: { recoveryCode: string } | "wallet";
}
