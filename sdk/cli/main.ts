import { accountCommands, historyCommands, keyCommands, walletCommands } from "./account-commands";
import { agentCommands, approvalCommands, policyCommands } from "./agent-commands";
import { balanceCommands, paymentCommands, recoverCommands } from "./money-commands";
import { runCommandLine } from "./program";
import { eventCommands, listenCommands, webhookCommands } from "./webhook-commands";

const commands = [
  walletCommands,
  accountCommands,
  paymentCommands,
  keyCommands,
  agentCommands,
  policyCommands,
  approvalCommands,
  historyCommands,
  balanceCommands,
  webhookCommands,
  eventCommands,
  listenCommands,
  recoverCommands,
];

process.exitCode = await runCommandLine(process.argv.slice(2), commands, {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
