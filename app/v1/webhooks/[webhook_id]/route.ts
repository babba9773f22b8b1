import { route } from "@/lib/http/route";
import { deleteWebhook } from "@/lib/webhooks/delete-webhook";
import { UpdateWebhookInput } from "@/lib/webhooks/schema";
import { updateWebhook } from "@/lib/webhooks/update-webhook";
import { toWebhookResource } from "@/lib/webhooks/webhook-resource";

export const PATCH = route({
  auth: "apiKey",
  body: UpdateWebhookInput,
  handle: ({ ctx, params, body }) => updateWebhook(ctx, params.webhook_id ?? "", body),
  serialize: toWebhookResource,
});

export const DELETE = route({
  auth: "apiKey",
  handle: ({ ctx, params }) => deleteWebhook(ctx, params.webhook_id ?? ""),
  status: 204,
  serialize: () => null,
});
