import { rotateSecret } from "@/lib/events/webhooks/rotate-secret";
import { toRotatedWebhook } from "@/lib/events/webhooks/webhook-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  handle: ({ ctx, params }) => rotateSecret(ctx, params.webhook_id ?? ""),
  serialize: toRotatedWebhook,
});
