import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { owner } from "@/app/(dashboard)/owner";
import { Card } from "@/components/ui/card";
import { DeliveryList } from "@/components/webhooks/delivery-list";
import { EventHead, EventPayload } from "@/components/webhooks/events/event-detail";
import { eventsPath } from "@/components/webhooks/events/events-path";
import { SendEvent } from "@/components/webhooks/send-event";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { toEventResource } from "@/lib/events/event-resource";
import { getEvent } from "@/lib/events/get-event";
import { toDeliveryList } from "@/lib/events/webhooks/delivery-resource";
import { listAllDeliveries } from "@/lib/events/webhooks/list-deliveries";
import { listHealth, toHealthResource } from "@/lib/events/webhooks/list-health";
import { listWebhooks } from "@/lib/events/webhooks/list-webhooks";
import { ListAllDeliveriesQuery } from "@/lib/events/webhooks/schema";

export const metadata: Metadata = { title: "Event" };

/** How many deliveries of the event to show. */
const SHOWN = "50";

async function find(ctx: SessionContext, id: string) {
  try {
    return toEventResource(await getEvent(ctx, id));
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") notFound();
    throw error;
  }
}

/** One event and its deliveries. */
export default async function EventPage({ params }: { params: Promise<{ network: string; id: string }> }) {
  const { network, id } = await params;
  const ctx = await owner(network);
  const event = await find(ctx, id);
  const query = { event_id: event.event_id, limit: SHOWN, offset: "0" };
  const [webhooks, health, page] = await Promise.all([
    listWebhooks(ctx),
    listHealth(ctx),
    listAllDeliveries(ctx, ListAllDeliveriesQuery.parse(query)),
  ]);
  const deliveries = toDeliveryList(page);
  const destinations = webhooks
    .filter(({ enabled }) => enabled)
    .map(({ id: webhook_id, url }) => ({ webhook_id, url }));
  return (
    <>
      <EventHead event={event} network={network} />
      <div className="grid grid-cols-1 gap-6">
        <EventPayload event={event} />
        <Card
          flush
          title="Deliveries"
          action={destinations.length > 0 ? <SendEvent eventId={id} webhooks={destinations} /> : undefined}
        >
          <DeliveryList
            path={`${eventsPath(network)}/${id}`}
            query={query}
            linkQuery={{}}
            initial={deliveries}
            health={health.map(toHealthResource)}
            showUrl
            empty={
              <p className="px-4 py-5 text-muted text-sm sm:px-5">
                Not delivered: no webhook subscribed to this event type when it happened.
              </p>
            }
          />
        </Card>
      </div>
    </>
  );
}
