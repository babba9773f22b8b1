import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { owner } from "@/app/(dashboard)/owner";
import { offsetOf, type SearchParams } from "@/components/lists/search-params";
import { DeliveryLog } from "@/components/webhooks/delivery-log";
import { deliveriesQuery, readDeliveryFilters } from "@/components/webhooks/filters";
import { webhooksPath } from "@/components/webhooks/paths";
import { WebhookDetail } from "@/components/webhooks/webhook-detail";
import { isoTime } from "@/lib/base/clock";
import type { SessionContext } from "@/lib/base/context/context";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { getWebhook } from "@/lib/events/webhooks/get-webhook";
import { listHealth, toHealthResource } from "@/lib/events/webhooks/list-health";
import { toWebhookResource } from "@/lib/events/webhooks/webhook-resource";
import { readLog } from "../read-log";

export const metadata: Metadata = { title: "Webhook" };

interface PageProps {
  params: Promise<{ network: string; id: string }>;
  searchParams: Promise<SearchParams>;
}

async function find(ctx: SessionContext, id: string) {
  try {
    return await getWebhook(ctx, id);
  } catch (error) {
    // Deleted webhooks, other owners' webhooks and unknown ids look the same.
    if (error instanceof ApiError && error.code === "not_found") notFound();
    throw error;
  }
}

/** One webhook and its deliveries. */
export default async function WebhookPage({ params, searchParams }: PageProps) {
  const { network, id } = await params;
  const ctx = await owner(network);
  const search = await searchParams;
  const { webhook: _, ...filters } = readDeliveryFilters(search);
  const offset = offsetOf(search);
  const row = await find(ctx, id);
  const [health, { response, problem }] = await Promise.all([
    listHealth(ctx),
    readLog(ctx, deliveriesQuery({ ...filters, webhook: id }, offset)),
  ]);
  const found = health.find(({ webhookId }) => webhookId === id);
  const own = found && toHealthResource(found);
  const rotating = row.previousUntil && row.previousUntil > new Date();
  return (
    <div className="grid grid-cols-1 gap-6">
      <div>
        <WebhookDetail
          key={id}
          initial={toWebhookResource(row)}
          health={own}
          previousUntil={rotating ? isoTime(row.previousUntil as Date) : null}
          local={env().chains[ctx.network].local}
        />
      </div>
      <DeliveryLog
        path={`${webhooksPath(network)}/${id}`}
        filters={filters}
        offset={offset}
        response={response}
        problem={problem}
        health={own ? [own] : []}
        fixed={id}
      >
        Send a test event to see the request and your receiver's response.
      </DeliveryLog>
    </div>
  );
}
