import { deleteDisclosure } from "@/lib/accounts/shared-views/delete-disclosure";
import { route } from "@/lib/http/route";

export const DELETE = route({
  auth: "session",
  handle: ({ ctx, params }) => deleteDisclosure(ctx, params.disclosure_id ?? ""),
  status: 204,
  serialize: () => null,
});
