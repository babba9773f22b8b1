import type { ApiReference } from "@/lib/http/reference/read-reference";
import { GUIDES, type Guide } from "./guides";
import { operationHref } from "./slug";

/** The operations that each guide is about. Links in both directions are made from this list. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  "core-concepts": ["getAccount"],
  "send-payments": ["createTransfer", "planTransfer", "createTransferBatch", "getTransfer", "listTransfers"],
  payouts: [
    "createPayout",
    "addPayoutRows",
    "listPayouts",
    "getPayout",
    "listPayoutRows",
    "resumePayout",
    "cancelPayout",
  ],
  "payment-requests": [
    "createPaymentRequest",
    "listPaymentRequests",
    "getPaymentRequest",
    "cancelPaymentRequest",
    "reportRequestPayment",
  ],
  schedules: [
    "createSchedule",
    "listSchedules",
    "getSchedule",
    "updateSchedule",
    "skipScheduleDate",
    "endSchedule",
    "listScheduleRuns",
    "getScheduleRun",
    "payScheduleRun",
    "planScheduleRuns",
  ],
  balances: ["proveBalances", "getBalances"],
  idempotency: ["createTransfer"],
  agents: ["createAgent", "listAgents", "pauseAgent", "resumeAgent"],
  policies: ["getSpendPolicy", "updateSpendPolicy", "simulateSpendPolicy"],
  approvals: ["listPendingPayments", "getHeldPayment", "approveHeldPayment", "rejectHeldPayment"],
  webhooks: ["createWebhook", "listWebhooks", "updateWebhook", "deleteWebhook"],
  "verify-webhook-signatures": ["rotateSecret"],
  "webhook-delivery": ["listDeliveries", "replayEvent", "redeliverFailed", "listEvents", "getEvent"],
  "test-webhooks": ["testWebhook", "advanceClock", "expireHeldPayment", "getFailingRecipient"],
  "follow-a-request": ["listRequests"],
  "keys-and-rotation": ["listAuditEntries", "rotateSecret"],
};

/** Returns the guides that explain an operation, in reading order. */
export function guidesAbout(operation: string): Guide[] {
  return GUIDES.filter(({ slug }) => OPERATIONS[slug]?.includes(operation));
}

/** An operation as a link shows it. */
interface RelatedOperation {
  href: string;
  method: string;
  path: string;
  summary: string;
}

/** Returns the operations that a guide is about, in its order; an empty list if it is not about operations. */
export function operationsOf(slug: string, { chapters }: ApiReference): RelatedOperation[] {
  const all = chapters.flatMap(({ name, operations }) =>
    operations.map(({ id, method, path, summary }) => {
      return { id, method, path, summary, href: operationHref(name, id) };
    }),
  );
  return (OPERATIONS[slug] ?? []).flatMap((id) => all.filter((one) => one.id === id).map(({ id: _, ...link }) => link));
}
