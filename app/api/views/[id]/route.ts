import { toSharedDisclosure } from "@/lib/disclosures/disclosure-resource";
import { readDisclosure } from "@/lib/disclosures/read-disclosure";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "public",
  limit: "public",
  handle: ({ params }) => readDisclosure(params.id ?? ""),
  serialize: toSharedDisclosure,
});
