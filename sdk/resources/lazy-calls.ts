/*
 * Calls that few programs make, in one chunk that loads with the first of them. With a chunk for each call, the bundler
 * would split the code they share into many small chunks, which are larger in total.
 */

export { statementText, TEXT_FORMATS } from "@/lib/payments/statements/statement-text";
export { agentRefunds } from "../account/agent-refunds";
export { createAgent } from "../account/create-agent";
export { createBlindKey } from "../account/create-blind-key";
export { endAgent } from "../account/end-agent";
export { exportViewingKey } from "../account/export-viewing-key";
export { guardState, setGuard } from "../account/guard";
export { resumeAgent, setPolicy } from "../account/set-policy";
export { signup } from "../account/signup";
export { advanceClock, expireHeldPayment, failingRecipient } from "../account/test-helpers";
export { verifyIdentity } from "../account/verify-identity";
export { renewPaymentKey } from "../context/renew-payment-key";
export { approve } from "../payments/approvals/approve";
export { pendingPage } from "../payments/approvals/decrypt-held";
export { dryRunBlind } from "../payments/blind/dry-run-blind";
export { loadAhead } from "../payments/blind/load-ahead";
export { acceptedBlind, sendBlind } from "../payments/blind/pay-blind";
export { checkPayoutBlind, createPayoutBlind, resumePayoutBlind } from "../payments/blind/payouts-blind";
export { faucet } from "../payments/funding/faucet";
export { clearLimits, getLimits, policyOfAgent, setLimits } from "../payments/funding/limits";
export { prepareTransfer } from "../payments/prepare-transfer";
export { makeRefundsAvailable } from "../payments/refunds/make-refunds-available";
export { refund } from "../payments/refunds/refund";
export { checkRefund, refundable } from "../payments/refunds/refundable";
export * as paymentRequests from "../payments/requests/payment-requests";
export { decryptSchedule } from "../payments/schedules/decrypt-schedule";
export { payRun } from "../payments/schedules/pay-run";
export { planSchedule } from "../payments/schedules/plan-runs";
export { runDue } from "../payments/schedules/run-due";
export { getRun, getSchedule, listRuns, listSchedules } from "../payments/schedules/schedule-calls";
export { changeSchedule, createSchedule, endSchedule, skipDate } from "../payments/schedules/write-schedule";
export { sendMany } from "../payments/send-many";
export { decryptBalance, decryptHeldPayment, decryptTransfer } from "../payments/transfers/decrypt";
export { receipt, verifyReceipt } from "../payments/transfers/receipt";
export { decryptedPage, getDecrypted } from "../payments/transfers/transfers";
export { withdraw } from "../payments/withdraw";
export { abandon, availableLoss } from "../recovery/abandon";
export { replaceAgentKey } from "../recovery/account-secret/replace-agent-key";
export { rotateAccountSecret } from "../recovery/account-secret/rotate-account-secret";
export { recover } from "../recovery/recover";
export { stopPaymentKey } from "../recovery/stop-payment-key";
export { createStatement } from "../statements/create-statement";
export { createProofOfFunds } from "../statements/proofs-of-funds/create-proof-of-funds";
export { previewProofOfFunds } from "../statements/proofs-of-funds/preview-proof-of-funds";
export { verifyProofOfFunds } from "../statements/proofs-of-funds/verify-proof-of-funds";
export { createSharedView } from "../statements/shared-views/create-shared-view";
export { deleteSharedView, listSharedViews } from "../statements/shared-views/list-shared-views";
export { verifySharedView } from "../statements/shared-views/verify-shared-view";
