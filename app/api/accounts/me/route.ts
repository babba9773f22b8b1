import { toOwnAccountResource } from "@/lib/accounts/account-resource";
import { getEnrollment } from "@/lib/accounts/get-enrollment";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: async ({ ctx }) => ({ account: ctx.account, network: ctx.network, enrollment: await getEnrollment(ctx) }),
  serialize: toOwnAccountResource,
});
