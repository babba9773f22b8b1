import type { Metadata } from "next";
import { pageMetadata } from "@/app/docs/page-metadata";
import { Anchored } from "@/components/docs/anchored";
import { Fields } from "@/components/docs/fields";
import { JsonExample } from "@/components/docs/operation";
import { PageTitle } from "@/components/docs/page-title";
import { Pager } from "@/components/docs/pager";
import { Text } from "@/components/docs/text";
import { apiReference } from "@/lib/http/docs/api-reference";

export const metadata: Metadata = pageMetadata("/docs/api/event-types", {
  title: "Event types, API reference",
  description: "What events and webhooks carry, type by type. None holds an amount.",
});

/** The payload of each event type, with a recorded example. */
export default async function EventTypes() {
  const { events } = await apiReference();
  return (
    <article className="docs-prose docs-reference">
      <PageTitle
        title="Event types"
        description="What events and webhooks carry, type by type. None holds an amount."
      />
      <p>
        <a href="/docs/api/events">The list of events</a> and <a href="/docs/api/webhooks">deliveries to a webhook</a>{" "}
        show the same bodies. <a href="/docs/webhooks">Receive events</a> explains how to handle them, and{" "}
        <a href="/docs/verify-webhook-signatures">Verify signatures</a> how to check where they come from.
      </p>
      {events.map(({ type, description, fields, example }) => (
        <section key={type} className="docs-operation" aria-labelledby={type}>
          <div>
            <Anchored depth={2} id={type}>
              <span className="font-mono">{type}</span>
            </Anchored>
            <Text>{description}</Text>
            <Fields fields={fields} sent={false} />
          </div>
          <div className="docs-operation-samples">
            {example === undefined ? null : <JsonExample title="A delivery" value={example} />}
          </div>
        </section>
      ))}
      <Pager href="/docs/api/event-types" />
    </article>
  );
}
