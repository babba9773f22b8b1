import { route } from "@/lib/http/route";
import { rotateSecret } from "@/lib/webhooks/rotate-secret";
import { toRotatedWebhook } from "@/lib/webhooks/webhook-resource";

export const POST = route({
  auth: "apiKey",
  idempotent: true,
  handle: ({ ctx, params, beforeCommit }) => rotateSecret(ctx, params.webhook_id ?? "", beforeCommit),
  serialize: toRotatedWebhook,
});
