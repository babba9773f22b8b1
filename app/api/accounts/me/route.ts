import { toOwnAccountResource } from "@/lib/accounts/account-resource";
import { getEnrollment } from "@/lib/accounts/get-enrollment";
import { UpdateAccountInput } from "@/lib/accounts/schema";
import { setBatchPayments } from "@/lib/accounts/set-batch-payments";
import { setStrict } from "@/lib/accounts/set-strict";
import type { SessionContext } from "@/lib/base/context/context";
import { route } from "@/lib/http/route";

const own = async (ctx: SessionContext) => ({
  account: ctx.account,
  network: ctx.network,
  enrollment: await getEnrollment(ctx),
});

export const GET = route({
  auth: "session",
  handle: ({ ctx }) => own(ctx),
  serialize: toOwnAccountResource,
});

export const PATCH = route({
  auth: "session",
  body: UpdateAccountInput,
  handle: async ({ ctx, body }) => {
    if (body.strict !== undefined) await setStrict(ctx, body.strict);
    if (body.batch_payments !== undefined) await setBatchPayments(ctx, body.batch_payments);
    return own(ctx);
  },
  serialize: toOwnAccountResource,
});
