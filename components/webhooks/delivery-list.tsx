"use client";

import type { ReactNode } from "react";
import { useNetwork } from "@/components/api/network-context";
import { type ListProps, useList } from "@/components/lists/use-list";
import { Pagination } from "@/components/ui/pagination";
import type { toDeliveryList } from "@/lib/events/webhooks/delivery-resource";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import { DeliveryTable } from "./delivery-table";
import { deliveriesPath } from "./paths";

export type DeliveryListResponse = ReturnType<typeof toDeliveryList>;

interface DeliveryListProps extends ListProps<DeliveryListResponse> {
  showUrl: boolean;
  /** The health of the webhooks: why deliveries wait. */
  health: readonly HealthResource[];
  /** Shown if there are no deliveries. */
  empty: ReactNode;
}

/** A page of deliveries. */
export function DeliveryList({ path, linkQuery, showUrl, health, empty, ...page }: DeliveryListProps) {
  const network = useNetwork();
  const { deliveries, limit, offset, has_more } = useList("/api/deliveries", page, (list) =>
    list.deliveries.some(({ status }) => status === "pending" || status === "failed"),
  );
  if (deliveries.length === 0) return <div className="border-line border-t">{empty}</div>;
  return (
    <>
      <DeliveryTable path={deliveriesPath(network)} deliveries={deliveries} health={health} showUrl={showUrl} />
      <Pagination
        path={path}
        query={linkQuery}
        limit={limit}
        offset={offset}
        hasMore={has_more}
        count={deliveries.length}
      />
    </>
  );
}
