import { toSharedDisclosure } from "@/lib/accounts/shared-views/disclosure-resource";
import { readDisclosure } from "@/lib/accounts/shared-views/read-disclosure";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "public",
  limit: "public",
  handle: ({ params }) => readDisclosure(params.id ?? ""),
  serialize: toSharedDisclosure,
});
