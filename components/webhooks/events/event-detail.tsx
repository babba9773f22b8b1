import { Fragment } from "react";
import { BackLink } from "@/components/ui/back-link";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import type { EventResource } from "@/lib/events/payloads";
import { eventsPath } from "./events-path";
import { objectOf } from "./object-of";
import { EVENT_SAYS } from "./wording";

/** An event type that can wrap between its words. */
function TypeName({ type }: { type: string }) {
  return type.split(/(?<=[._])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one name never change places
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** The head of an event's page. */
export function EventHead({ event, network }: { event: EventResource; network: string }) {
  const object = objectOf(event, network);
  return (
    <PageHeader
      back={<BackLink href={eventsPath(network)}>Events</BackLink>}
      title={<TypeName type={event.event} />}
      description={
        <>
          {EVENT_SAYS[event.event]} Account: {event.account},{" "}
          <Time value={event.timestamp} seconds className="whitespace-nowrap" />.{" "}
          <Link href={object.href} className="whitespace-nowrap text-accent underline underline-offset-4">
            {object.name}
          </Link>
        </>
      }
    />
  );
}

/** The payload, as webhooks receive it. */
export function EventPayload({ event }: { event: EventResource }) {
  return (
    <Card title="Payload" description="As webhooks get it, indented.">
      <CodeBlock title="JSON" code={JSON.stringify(event, null, 2)} />
    </Card>
  );
}
