import { route } from "@/lib/http/route";
import { handOverTags } from "@/lib/transfers/hand-over-tags";
import { listWantedTags, toWantedTags } from "@/lib/transfers/list-wanted-tags";
import { HandOverTagsInput, WantedTagsQuery } from "@/lib/transfers/request-tags-schema";

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
