import { route } from "@/lib/http/route";
import { toDeliveryResource } from "@/lib/webhooks/delivery-resource";
import { enqueueTest } from "@/lib/webhooks/enqueue-test";
import { TestWebhookInput } from "@/lib/webhooks/schema";

export const POST = route({
  auth: "apiKey",
  idempotent: true,
  body: TestWebhookInput,
  handle: ({ ctx, params, body, beforeCommit }) => enqueueTest(ctx, params.webhook_id ?? "", body, beforeCommit),
  status: 202,
  serialize: toDeliveryResource,
});
