import { rotateWebhookSecret } from "@/lib/events/webhooks/rotate-secret";
import { RotatedWebhook, toRotatedWebhook } from "@/lib/events/webhooks/webhook-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: ["key", "session"],
  scope: "webhooks",
  idempotent: true,
  docs: {
    operationId: "rotateSecret",
    tag: "Webhooks",
    summary: "Rotate a webhook's secret",
    description: "Creates a new secret. For 24 hours, deliveries are signed with the previous secret too.",
  },
  responses: { 200: RotatedWebhook },
  handle: ({ ctx, params, beforeCommit }) => rotateWebhookSecret(ctx, params.webhook_id ?? "", beforeCommit),
  serialize: toRotatedWebhook,
});
