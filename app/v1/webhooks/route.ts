import { pageOf } from "@/lib/base/paging";
import { createWebhook } from "@/lib/events/webhooks/create-webhook";
import { listWebhooks } from "@/lib/events/webhooks/list-webhooks";
import { CreateWebhookInput, ListWebhooksQuery } from "@/lib/events/webhooks/schema";
import { CreatedWebhook, toCreatedWebhook, toWebhookList, WebhookList } from "@/lib/events/webhooks/webhook-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: ["key", "session"],
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
  auth: ["key", "session"],
  scope: "read",
  docs: {
    operationId: "listWebhooks",
    tag: "Webhooks",
    summary: "List webhooks",
    description:
      "Returns the webhooks of the account, oldest first and without secrets: all of them, or a page with `limit`.",
  },
  responses: { 200: WebhookList },
  query: ListWebhooksQuery,
  handle: async ({ ctx, query }) => pageOf(await listWebhooks(ctx), query),
  serialize: toWebhookList,
});
