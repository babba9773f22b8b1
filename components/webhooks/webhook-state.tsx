import { Badge } from "@/components/ui/badge";
import { Time } from "@/components/ui/time";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import type { WebhookResource } from "@/lib/events/webhooks/webhook-resource";
import { Arrivals } from "./arrivals";
import { STATUS_SHOWN } from "./wording";

/** Shows whether a webhook is enabled and whether its deliveries fail. */
export function WebhookState({ webhook, health }: { webhook: WebhookResource; health?: HealthResource }) {
  if (webhook.enabled && health?.failing_since) return <Badge tone="danger">Failing</Badge>;
  if (webhook.enabled) return <Badge tone="success">Enabled</Badge>;
  return <Badge tone={webhook.disabled_reason === "owner" ? "neutral" : "danger"}>Disabled</Badge>;
}

/** The outcome and, below it, the time of the newest attempt. */
export function LastDelivery({ health }: { health: HealthResource | undefined }) {
  if (!health?.last) return <span className="text-muted">None yet</span>;
  const { at, status, response_code } = health.last;
  const { name, tone } = STATUS_SHOWN[status];
  return (
    <span className="grid justify-items-start gap-1">
      <Badge tone={tone}>{response_code === null ? name : `${name} · ${response_code}`}</Badge>
      <Time value={at} className="whitespace-nowrap text-muted text-xs tabular-nums" />
    </span>
  );
}

/** A drawing of whether the newest deliveries succeeded. */
export function NewestOf({ health }: { health: HealthResource | undefined }) {
  if (!health || health.arrived.length === 0) return <span className="text-muted">–</span>;
  return <Arrivals arrived={health.arrived} />;
}

/** The share of the newest deliveries that failed. */
export function FailingRate({ health }: { health: HealthResource | undefined }) {
  if (!health || health.attempted === 0) return <span className="text-muted">–</span>;
  const { attempted, failed } = health;
  const percent = failed === 0 ? 0 : Math.max(1, Math.round((100 * failed) / attempted));
  return (
    <span className="whitespace-nowrap tabular-nums">
      <span className={failed > 0 ? "font-medium text-danger" : undefined}>{percent}%</span>{" "}
      <span className="text-muted text-xs">of {attempted}</span>
    </span>
  );
}
