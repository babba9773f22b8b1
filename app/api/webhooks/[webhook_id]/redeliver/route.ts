import { redeliverFailed } from "@/lib/events/webhooks/redeliver-failed";
import { RedeliverInput } from "@/lib/events/webhooks/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: RedeliverInput,
  handle: ({ ctx, params, body }) => redeliverFailed(ctx, params.webhook_id ?? "", body.since),
  status: 202,
  serialize: ({ queued, more }) => ({ queued, has_more: more }),
});
