import type { FoundResource } from "@/lib/payments/search/found-resource";

const NAMES: Record<FoundResource["type"], string> = {
  transfer: "Transfer",
  held_payment: "Payment for approval",
  agent: "Agent",
  api_key: "API key",
  webhook: "Webhook",
  delivery: "Delivery",
  event: "Event",
  payment_request: "Payment request",
  payout: "Payout",
  schedule: "Schedule",
  schedule_run: "Scheduled payment",
};

/** Returns the name of a search result and the page that shows it. */
export function resultPlace(
  base: string,
  { type, id, name, status, part_of }: FoundResource,
): Record<"label" | "detail" | "href", string> {
  const label = name === null ? NAMES[type] : `${NAMES[type]} ${type === "transfer" ? "with " : ""}${name}`;
  const state = status === null ? "" : ` · ${status.replaceAll("_", " ")}`;
  return { label, detail: `${id.slice(0, 8)}…${id.slice(-4)}${state}`, href: `${base}${pathOf(type, id, part_of)}` };
}

function pathOf(type: FoundResource["type"], id: string, partOf: string | null): string {
  switch (type) {
    case "transfer":
      return `/transfers/${id}`;
    case "held_payment":
      return `/approvals?open=${id}`;
    case "agent":
      return `/agents/${id}`;
    case "api_key":
      return "/developers/keys";
    case "webhook":
      return `/developers/webhooks/${id}`;
    case "delivery":
      return `/developers/webhooks/deliveries/${id}`;
    case "event":
      return `/developers/events/${id}`;
    case "payment_request":
      return `/requests/${id}`;
    case "payout":
      return `/payouts/${id}`;
    case "schedule":
      return `/schedules/${id}`;
    case "schedule_run":
      return `/schedules/${partOf}`;
  }
}
