"use client";

import { RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { BackLink } from "@/components/ui/back-link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Count } from "@/components/ui/count";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { eventsPath } from "@/components/webhooks/events/events-path";
import type { AttemptResource, DeliveryResource, toDeliveryDetails } from "@/lib/events/webhooks/delivery-resource";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import type { DeliveryListResponse } from "./delivery-list";
import { DeliveryStatus } from "./delivery-status";
import { FailingCallout } from "./failing-callout";
import { NextAttempt } from "./next-attempt";
import { deliveriesPath, webhooksPath } from "./paths";
import { RequestCard } from "./request-card";
import { SameEvent } from "./same-event";
import { useWebhookCall } from "./use-webhook-call";
import { failureOf, TRIGGER_SAYS } from "./wording";

type DeliveryDetailsResponse = ReturnType<typeof toDeliveryDetails>;

const POLL_MS = 2_000;

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-h-11 grid-cols-[minmax(5rem,1fr)_auto] items-center gap-4 py-2 text-sm">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right tabular-nums">{children}</dd>
    </div>
  );
}

function Outcome({ delivery }: { delivery: DeliveryResource }) {
  const { status, error, next_attempt_at, attempt } = delivery;
  if ((status !== "failed" && status !== "exhausted") || error === null) return null;
  const { title, remedy, detail } = failureOf(error);
  return (
    <Callout tone={status === "exhausted" ? "danger" : "warning"} title={`${title}: ${detail}`}>
      {remedy}{" "}
      {next_attempt_at ? (
        <>
          Attempt {attempt + 1}, at the earliest: <NextAttempt value={next_attempt_at} />.
        </>
      ) : (
        "It is not retried automatically."
      )}
    </Callout>
  );
}

/** One delivery: what was sent, every response, and the other deliveries of its event. */
export function DeliveryDetail({
  initial,
  others,
  enabled,
  health,
}: {
  initial: DeliveryDetailsResponse;
  /** All deliveries of the same event. */
  others: DeliveryListResponse;
  /** Whether the webhook is enabled, so that it can be sent to again. */
  enabled: boolean;
  /** The webhook's recent success rate. */
  health: HealthResource | undefined;
}) {
  const network = useNetwork();
  const router = useRouter();
  const call = useWebhookCall();
  const { busy, run } = useAsyncAction({ failed: "Nothing was sent" });
  const [polling, setPolling] = useState(false);
  const path = `/api/deliveries/${initial.delivery_id}` as const;
  const { data: delivery = initial } = useResource<DeliveryDetailsResponse>(path, {
    initial,
    refetchInterval: polling ? POLL_MS : false,
  });
  const { webhook_id, event_id, event, trigger, status, attempt, request } = delivery;
  const open = status === "pending" || status === "failed";
  if (open !== polling) setPolling(open);

  const resend = () =>
    run(async () => {
      const again = await call((api) => api.post<DeliveryResource>(`/v1/webhooks/${webhook_id}/replay/${event_id}`));
      router.push(`${deliveriesPath(network)}/${again.delivery_id}`);
    });

  return (
    <>
      <PageHeader
        back={<BackLink href={`${webhooksPath(network)}/${webhook_id}`}>{delivery.url}</BackLink>}
        title={<span className="wrap-anywhere">{event}</span>}
        description={
          <>
            {TRIGGER_SAYS[trigger]}, <Time value={delivery.created_at} seconds />
          </>
        }
        action={
          trigger === "test" ? undefined : (
            <Button
              tone="primary"
              busy={busy}
              disabled={!enabled}
              icon={<RotateCcw size={15} aria-hidden="true" />}
              onClick={resend}
            >
              Resend
            </Button>
          )
        }
      />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start lg:gap-6">
        <div className="grid min-w-0 grid-cols-1 gap-4">
          {open && health?.failing_since ? (
            // Says why and when it goes on for all deliveries that wait, this one among them.
            <FailingCallout webhookId={webhook_id} health={health} />
          ) : (
            <Outcome delivery={delivery} />
          )}
          <AttemptsCard delivery={delivery} />
          <RequestCard request={request} />
        </div>
        <div className="grid gap-4 max-lg:order-first">
          <Card className="[&>div]:py-2!">
            <dl className="divide-y divide-line">
              <Fact name="Status">
                <span aria-live="polite">
                  {open && health?.failing_since ? (
                    <Badge tone="warning">Waiting for the endpoint</Badge>
                  ) : (
                    <DeliveryStatus status={status} />
                  )}
                </span>
              </Fact>
              <Fact name="Attempts">{attempt}</Fact>
              {delivery.attempted_at && (
                <Fact name="Newest attempt">
                  <Time value={delivery.attempted_at} seconds className="whitespace-nowrap" />
                </Fact>
              )}
              {delivery.next_attempt_at && (
                <Fact name={health?.failing_since ? "Next attempt, at the earliest" : "Next attempt"}>
                  <NextAttempt value={delivery.next_attempt_at} />
                </Fact>
              )}
              {delivery.duration_ms !== null && (
                <Fact name="Took">
                  <Count value={delivery.duration_ms} /> ms
                </Fact>
              )}
              <Fact name="Delivery">
                <CopyButton value={delivery.delivery_id} label="delivery ID" text="Copy ID" />
              </Fact>
              {trigger !== "test" && (
                <Fact name="Event">
                  <Link
                    href={`${eventsPath(network)}/${event_id}`}
                    className="text-accent underline-offset-4 hover:underline"
                  >
                    View event
                  </Link>
                </Fact>
              )}
            </dl>
          </Card>
          <div className="max-lg:hidden">
            <SameEvent eventId={event_id} current={delivery.delivery_id} initial={others} />
          </div>
        </div>
        <div className="lg:hidden">
          <SameEvent eventId={event_id} current={delivery.delivery_id} initial={others} />
        </div>
      </div>
    </>
  );
}

/** The result of one attempt: its status, or why there was none. */
function Result({ response_code, error }: AttemptResource) {
  if (error === null) return <Badge tone="success">{response_code}</Badge>;
  return response_code === null ? (
    <Badge tone="danger">{failureOf(error).title}</Badge>
  ) : (
    <Badge tone="danger">{response_code}</Badge>
  );
}

function Attempt({ attempt, moved }: { attempt: AttemptResource; moved: boolean }) {
  const { response_body, response_code } = attempt;
  return (
    <li className="grid gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm tabular-nums">
        <span className="flex items-center gap-2.5">
          <span className="text-muted">{attempt.attempt}</span>
          <Result {...attempt} />
        </span>
        <span className="text-muted text-xs">
          <Time value={attempt.attempted_at} seconds />, <Count value={attempt.duration_ms} /> ms
        </span>
      </div>
      {moved && <p className="wrap-anywhere font-mono text-muted text-xs">{attempt.url}</p>}
      {response_body && <CodeBlock title="Response, up to 256 bytes" code={response_body} />}
      {response_code !== null && response_body === "" && (
        <p className="text-muted text-xs">The response had no body.</p>
      )}
    </li>
  );
}

/** Every attempt of a delivery with its response, newest first. */
function AttemptsCard({ delivery }: { delivery: DeliveryResource }) {
  const { attempts, url } = delivery;
  if (attempts.length === 0) return <Card title="Attempts" description="Waiting for the first attempt." />;
  const unstored = attempts.some(
    ({ response_code, response_body }) => response_code !== null && response_body === null,
  );
  return (
    <Card
      title="Attempts"
      description={unstored ? "Responses are not stored. You can turn this on when you edit the webhook." : undefined}
    >
      <ol className="divide-y divide-line">
        {[...attempts].reverse().map((attempt) => (
          <Attempt key={attempt.attempt} attempt={attempt} moved={attempt.url !== url} />
        ))}
      </ol>
    </Card>
  );
}
