import { accountCommands, keyCommands, walletCommands } from "./account-commands";
import { agentCommands, approvalCommands, policyCommands } from "./agent-commands";
import { auditLogCommands } from "./audit-log-commands";
import { completionCommands } from "./completion-commands";
import { eventCommands, listenCommands } from "./event-commands";
import { facilitatorCommands } from "./facilitator-commands";
import { guardCommands, limitsCommands } from "./guard-commands";
import { logCommands } from "./log-commands";
import { mcpCommands } from "./mcp-commands";
import { balanceCommands, paymentCommands } from "./money-commands";
import { payCommands } from "./pay-commands";
import { payoutCommands } from "./payout-commands";
import { profileCommands } from "./profile-commands";
import type { AddCommand } from "./program";
import { proofOfFundsCommands } from "./proof-of-funds-commands";
import { proxyCommands } from "./proxy-commands";
import { receiptCommands } from "./receipt-commands";
import { recoverCommands } from "./recover-commands";
import { requestCommands } from "./request-commands";
import { safetyCommands } from "./safety-commands";
import { scheduleCommands } from "./schedule-commands";
import { sharedViewCommands } from "./shared-view-commands";
import { statementCommands } from "./statement-commands";
import { testHelperCommands } from "./test-helper-commands";
import { transferCommands } from "./transfer-commands";
import { viewingKeyCommands } from "./viewing-key-commands";
import { webhookCommands } from "./webhook-commands";
import { whoamiCommands } from "./whoami-commands";

/** Every command, in the order the help lists them. */
export const COMMANDS: readonly AddCommand[] = [
  walletCommands,
  profileCommands,
  accountCommands,
  whoamiCommands,
  paymentCommands,
  payCommands,
  facilitatorCommands,
  proxyCommands,
  keyCommands,
  viewingKeyCommands,
  agentCommands,
  policyCommands,
  guardCommands,
  limitsCommands,
  approvalCommands,
  transferCommands,
  payoutCommands,
  requestCommands,
  scheduleCommands,
  receiptCommands,
  proofOfFundsCommands,
  statementCommands,
  sharedViewCommands,
  balanceCommands,
  webhookCommands,
  eventCommands,
  auditLogCommands,
  logCommands,
  listenCommands,
  testHelperCommands,
  mcpCommands,
  safetyCommands,
  recoverCommands,
  completionCommands,
];
