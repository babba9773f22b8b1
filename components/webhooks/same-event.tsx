"use client";

import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { Card } from "@/components/ui/card";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { DeliveryListResponse } from "./delivery-list";
import { DeliveryStatus } from "./delivery-status";
import { deliveriesPath } from "./paths";
import { outcomeOf } from "./wording";

/** The deliveries of one event, newest first: to each webhook, including repeats. */
export function SameEvent({
  eventId,
  current,
  initial,
}: {
  eventId: string;
  /** Id of the delivery on whose page this is. */
  current: string;
  initial: DeliveryListResponse;
}) {
  const network = useNetwork();
  const query = { event_id: eventId, limit: String(initial.limit) };
  const { data = initial } = useResource<DeliveryListResponse>("/api/deliveries", { query, initial });
  return (
    <Card flush title="Deliveries of this event">
      <ol className="border-line border-t">
        {data.deliveries.map((delivery) => {
          const here = delivery.delivery_id === current;
          return (
            <li key={delivery.delivery_id} className="border-line border-t first:border-t-0">
              <Link
                href={`${deliveriesPath(network)}/${delivery.delivery_id}`}
                aria-current={here ? "page" : undefined}
                className={classNames(
                  "grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-3 text-sm -outline-offset-2 last:rounded-b-xl hover:bg-sunken/50 sm:px-5",
                  here && "bg-sunken/60",
                )}
              >
                <span className="truncate font-mono text-xs" title={delivery.url}>
                  {delivery.url.replace(/^https?:\/\//, "")}
                </span>
                <DeliveryStatus status={delivery.status} />
                <span className="col-span-2 mt-1 text-muted text-xs tabular-nums">
                  <Time value={delivery.created_at} seconds />, {outcomeOf(delivery)}
                  {delivery.attempt > 1 && `, ${delivery.attempt} attempts`}
                </span>
              </Link>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
