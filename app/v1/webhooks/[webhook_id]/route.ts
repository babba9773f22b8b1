import { deleteWebhook } from "@/lib/events/webhooks/delete-webhook";
import { UpdateWebhookInput } from "@/lib/events/webhooks/schema";
import { updateWebhook } from "@/lib/events/webhooks/update-webhook";
import { toWebhookResource, WebhookResource } from "@/lib/events/webhooks/webhook-resource";
import { route } from "@/lib/http/route";

export const PATCH = route({
  auth: ["key", "session"],
  scope: "webhooks",
  docs: {
    operationId: "updateWebhook",
    tag: "Webhooks",
    summary: "Change a webhook",
    description: "Changes the fields you send. Set `enabled` to `true` to enable a disabled webhook again.",
  },
  responses: { 200: WebhookResource },
  body: UpdateWebhookInput,
  handle: ({ ctx, params, body }) => updateWebhook(ctx, params.webhook_id ?? "", body),
  serialize: toWebhookResource,
});

export const DELETE = route({
  auth: ["key", "session"],
  scope: "webhooks",
  docs: {
    operationId: "deleteWebhook",
    tag: "Webhooks",
    summary: "Delete a webhook",
    description: "Deletes the webhook. Deliveries stop immediately.",
  },
  handle: ({ ctx, params }) => deleteWebhook(ctx, params.webhook_id ?? ""),
  responses: { 204: null },
  serialize: () => null,
});
