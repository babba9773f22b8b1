import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import { scheduleRuns } from "@/db/schema/schedules";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { ID_PREFIX, type IdKind } from "@/lib/base/ids";
import { getEvent } from "@/lib/events/get-event";
import { getDelivery } from "@/lib/events/webhooks/get-delivery";
import { getWebhook } from "@/lib/events/webhooks/get-webhook";
import { findHeld } from "@/lib/payments/approvals/find-held";
import { getTransferView } from "@/lib/payments/get-transfer-view";
import { findPayout } from "@/lib/payments/payouts/find-payout";
import { findPaymentRequest } from "@/lib/payments/requests/find-payment-request";
import { findSchedule } from "@/lib/payments/schedules/find-schedule";
import { foundHeld, foundRequest, foundTransfer } from "./describe";
import type { FoundRecord } from "./found-resource";

type Find = (ctx: SessionContext, id: string) => Promise<FoundRecord | null>;

const key: Find = async ({ account, chainId }, id) => {
  const [row] = await db()
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.accountId, account.rootId), eq(apiKeys.chainId, chainId)));
  // An access token belongs to its connection and is not listed among the keys.
  if (!row || row.audience !== null) return null;
  const { label: name, createdAt } = row;
  return { type: "api_key", id, name, status: row.revokedAt ? "revoked" : null, partOf: null, createdAt };
};

const run: Find = async ({ account, chainId }, id) => {
  const [row] = await db()
    .select()
    .from(scheduleRuns)
    .where(and(eq(scheduleRuns.id, id), eq(scheduleRuns.accountId, account.id), eq(scheduleRuns.chainId, chainId)));
  if (!row) return null;
  return { type: "schedule_run", id, name: null, status: row.status, partOf: row.scheduleId, createdAt: row.dueAt };
};

// Each function checks by itself that the object belongs to the caller.
const FIND: Partial<Record<IdKind, Find>> = {
  account: async (ctx, id) => {
    const { handle, createdAt } = await findOwnAgent(ctx, id);
    return { type: "agent", id, name: `@${handle}`, status: null, partOf: null, createdAt };
  },
  transfer: async (ctx, id) => foundTransfer(await getTransferView(ctx, id)),
  transaction: async (ctx, id) => foundHeld(await findHeld(ctx, id)),
  webhook: async (ctx, id) => {
    const { url, enabled, createdAt } = await getWebhook(ctx, id);
    return { type: "webhook", id, name: url, status: enabled ? "enabled" : "disabled", partOf: null, createdAt };
  },
  event: async (ctx, id) => {
    const { type: name, createdAt } = await getEvent(ctx, id);
    return { type: "event", id, name, status: null, partOf: null, createdAt };
  },
  delivery: async (ctx, id) => {
    const { row } = await getDelivery(ctx, id);
    return { type: "delivery", id, name: row.event, status: row.status, partOf: null, createdAt: row.createdAt };
  },
  key,
  payout: async (ctx, id) => {
    const { status, createdAt } = await findPayout(ctx, id);
    return { type: "payout", id, name: null, status, partOf: null, createdAt };
  },
  paymentRequest: async (ctx, id) => foundRequest(await findPaymentRequest(ctx, id)),
  schedule: async (ctx, id) => {
    const { status, createdAt } = await findSchedule(ctx, id);
    return { type: "schedule", id, name: null, status, partOf: null, createdAt };
  },
  scheduleRun: run,
};

/** Errors for an object that does not exist or belongs to someone else. A search treats them alike. */
const UNKNOWN = ["not_found", "not_agent_owner", "transaction_not_found"];

/**
 * Returns the object of the account or its agents with this id; null for ids that are unknown, of other accounts or of
 * the other network.
 */
export async function findById(ctx: SessionContext, id: string): Promise<FoundRecord | null> {
  const kind = (Object.keys(ID_PREFIX) as IdKind[]).find((name) => id.startsWith(ID_PREFIX[name]));
  const find = kind && FIND[kind];
  if (!find) return null;
  try {
    return await find(ctx, id);
  } catch (error) {
    if (error instanceof ApiError && UNKNOWN.includes(error.code)) return null;
    throw error;
  }
}
