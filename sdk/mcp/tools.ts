import { dryRunTool } from "./dry-run";
import { getBalance } from "./get-balance";
import { getHeldPayment } from "./get-held-payment";
import { getPolicyTool } from "./get-policy";
import { listHeldPayments } from "./list-held-payments";
import { listTransfersTool } from "./list-transfers";
import { payUrl } from "./pay-url";
import { sendPayment } from "./send-payment";
import type { Tool } from "./tool";

/** All tools of a model. None of them approves, rejects or changes a policy: only people may do that. */
export const TOOLS: readonly Tool[] = [
  sendPayment,
  payUrl,
  dryRunTool,
  getPolicyTool,
  getBalance,
  listTransfersTool,
  listHeldPayments,
  getHeldPayment,
];
