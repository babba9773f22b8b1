import { type ConnectAgentInput, connectAgent } from "@/sdk/account/connect-agent";
import { type CreateAgentInput, createAgent } from "@/sdk/account/create-agent";
import { endAgent, replaceAgentKey } from "@/sdk/account/end-agent";
import { setGuard } from "@/sdk/account/guard";
import { type CreateKeyInput, createKey } from "@/sdk/account/keys";
import { resumeAgent, setPolicy } from "@/sdk/account/set-policy";
import { type SignupInput, signup } from "@/sdk/account/signup";
import type { SpendPolicyFields } from "@/sdk/api/resources/agents";
import { checkPayment } from "@/sdk/attempts/check-payment";
import { readPending } from "@/sdk/attempts/pending-payment";
import type { Context } from "@/sdk/context/context";
import { renewSpender } from "@/sdk/context/renew-spender";
import { type AllocateInput, type AllocateOptions, allocate } from "@/sdk/funding/allocate";
import { clearLimits } from "@/sdk/funding/limits";
import { findRecipient } from "@/sdk/payments/recipient";
import { type WithdrawCall, withdrawPrepared } from "@/sdk/payments/withdraw";
import { type CreateProofOfFundsInput, createProofOfFunds } from "@/sdk/proofs-of-funds/create-proof-of-funds";
import { previewProofOfFunds } from "@/sdk/proofs-of-funds/preview-proof-of-funds";
import type { ProofOfFundsInput } from "@/sdk/proofs-of-funds/request-of";
import { type AbandonInput, abandon, budgetLoss } from "@/sdk/recovery/abandon";
import { refundable } from "@/sdk/refunds/refundable";
import { type ReceiptSource, receiptOf } from "@/sdk/transfers/receipt";
import { agentSpending } from "./agent-spending";
import { approveHeld } from "./approve-held";
import { createBackup } from "./create-backup";
import { deposit, walletBalance } from "./deposit";
import { earnings } from "./earnings";
import { exportTransfers } from "./export-transfers";
import { findPayments } from "./find-payments";
import type { firstMethods } from "./first-methods";
import { held } from "./held";
import type { Tools } from "./method";
import { moved } from "./moved";
import { pastPayments } from "./past-payments";
import { checkPaymentRequests, createPaymentRequest, openPaymentRequest } from "./payment-requests";
import { acceptPayout, checkPayout, exportPayoutRows, openPayoutRows, payPayout } from "./payouts";
import { refund } from "./refund";
import { createSchedule, openSchedules, payScheduleRun, skipDate, updateSchedule } from "./schedules";
import { accepted, send } from "./send";
import { setOwnLimits } from "./set-own-limits";
import { shareView } from "./share-view";
import { spending } from "./spending";
import { statement } from "./statement";
import { testBackup } from "./test-backup";
import { verifyBalances } from "./verify-balances";

/** What the page does not pass: the worker waits for nothing, and has the page keep what leaves. */
type FromPage<I> = Omit<I, "wait" | "onPending">;

/**
 * The methods of the vault beside its first ones, which are loaded after them. One that is more than a call of the SDK has
 * a file of its own. Pages import the type alone.
 */
export const laterMethods = {
  acceptPayout,
  checkPayout,
  openPayoutRows,
  payPayout,
  /** Gives up a budget that can't be decrypted; the wallet signs it. Returns when the chain shows it. */
  abandon: (context: Context, input: AbandonInput) => abandon(context, input),
  agentSpending,
  /** Changes the budget; the wallet signs each allocation. Returns when all are final. */
  allocate: (context: Context, input: FromPage<AllocateInput & AllocateOptions>, { onPending }: Tools) =>
    allocate(context, { ...input, onPending }),
  approveHeld,
  /** What is lost with a budget that does not open, and what waits behind it; null when it opens. */
  budgetLoss: (context: Context, input: AbandonInput) => budgetLoss(context, input),
  /** Removes the limits of the account's keys; the wallet signs it. Returns when the chain shows it. */
  clearLimits: (context: Context) => clearLimits(context),
  checkPaymentRequests,
  /** What the chain shows of a payment, allocation or deposit whose outcome was left open; `pending` as it was kept. */
  checkPayment: (context: Context, { pending }: { pending: unknown }) => checkPayment(context, readPending(pending)),
  /** Registers an agent: its wallet is created and encrypted in the worker. Returns once the ledger has it. */
  createAgent: (context: Context, input: CreateAgentInput) => createAgent(context, input),
  /** Connects an application to an agent; the wallet signs it. The code leaves the worker once, for the application. */
  connectAgent: (context: Context, input: ConnectAgentInput) => connectAgent(context, input),
  createBackup,
  createPaymentRequest,
  createSchedule,
  /** Makes an API key. Its text leaves the worker once, to be shown. */
  createKey: (context: Context, input: CreateKeyInput) => createKey(context, input),
  deposit,
  earnings,
  /** Ends what an agent's key and approvals can pay, on the ledger. Returns when the chain shows it. */
  endAgent: (context: Context, { agent }: { agent: string }) => endAgent(context, agent),
  /** Makes the account and enrols it: the root is made and encrypted in the worker. Safe to repeat. */
  enroll: (context: Context, input: SignupInput) => signup(context, input),
  exportPayoutRows,
  exportTransfers,
  findPayments,
  held,
  /** Makes a receipt of a listed transfer, checked with the chain. */
  makeReceipt: (context: Context, input: ReceiptSource) => receiptOf(context, input),
  /** Proves to one verifier that the account holds at least a sum. */
  makeProofOfFunds: (context: Context, input: CreateProofOfFundsInput) => createProofOfFunds(context, input),
  moved,
  openPaymentRequest,
  openSchedules,
  payScheduleRun,
  pastPayments,
  /** What such a proof would show, and what was shown before. Nothing is proved. */
  previewProofOfFunds: (context: Context, input: ProofOfFundsInput) => previewProofOfFunds(context, input),
  /** Whom a payment to this handle or address would reach. */
  recipient: (context: Context, { to }: { to: string }) => findRecipient(context, to),
  refund,
  /** What of a received payment is left to refund. */
  refundable: (context: Context, { transferId }: { transferId: string }) => refundable(context, transferId),
  /** Lets the account's keys sign payments for another year; the wallet signs it. Returns when the chain shows it. */
  renewSpender: (context: Context) => renewSpender(context),
  /** Gives an agent another signing key; the wallet signs it. Returns when the chain shows it. */
  replaceAgentKey: (context: Context, { agent }: { agent: string }) => replaceAgentKey(context, agent),
  /** Lets a paused agent pay again; the wallet signs it. */
  resumeAgent: (context: Context, { agent }: { agent: string }) => resumeAgent(context, agent),
  send,
  skipDate,
  updateSchedule,
  /** Lets only the wallet change policies and move money between the account and its agents, or no longer. */
  setGuard: (context: Context, { on }: { on: boolean }) => setGuard(context, on),
  /** Sets fields of the account's own policy: what its keys pay without the wallet, which signs it. */
  setLimits: setOwnLimits,
  /** Changes fields of an agent's policy; the wallet is asked to sign what loosens it. */
  setPolicy: (context: Context, { agent, fields }: { agent: string; fields: SpendPolicyFields }) =>
    setPolicy(context, agent, fields),
  shareView,
  spending,
  statement,
  testBackup,
  verifyBalances,
  walletBalance,
  /** Pays out of the budget to an address, in public. Returns once the service has accepted it. */
  withdraw: async (context: Context, input: FromPage<WithdrawCall>, { onPending }: Tools) => {
    const { response, seen, pending } = await withdrawPrepared(context, { ...input, onPending });
    return accepted(response, seen, pending);
  },
};

export type LaterMethods = typeof laterMethods;

/** All methods of the vault. */
export type Methods = typeof firstMethods & LaterMethods;
