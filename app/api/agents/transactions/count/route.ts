import { route } from "@/lib/http/route";
import { countPending } from "@/lib/payments/approvals/count-pending";

export const GET = route({
  auth: "session",
  handle: ({ ctx }) => countPending(ctx),
  serialize: (pending: number) => ({ pending }),
});
