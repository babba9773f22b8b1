import { DeliveryResource, toQueuedDelivery } from "@/lib/events/webhooks/delivery-resource";
import { enqueueTest } from "@/lib/events/webhooks/enqueue-test";
import { TestWebhookInput } from "@/lib/events/webhooks/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: ["key", "session"],
  scope: "webhooks",
  idempotent: true,
  docs: {
    operationId: "testWebhook",
    tag: "Webhooks",
    summary: "Send a test event",
    description: "Sends a sample event of the type you choose, marked `test: true`.",
  },
  body: TestWebhookInput,
  handle: ({ ctx, params, body, beforeCommit }) => enqueueTest(ctx, params.webhook_id ?? "", body, beforeCommit),
  responses: { 202: DeliveryResource },
  serialize: toQueuedDelivery,
});
