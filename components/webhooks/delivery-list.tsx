"use client";

import { type ReactNode, useState } from "react";
import { useResource } from "@/components/api/use-resource";
import { useNetwork } from "@/components/shell/network-context";
import { Pagination } from "@/components/ui/pagination";
import type { toDeliveryList } from "@/lib/webhooks/delivery-resource";
import { DeliveryTable } from "./delivery-table";
import { deliveriesPath } from "./paths";

export type DeliveryListAnswer = ReturnType<typeof toDeliveryList>;

/** The stream tells when attempts have ended; where it does not come through, what is due is asked after. */
const POLL_MS = 5_000;

/** A page of deliveries as the server rendered it, then kept fresh. */
export function DeliveryList({
  path,
  query,
  linkQuery,
  initial,
  showUrl,
  empty,
}: {
  path: string;
  /** Of `GET /api/deliveries`. */
  query: Record<string, string>;
  /** The page's own parameters, for links to other pages. */
  linkQuery: Record<string, string | undefined>;
  initial: DeliveryListAnswer;
  showUrl: boolean;
  /** Shown while there is none. */
  empty: ReactNode;
}) {
  const network = useNetwork();
  const [polling, setPolling] = useState(false);
  const refetchInterval = polling ? POLL_MS : false;
  const { data = initial } = useResource<DeliveryListAnswer>("/api/deliveries", { query, initial, refetchInterval });
  const open = data.deliveries.some(({ status }) => status === "pending" || status === "failed");
  if (open !== polling) setPolling(open);
  if (data.deliveries.length === 0) return <div className="border-line border-t">{empty}</div>;
  return (
    <>
      <DeliveryTable path={deliveriesPath(network)} deliveries={data.deliveries} showUrl={showUrl} />
      <Pagination path={path} query={linkQuery} limit={data.limit} offset={data.offset} hasMore={data.has_more} />
    </>
  );
}
