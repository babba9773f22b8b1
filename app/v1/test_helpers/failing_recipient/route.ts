import { route } from "@/lib/http/route";
import { failingRecipient } from "@/lib/payments/test-helpers/failing-recipient";
import { FailingRecipientResource } from "@/lib/payments/test-helpers/resource";

export const GET = route({
  auth: "key",
  scope: "read",
  agentKeys: "not_agent_owner",
  docs: {
    operationId: "getFailingRecipient",
    tag: "Test helpers",
    summary: "Get a recipient that fails",
    description:
      "Returns a recipient whose payments always fail: the chain refuses them, and a few seconds later you get `transfer.failed`. Pay it with an API key. What you pay before that payment has failed can fail with it.",
    errors: ["not_found", "recipient_not_found"],
  },
  handle: ({ ctx }) => failingRecipient(ctx),
  responses: { 200: FailingRecipientResource },
  serialize: ({ to }) => ({ to }),
});
