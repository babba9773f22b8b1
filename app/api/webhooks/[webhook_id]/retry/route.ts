import { retryNow } from "@/lib/events/webhooks/retry-now";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  handle: ({ ctx, params }) => retryNow(ctx, params.webhook_id ?? ""),
  status: 202,
  serialize: (queued: number) => ({ queued }),
});
