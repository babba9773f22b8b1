import type { Http } from "@/sdk/api/http";
import { postSignIn, type SignInForm } from "@/sdk/context/session/post-sign-in";
import { csrfToken, endSession } from "./end-session";

/**
 * Opens a session with a signed text. Retries once, because another request may have replaced the CSRF cookie in the
 * meantime. If the person cancels while the text is on its way, the session that it opens is ended again.
 *
 * @returns whether the service accepted it
 * @throws the signal's reason once no session is left; ApiCallError and ServiceUnreachable
 */
export async function openSession(
  http: Http,
  signed: Omit<SignInForm, "csrfToken">,
  signal: AbortSignal,
): Promise<boolean> {
  for (let attempt = 1; attempt <= 2; attempt++) {
    const form = { ...signed, csrfToken: await csrfToken(http) };
    signal.throwIfAborted();
    const outcome = await postSignIn(http, form).catch((error: unknown) => ({ error }));
    if (signal.aborted) {
      // Also if the response was lost: its cookie may have come.
      if ("error" in outcome || outcome.accepted) await endSession(http);
      throw signal.reason;
    }
    if ("error" in outcome) throw outcome.error;
    if (outcome.accepted) return true;
  }
  return false;
}
