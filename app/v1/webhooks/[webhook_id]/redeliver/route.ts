import { route } from "@/lib/http/route";
import { redeliverFailed } from "@/lib/webhooks/redeliver-failed";
import { RedeliverInput } from "@/lib/webhooks/schema";

export const POST = route({
  auth: "apiKey",
  idempotent: true,
  body: RedeliverInput,
  handle: ({ ctx, params, body, beforeCommit }) =>
    redeliverFailed(ctx, params.webhook_id ?? "", body.since, beforeCommit),
  status: 202,
  serialize: ({ queued, more }) => ({ queued, has_more: more }),
});
