import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { owner } from "@/app/(dashboard)/owner";
import { DeliveryDetail } from "@/components/webhooks/delivery-detail";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { toDeliveryDetails, toDeliveryList } from "@/lib/events/webhooks/delivery-resource";
import { getDelivery } from "@/lib/events/webhooks/get-delivery";
import { getWebhook } from "@/lib/events/webhooks/get-webhook";
import { listAllDeliveries } from "@/lib/events/webhooks/list-deliveries";
import { listHealth, toHealthResource } from "@/lib/events/webhooks/list-health";
import { ListAllDeliveriesQuery } from "@/lib/events/webhooks/schema";

export const metadata: Metadata = { title: "Delivery" };

/** How many deliveries of the same event to show. */
const OTHERS = "20";

async function find(ctx: SessionContext, id: string) {
  try {
    const details = toDeliveryDetails(await getDelivery(ctx, id));
    const [webhook, all, others] = await Promise.all([
      getWebhook(ctx, details.webhook_id),
      listHealth(ctx),
      listAllDeliveries(ctx, ListAllDeliveriesQuery.parse({ event_id: details.event_id, limit: OTHERS })),
    ]);
    const health = all.find(({ webhookId }) => webhookId === details.webhook_id);
    return { details, webhook, health: health && toHealthResource(health), others: toDeliveryList(others) };
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") notFound();
    throw error;
  }
}

/** One delivery: request, response, and the other deliveries of its event. */
export default async function DeliveryPage({ params }: { params: Promise<{ network: string; delivery: string }> }) {
  const { network, delivery: id } = await params;
  const { details, webhook, health, others } = await find(await owner(network), id);
  return <DeliveryDetail key={id} initial={details} others={others} enabled={webhook.enabled} health={health} />;
}
