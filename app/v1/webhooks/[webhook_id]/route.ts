import { route } from "@/lib/http/route";
import { deleteWebhook } from "@/lib/webhooks/delete-webhook";
import { UpdateWebhookInput } from "@/lib/webhooks/schema";
import { updateWebhook } from "@/lib/webhooks/update-webhook";
import { toWebhookResource, WebhookResource } from "@/lib/webhooks/webhook-resource";

export const PATCH = route({
  auth: "apiKey",
  scope: "webhooks",
  docs: {
    operationId: "updateWebhook",
    tag: "Webhooks",
    summary: "Change a webhook",
    description: "Changes the fields that are sent; `enabled: true` takes up a disabled one again.",
  },
  answers: { 200: WebhookResource },
  body: UpdateWebhookInput,
  handle: ({ ctx, params, body }) => updateWebhook(ctx, params.webhook_id ?? "", body),
  serialize: toWebhookResource,
});

export const DELETE = route({
  auth: "apiKey",
  scope: "webhooks",
  docs: {
    operationId: "deleteWebhook",
    tag: "Webhooks",
    summary: "Delete a webhook",
    description: "At once: nothing more is delivered to it.",
  },
  handle: ({ ctx, params }) => deleteWebhook(ctx, params.webhook_id ?? ""),
  answers: { 204: null },
  serialize: () => null,
});
