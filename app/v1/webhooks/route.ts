import { route } from "@/lib/http/route";
import { createWebhook } from "@/lib/webhooks/create-webhook";
import { listWebhooks } from "@/lib/webhooks/list-webhooks";
import { CreateWebhookInput } from "@/lib/webhooks/schema";
import { CreatedWebhook, toCreatedWebhook, toWebhookList, WebhookList } from "@/lib/webhooks/webhook-resource";

export const POST = route({
  auth: "apiKey",
  scope: "webhooks",
  idempotent: true,
  docs: {
    operationId: "createWebhook",
    tag: "Webhooks",
    summary: "Create a webhook",
    description:
      "Subscribes an https endpoint to event types of the account and all its agents. Only this response contains the secret that signs deliveries.",
  },
  body: CreateWebhookInput,
  handle: ({ ctx, body, beforeCommit }) => createWebhook(ctx, body, beforeCommit),
  responses: { 201: CreatedWebhook },
  serialize: toCreatedWebhook,
});

export const GET = route({
  auth: "apiKey",
  scope: "read",
  docs: {
    operationId: "listWebhooks",
    tag: "Webhooks",
    summary: "List webhooks",
    description: "Returns every webhook of the account, without secrets. The list has no pages.",
  },
  responses: { 200: WebhookList },
  handle: ({ ctx }) => listWebhooks(ctx),
  serialize: toWebhookList,
});
