import { readLedger } from "@/lib/balances/read-ledger";
import { LedgerQuery } from "@/lib/balances/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  actsForAgents: true,
  query: LedgerQuery,
  handle: ({ ctx, query }) => readLedger(ctx, query),
  serialize: (ledger) => ledger,
});
