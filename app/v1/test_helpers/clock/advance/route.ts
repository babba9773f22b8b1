import { route } from "@/lib/http/route";
import { advanceClock } from "@/lib/payments/test-helpers/advance-clock";
import { ClockResource, toClockResource } from "@/lib/payments/test-helpers/resource";
import { AdvanceClockInput } from "@/lib/payments/test-helpers/schema";

export const POST = route({
  auth: "key",
  scope: "approvals",
  agentKeys: "not_agent_owner",
  idempotent: true,
  docs: {
    operationId: "advanceClock",
    tag: "Test helpers",
    summary: "Let time pass",
    description:
      "Lets time pass for what waits in your account: windows of payments awaiting approval, the next attempts of webhook deliveries and how long an endpoint has failed, and the expiry of API keys. The clocks of the machine and the chain don't change.",
    errors: ["not_found"],
  },
  body: AdvanceClockInput,
  handle: ({ ctx, body, beforeCommit }) => advanceClock(ctx, body, beforeCommit),
  responses: { 200: ClockResource },
  serialize: toClockResource,
});
