import { toDeliveryResource } from "@/lib/events/webhooks/delivery-resource";
import { enqueueTest } from "@/lib/events/webhooks/enqueue-test";
import { TestWebhookInput } from "@/lib/events/webhooks/schema";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: TestWebhookInput,
  handle: ({ ctx, params, body }) => enqueueTest(ctx, params.webhook_id ?? "", body),
  status: 202,
  serialize: toDeliveryResource,
});
