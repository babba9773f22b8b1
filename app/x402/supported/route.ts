import { route } from "@/lib/http/route";
import { supported } from "@/lib/payments/x402/supported";

export const GET = route({
  auth: "public",
  limit: "public",
  handle: async () => supported(),
  serialize: (kinds) => kinds,
});
