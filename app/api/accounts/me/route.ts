import { toOwnAccountResource } from "@/lib/accounts/account-resource";
import { getEnrollment } from "@/lib/accounts/get-enrollment";
import { UpdateAccountInput } from "@/lib/accounts/schema";
import { setStrict } from "@/lib/accounts/set-strict";
import type { SessionContext } from "@/lib/context/context";
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
    await setStrict(ctx, body.strict);
    return own(ctx);
  },
  serialize: toOwnAccountResource,
});
