import { accountCommands, historyCommands, keyCommands, walletCommands } from "./account-commands";
import { agentCommands, approvalCommands, policyCommands } from "./agent-commands";
import { completionCommands } from "./completion-command";
import { eventCommands, listenCommands } from "./event-commands";
import { mcpCommands } from "./mcp-command";
import { balanceCommands, paymentCommands } from "./money-commands";
import { profileCommands } from "./profile-commands";
import type { AddCommand } from "./program";
import { receiptCommands } from "./receipt-commands";
import { recoverCommands } from "./recover-command";
import { safetyCommands } from "./safety-commands";
import { webhookCommands } from "./webhook-commands";

/** Every command, in the order the help lists them. */
export const COMMANDS: readonly AddCommand[] = [
  walletCommands,
  profileCommands,
  accountCommands,
  paymentCommands,
  keyCommands,
  agentCommands,
  policyCommands,
  approvalCommands,
  historyCommands,
  receiptCommands,
  balanceCommands,
  webhookCommands,
  eventCommands,
  listenCommands,
  mcpCommands,
  safetyCommands,
  recoverCommands,
  completionCommands,
];
