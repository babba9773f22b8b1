import { enroll } from "@/lib/accounts/enroll";
import { EnrollInput } from "@/lib/accounts/schema";
import { toOperationResource } from "@/lib/chain/operations/operation-resource";
import { route } from "@/lib/http/route";

export const POST = route({
  auth: "session",
  body: EnrollInput,
  handle: ({ ctx, body }) => enroll(ctx, body),
  status: 202,
  serialize: toOperationResource,
});
