import { rotateWebhookSecret } from "@/lib/events/webhooks/rotate-secret";
import { toRotatedWebhook } from "@/lib/events/webhooks/webhook-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  handle: ({ ctx, params }) => rotateWebhookSecret(ctx, params.webhook_id ?? ""),
  serialize: toRotatedWebhook,
});
