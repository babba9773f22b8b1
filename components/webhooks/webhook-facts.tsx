import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Time } from "@/components/ui/time";
import { EVENT_SAYS } from "@/components/webhooks/events/wording";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import type { WebhookResource } from "@/lib/events/webhooks/webhook-resource";
import { Arrivals } from "./arrivals";
import { FailingRate, LastDelivery } from "./webhook-state";

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1 border-line px-4 py-3.5 sm:px-5">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="text-sm">{children}</dd>
    </div>
  );
}

/** The facts of a webhook, besides its log. */
export function WebhookFacts({
  webhook,
  health,
  previousUntil,
}: {
  webhook: WebhookResource;
  health: HealthResource | undefined;
  previousUntil: string | null;
}) {
  const { events, webhook_id, created_at } = webhook;
  return (
    <Card flush className="overflow-hidden [&>div]:mt-0">
      <dl className="grid grid-cols-2 divide-line lg:grid-cols-4 lg:divide-x max-lg:[&>*:nth-child(n+3)]:border-t">
        <Figure name="Last delivery">
          <LastDelivery health={health} />
        </Figure>
        <Figure name="Failed, of the newest">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <FailingRate health={health} />
            <Arrivals arrived={health?.arrived ?? []} />
          </span>
        </Figure>
        <Figure name="Signed with">
          {previousUntil ? (
            <>
              Two secrets
              <span className="block text-muted text-xs">
                the old one until <Time value={previousUntil} className="whitespace-nowrap" />
              </span>
            </>
          ) : (
            "One secret"
          )}
        </Figure>
        <Figure name="Added">
          <Time value={created_at} />
        </Figure>
      </dl>
      <div className="border-line border-t px-4 py-3.5 sm:px-5">
        <h2 className="text-muted text-xs">
          {events.length === EVENT_TYPES.length ? "All events" : `${events.length} of ${EVENT_TYPES.length} events`}
        </h2>
        <ul className="mt-2 flex flex-wrap gap-1.5 empty:hidden">
          {(events.length === EVENT_TYPES.length ? [] : events).map((type) => (
            <li
              key={type}
              title={EVENT_SAYS[type]}
              className="wrap-anywhere rounded-md bg-sunken px-2 py-1 font-mono text-xs"
            >
              {type}
            </li>
          ))}
        </ul>
        <p className="mt-3 flex items-center gap-0.5 text-muted text-xs">
          <span className="wrap-anywhere font-mono">{webhook_id}</span>
          <CopyButton value={webhook_id} label="webhook ID" />
        </p>
      </div>
    </Card>
  );
}
