import { deleteWebhook } from "@/lib/events/webhooks/delete-webhook";
import { getWebhook } from "@/lib/events/webhooks/get-webhook";
import { UpdateWebhookInput } from "@/lib/events/webhooks/schema";
import { updateWebhook } from "@/lib/events/webhooks/update-webhook";
import { toWebhookResource } from "@/lib/events/webhooks/webhook-resource";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getWebhook(ctx, params.webhook_id ?? ""),
  serialize: toWebhookResource,
});

export const PATCH = route({
  auth: "session",
  body: UpdateWebhookInput,
  handle: ({ ctx, params, body }) => updateWebhook(ctx, params.webhook_id ?? "", body),
  serialize: toWebhookResource,
});

export const DELETE = route({
  auth: "session",
  handle: ({ ctx, params }) => deleteWebhook(ctx, params.webhook_id ?? ""),
  status: 204,
  serialize: () => null,
});
