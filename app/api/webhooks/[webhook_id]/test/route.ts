import { route } from "@/lib/http/route";
import { toDeliveryResource } from "@/lib/webhooks/delivery-resource";
import { enqueueTest } from "@/lib/webhooks/enqueue-test";
import { TestWebhookInput } from "@/lib/webhooks/schema";

export const POST = route({
  auth: "session",
  body: TestWebhookInput,
  handle: ({ ctx, params, body }) => enqueueTest(ctx, params.webhook_id ?? "", body),
  status: 202,
  serialize: toDeliveryResource,
});
