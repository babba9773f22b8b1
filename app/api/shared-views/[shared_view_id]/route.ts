import { deleteSharedView } from "@/lib/accounts/shared-views/delete-shared-view";
import { route } from "@/lib/http/route";

export const DELETE = route({
  auth: "session",
  handle: ({ ctx, params }) => deleteSharedView(ctx, params.shared_view_id ?? ""),
  status: 204,
  serialize: () => null,
});
