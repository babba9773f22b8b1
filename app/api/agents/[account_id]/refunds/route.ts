import { getRefundsSetting, type RefundsSetting, setRefundsSetting } from "@/lib/agents/refunds-setting";
import { SetRefundsInput } from "@/lib/agents/schema";
import { route } from "@/lib/http/route";

const serialize = ({ agentId, refunds }: RefundsSetting) => ({ account_id: agentId, refunds });

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => getRefundsSetting(ctx, params.account_id ?? ""),
  serialize,
});

export const POST = route({
  auth: "session",
  body: SetRefundsInput,
  handle: ({ ctx, params, body }) => setRefundsSetting(ctx, params.account_id ?? "", body.refunds),
  serialize,
});
