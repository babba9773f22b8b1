import { route } from "@/lib/http/route";
import { HandOverTagsInput, handOverTags } from "@/lib/payments/after-restore/hand-over-tags";
import { listWantedTags, toWantedTags, WantedTagsQuery } from "@/lib/payments/after-restore/list-wanted-tags";

export const GET = route({
  auth: "session",
  query: WantedTagsQuery,
  handle: ({ ctx, query }) => listWantedTags(ctx, query),
  serialize: toWantedTags,
});

export const POST = route({
  auth: "session",
  body: HandOverTagsInput,
  handle: ({ ctx, body }) => handOverTags(ctx, body),
  serialize: ({ handedOver }) => ({ handed_over: handedOver }),
});
