import { readEveryLedger } from "@/lib/agents/read-every-ledger";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx }) => readEveryLedger(ctx),
  serialize: (ledgers) => ledgers,
});
