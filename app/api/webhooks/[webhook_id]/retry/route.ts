import { route } from "@/lib/http/route";
import { retryNow } from "@/lib/events/webhooks/retry-now";

export const POST = route({
  auth: "session",
  handle: ({ ctx, params }) => retryNow(ctx, params.webhook_id ?? ""),
  status: 202,
  serialize: (queued: number) => ({ queued }),
});
