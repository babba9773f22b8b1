import { pageOf } from "@/lib/base/paging";
import { createWebhook } from "@/lib/events/webhooks/create-webhook";
import { listWebhooks } from "@/lib/events/webhooks/list-webhooks";
import { CreateWebhookInput, ListWebhooksQuery } from "@/lib/events/webhooks/schema";
import { toCreatedWebhook, toWebhookList } from "@/lib/events/webhooks/webhook-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: CreateWebhookInput,
  handle: ({ ctx, body }) => createWebhook(ctx, body),
  status: 201,
  serialize: toCreatedWebhook,
});

export const GET = route({
  auth: "session",
  query: ListWebhooksQuery,
  handle: async ({ ctx, query }) => pageOf(await listWebhooks(ctx), query),
  serialize: toWebhookList,
});
