/*
 * Calls that few programs make, in one chunk that loads with the first of them. With a chunk for each call, the bundler
 * would split the code they share into many small chunks, which are larger in total.
 */

export { statementText, TEXT_FORMATS } from "@/lib/payments/statements/statement-text";
export { agentRefunds } from "../account/agent-refunds";
export { createAgent } from "../account/create-agent";
export { endAgent } from "../account/end-agent";
export { exportViewingKey } from "../account/export-viewing-key";
export { guardState, setGuard } from "../account/guard";
export { signup } from "../account/signup";
export { advanceClock, expireHeldPayment, failingRecipient } from "../account/test-helpers";
export { verifyIdentity } from "../account/verify-identity";
export { approve } from "../approvals/approve";
export { replaceAgentKey } from "../budget-secret/replace-agent-key";
export { rotateBudgetSecret } from "../budget-secret/rotate-budget-secret";
export { renewSpender } from "../context/renew-spender";
export { createDisclosure } from "../disclosures/create-disclosure";
export { deleteDisclosure, listDisclosures } from "../disclosures/list-disclosures";
export { verifyDisclosure } from "../disclosures/verify-disclosure";
export { faucet } from "../funding/faucet";
export { clearLimits, getLimits, setLimits } from "../funding/limits";
export * as paymentRequests from "../payment-requests/payment-requests";
export { prepareTransfer } from "../payments/prepare-transfer";
export { sendMany } from "../payments/send-many";
export { withdraw } from "../payments/withdraw";
export { createProofOfFunds } from "../proofs-of-funds/create-proof-of-funds";
export { previewProofOfFunds } from "../proofs-of-funds/preview-proof-of-funds";
export { verifyProofOfFunds } from "../proofs-of-funds/verify-proof-of-funds";
export { abandon, budgetLoss } from "../recovery/abandon";
export { recover } from "../recovery/recover";
export { stopSpender } from "../recovery/stop-spender";
export { makeRefundsAvailable } from "../refunds/make-refunds-available";
export { refund } from "../refunds/refund";
export { checkRefund, refundable } from "../refunds/refundable";
export { decryptSchedule } from "../schedules/open-schedule";
export { payRun } from "../schedules/pay-run";
export { planSchedule } from "../schedules/plan-runs";
export { runDue } from "../schedules/run-due";
export { getRun, getSchedule, listRuns, listSchedules } from "../schedules/schedule-calls";
export { changeSchedule, createSchedule, endSchedule, skipDate } from "../schedules/write-schedule";
export { createStatement } from "../statements/create-statement";
export { decryptBalance, decryptHeldPayment, decryptTransfer } from "../transfers/decrypt";
export { receipt, verifyReceipt } from "../transfers/receipt";
