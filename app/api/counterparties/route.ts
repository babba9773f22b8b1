import { route } from "@/lib/http/route";
import { listCounterparties, toCounterpartyList } from "@/lib/payments/search/list-counterparties";

export const GET = route({
  auth: "session",
  handle: ({ ctx }) => listCounterparties(ctx),
  serialize: toCounterpartyList,
});
