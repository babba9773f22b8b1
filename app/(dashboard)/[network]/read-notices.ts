import { pauseReason } from "@/components/payments/payouts/wording";
import type { Notice } from "@/components/shell/overview/notices";
import { failureOf } from "@/components/webhooks/wording";
import type { SessionContext } from "@/lib/base/context/context";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import type { WebhookResource } from "@/lib/events/webhooks/webhook-resource";
import { countPending } from "@/lib/payments/approvals/count-pending";
import { listTransfers } from "@/lib/payments/list-transfers";
import { listPayouts } from "@/lib/payments/payouts/list-payouts";
import { toPayout } from "@/lib/payments/payouts/payout-resource";
import { countRuns } from "@/lib/payments/schedules/count-runs";

/** How long failures are listed, in milliseconds. */
const FAILED_MS = 7 * 86_400_000;
const MOST = 20;

const counted = (count: number, one: string, many: string, more = false) =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString("en-US")}${more ? " or more" : ""} ${many}`;

/** Returns a notice for an endpoint that fails or was disabled for failing; null otherwise. */
function webhookNotice(base: string, webhook: WebhookResource, health?: HealthResource): Notice | null {
  const { url, enabled, disabled_reason, webhook_id } = webhook;
  const host = url.replace(/^https?:\/\//, "");
  const notice = { kind: "webhooks", failed: true, href: `${base}/developers/webhooks/${webhook_id}` } as const;
  if (!enabled)
    return disabled_reason === "owner" ? null : { ...notice, title: "A webhook was disabled", detail: host };
  if (!health?.failing_since) return null;
  const error = health.last?.error;
  return { ...notice, title: "A webhook is failing", detail: error ? `${host}: ${failureOf(error).title}` : host };
}

/**
 * Returns what waits for the owner, and what has failed in the last seven days. Contains no amounts, because the
 * service knows none.
 */
export async function readNotices(
  ctx: SessionContext,
  webhooks: readonly { webhook: WebhookResource; health?: HealthResource }[],
): Promise<{ waiting: Notice[]; failed: Notice[] }> {
  const since = new Date(Date.now() - FAILED_MS);
  const [held, runs, payouts, transfers] = await Promise.all([
    countPending(ctx),
    countRuns(ctx, since),
    listPayouts(ctx, { limit: MOST }),
    listTransfers(ctx, { status: "failed", direction: "sent", from: since, limit: MOST, offset: 0 }),
  ]);
  return noticesOf(`/${ctx.network}`, { held, runs, payouts: payouts.list, transfers, webhooks, since });
}

/** What notices are made from. */
interface Found {
  /** How many payments await approval. */
  held: number;
  runs: Awaited<ReturnType<typeof countRuns>>;
  payouts: Awaited<ReturnType<typeof listPayouts>>["list"];
  /** Those that failed. */
  transfers: { transfers: readonly unknown[]; hasMore: boolean };
  webhooks: readonly { webhook: WebhookResource; health?: HealthResource }[];
  /** Older failures are left out. */
  since: Date;
}

/** Returns the notices for what was found: what waits, and what has failed. */
export function noticesOf(base: string, { held, runs, payouts, transfers, webhooks, since }: Found) {
  const waiting: Notice[] = [];
  const failed: Notice[] = [];
  if (held > 0) {
    const title = `${counted(held, "payment waits", "payments wait")} for your approval`;
    waiting.push({
      kind: "approvals",
      title,
      detail: "Approve or reject before they expire.",
      href: `${base}/approvals`,
    });
  }
  if (runs.due > 0) {
    const title = `${counted(runs.due, "scheduled payment is", "scheduled payments are")} due`;
    waiting.push({
      kind: "schedules",
      title,
      detail: "This browser pays them, with your keys.",
      href: `${base}/schedules`,
    });
  }
  for (const view of payouts) {
    const payout = toPayout(view);
    const href = `${base}/payouts/${payout.payout_id}`;
    if (payout.status === "paused") {
      waiting.push({ kind: "payouts", title: "A payout is paused", detail: pauseReason(payout), href });
    } else if (payout.rows_failed > 0 && view.payout.createdAt > since) {
      const title = `${counted(payout.rows_failed, "payment", "payments")} of a payout failed`;
      failed.push({ kind: "payouts", failed: true, title, href });
    }
  }
  const { length } = transfers.transfers;
  if (length > 0) {
    const title = `${counted(length, "payment", "payments", transfers.hasMore)} failed`;
    const detail = "In the last 7 days. No money moved.";
    failed.push({ kind: "transfers", failed: true, title, detail, href: `${base}/transfers?status=failed` });
  }
  if (runs.missed > 0) {
    const title = `${counted(runs.missed, "scheduled payment was", "scheduled payments were")} missed`;
    failed.push({ kind: "schedules", failed: true, title, detail: "In the last 7 days.", href: `${base}/schedules` });
  }
  for (const { webhook, health } of webhooks) failed.push(...[webhookNotice(base, webhook, health) ?? []].flat());
  return { waiting, failed };
}
