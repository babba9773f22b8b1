import { route } from "@/lib/http/route";
import { toDecidedList } from "@/lib/payments/approvals/held-payment-resource";
import { listDecided } from "@/lib/payments/approvals/list-decided";
import { ListDecidedQuery } from "@/lib/payments/approvals/schema";

export const GET = route({
  auth: "session",
  query: ListDecidedQuery,
  handle: ({ ctx, query }) => listDecided(ctx, query),
  serialize: toDecidedList,
});
