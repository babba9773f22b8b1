import { route } from "@/lib/http/route";
import { deleteWebhook } from "@/lib/webhooks/delete-webhook";
import { getWebhook } from "@/lib/webhooks/get-webhook";
import { UpdateWebhookInput } from "@/lib/webhooks/schema";
import { updateWebhook } from "@/lib/webhooks/update-webhook";
import { toWebhookResource } from "@/lib/webhooks/webhook-resource";

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
