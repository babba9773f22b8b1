import { route } from "@/lib/http/route";
import { RedeliveryResource } from "@/lib/webhooks/delivery-resource";
import { redeliverFailed } from "@/lib/webhooks/redeliver-failed";
import { RedeliverInput } from "@/lib/webhooks/schema";

export const POST = route({
  auth: "apiKey",
  scope: "webhooks",
  idempotent: true,
  docs: {
    operationId: "redeliverFailed",
    tag: "Webhooks",
    summary: "Redeliver what failed",
    description: "Sends again, now, every event since a time that did not arrive: at most 10,000 at once.",
  },
  body: RedeliverInput,
  handle: ({ ctx, params, body, beforeCommit }) =>
    redeliverFailed(ctx, params.webhook_id ?? "", body.since, beforeCommit),
  answers: { 202: RedeliveryResource },
  serialize: ({ queued, more }) => ({ queued, has_more: more }),
});
