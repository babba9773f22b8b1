import { Badge } from "@/components/ui/badge";
import type { DeliveryResource } from "@/lib/events/webhooks/delivery-resource";
import { STATUS_SHOWN } from "./wording";

/** A delivery's status. */
export function DeliveryStatus({ status }: { status: DeliveryResource["status"] }) {
  const { name, tone } = STATUS_SHOWN[status];
  return <Badge tone={tone}>{name}</Badge>;
}
