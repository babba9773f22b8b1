import { createDisclosure } from "@/lib/disclosures/create-disclosure";
import { toDisclosureResource } from "@/lib/disclosures/disclosure-resource";
import { listDisclosures } from "@/lib/disclosures/list-disclosures";
import { CreateDisclosureInput } from "@/lib/disclosures/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx }) => listDisclosures(ctx),
  serialize: (rows) => ({ disclosures: rows.map(toDisclosureResource) }),
});

export const POST = route({
  auth: "session",
  body: CreateDisclosureInput,
  largeBody: true,
  handle: ({ ctx, body }) => createDisclosure(ctx, body),
  status: 201,
  serialize: toDisclosureResource,
});
