import { RedeliveryResource } from "@/lib/events/webhooks/delivery-resource";
import { redeliverFailed } from "@/lib/events/webhooks/redeliver-failed";
import { RedeliverInput } from "@/lib/events/webhooks/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: ["key", "session"],
  scope: "webhooks",
  idempotent: true,
  docs: {
    operationId: "redeliverFailed",
    tag: "Webhooks",
    summary: "Redeliver failed events",
    description: "Sends every event again whose delivery failed since a given time, up to 10,000 per request.",
  },
  body: RedeliverInput,
  handle: ({ ctx, params, body, beforeCommit }) =>
    redeliverFailed(ctx, params.webhook_id ?? "", body.since, beforeCommit),
  responses: { 202: RedeliveryResource },
  serialize: ({ queued, more }) => ({ queued, has_more: more }),
});
