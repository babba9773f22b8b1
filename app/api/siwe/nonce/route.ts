import { browserSecret } from "@/lib/http/auth/browser-cookie";
import { createNonce } from "@/lib/http/auth/nonce";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "public",
  limit: "sign_in",
  handle: async ({ cookies }) => {
    const { secret, cookie } = browserSecret(cookies);
    return { nonce: await createNonce(secret), cookie };
  },
  serialize: ({ nonce }) => ({ nonce }),
  headers: ({ cookie }) => ({ "set-cookie": cookie }),
});
