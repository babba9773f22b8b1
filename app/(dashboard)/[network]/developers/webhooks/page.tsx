import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { type ListPageProps, offsetOf } from "@/components/lists/search-params";
import { PageHeader } from "@/components/ui/page-header";
import { DeliveryLog } from "@/components/webhooks/delivery-log";
import { deliveriesQuery, readDeliveryFilters } from "@/components/webhooks/filters";
import { webhooksPath } from "@/components/webhooks/paths";
import { Webhooks } from "@/components/webhooks/webhooks";
import { env } from "@/lib/base/env";
import { listHealth, toHealthResource } from "@/lib/events/webhooks/list-health";
import { listWebhooks } from "@/lib/events/webhooks/list-webhooks";
import { toWebhookList } from "@/lib/events/webhooks/webhook-resource";
import { readLog } from "./read-log";

export const metadata: Metadata = { title: "Webhooks" };

/** The account's webhooks, and the deliveries of all of them. */
export default async function WebhooksPage({ params, searchParams }: ListPageProps) {
  const { network } = await params;
  const ctx = await owner(network);
  const search = await searchParams;
  const filters = readDeliveryFilters(search);
  const offset = offsetOf(search);
  const [rows, health, { response, problem }] = await Promise.all([
    listWebhooks(ctx),
    listHealth(ctx),
    readLog(ctx, deliveriesQuery(filters, offset)),
  ]);
  const list = toWebhookList({ entries: rows, hasMore: false });
  const healthShown = health.map(toHealthResource);
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Your servers get a signed request for each event. No event contains an amount."
      />
      <div className="grid grid-cols-1 gap-6">
        <Webhooks initial={list} health={healthShown} local={env().chains[ctx.network].local} />
        {list.webhooks.length > 0 && (
          <DeliveryLog
            path={webhooksPath(network)}
            filters={filters}
            offset={offset}
            response={response}
            problem={problem}
            health={healthShown}
            webhooks={list.webhooks.map(({ webhook_id, url }) => ({ value: webhook_id, name: url }))}
          >
            Each event that reaches a webhook is listed here with your server's response. To see one now, open a webhook
            and send a test event.
          </DeliveryLog>
        )}
      </div>
    </>
  );
}
