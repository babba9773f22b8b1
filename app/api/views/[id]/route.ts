import { readSharedView } from "@/lib/accounts/shared-views/read-shared-view";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "public",
  limit: "public",
  handle: ({ params }) => readSharedView(params.id ?? ""),
  serialize: (json) => json,
});
