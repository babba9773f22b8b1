import { createNonce } from "@/lib/auth/nonce";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "public",
  limit: "sign_in",
  handle: () => createNonce(),
  serialize: (nonce: string) => ({ nonce }),
});
