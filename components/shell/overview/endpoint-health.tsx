import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Arrivals } from "@/components/webhooks/arrivals";
import { WebhookState } from "@/components/webhooks/webhook-state";
import { inOrderOfNeed } from "@/components/webhooks/wording";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import type { WebhookResource } from "@/lib/events/webhooks/webhook-resource";

/** The most endpoints to show. Failing ones come first. */
const MOST = 5;

/** Shows the state of the account's endpoints. Renders nothing if there are none. */
export function EndpointHealth({
  path,
  webhooks,
}: {
  path: string;
  webhooks: readonly { webhook: WebhookResource; health?: HealthResource }[];
}) {
  if (webhooks.length === 0) return null;
  return (
    <Card
      flush
      title="Webhooks"
      action={
        <Link href={path} className="text-accent text-sm underline-offset-4 hover:underline">
          All webhooks
        </Link>
      }
    >
      <ul className="divide-y divide-line border-line border-t">
        {inOrderOfNeed(webhooks)
          .slice(0, MOST)
          .map(({ webhook, health }) => (
            <li
              key={webhook.webhook_id}
              className="relative flex items-center gap-4 px-4 py-3 text-sm hover:bg-sunken/50 sm:px-5"
            >
              <Link
                href={`${path}/${webhook.webhook_id}`}
                className="min-w-0 flex-1 truncate font-mono text-[13px] after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
              >
                {webhook.url.replace(/^https?:\/\//, "")}
              </Link>
              {health && <Arrivals arrived={health.arrived} className="max-sm:hidden" />}
              <WebhookState webhook={webhook} health={health} />
            </li>
          ))}
      </ul>
    </Card>
  );
}
