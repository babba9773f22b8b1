import type { Verification } from "@/lib/accounts/kyc/provider";
import { VerifyIdentityInput } from "@/lib/accounts/kyc/schema";
import { verifyIdentity } from "@/lib/accounts/kyc/verify-identity";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: VerifyIdentityInput,
  handle: ({ ctx, body }) => verifyIdentity(ctx, body),
  serialize: ({ status, url }: Verification) => ({ kyc_status: status, ...(url === undefined ? {} : { url }) }),
});
