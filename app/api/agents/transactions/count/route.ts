import { countPending } from "@/lib/held/count-pending";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx }) => countPending(ctx),
  serialize: (pending: number) => ({ pending }),
});
