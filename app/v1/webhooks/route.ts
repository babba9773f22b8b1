import { route } from "@/lib/http/route";
import { createWebhook } from "@/lib/webhooks/create-webhook";
import { listWebhooks } from "@/lib/webhooks/list-webhooks";
import { CreateWebhookInput } from "@/lib/webhooks/schema";
import { toCreatedWebhook, toWebhookList } from "@/lib/webhooks/webhook-resource";

export const POST = route({
  auth: "apiKey",
  idempotent: true,
  body: CreateWebhookInput,
  handle: ({ ctx, body, beforeCommit }) => createWebhook(ctx, body, beforeCommit),
  status: 201,
  serialize: toCreatedWebhook,
});

export const GET = route({
  auth: "apiKey",
  handle: ({ ctx }) => listWebhooks(ctx),
  serialize: toWebhookList,
});
