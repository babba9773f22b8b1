import { readSharedView } from "@/lib/accounts/shared-views/read-shared-view";
import { toEncryptedSharedView } from "@/lib/accounts/shared-views/shared-view-resource";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "public",
  limit: "public",
  handle: ({ params }) => readSharedView(params.id ?? ""),
  serialize: toEncryptedSharedView,
});
