import { clientAddressOf } from "@/lib/client-address";
import { failure } from "@/lib/http/failure";
import { type LimitHeaders, limitAddress } from "@/lib/http/limits";
import { newId } from "@/lib/ids";

/** Counts an attempt to sign in against its client address: the answer of a refused one, else nothing. */
export async function limitSignIn(request: Request): Promise<Response | undefined> {
  if (!new URL(request.url).pathname.includes("/callback/")) return undefined;
  const limits: LimitHeaders = {};
  try {
    await limitAddress("sign_in", clientAddressOf(request.headers), limits);
    return undefined;
  } catch (refusal) {
    return failure(refusal, newId("request"), "POST /api/auth", limits);
  }
}
