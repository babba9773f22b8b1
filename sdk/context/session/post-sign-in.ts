import type { Http } from "../../api/http";
import { isSignedIn } from "./sign-in-message";

/** What next-auth takes to sign a wallet in. */
export interface SignInForm {
  csrfToken: string;
  message: string;
  signature: string;
  /** The page's or client's origin. */
  callbackUrl: string;
}

/**
 * Posts a signed text to next-auth, once.
 *
 * @returns whether the service accepted it, and the headers with its cookies
 * @throws ApiCallError for a response that neither accepts nor refuses it, such as a 503 or the rate limit's; what
 *   `Http` throws
 */
export async function postSignIn(
  http: Http,
  form: SignInForm,
  headers?: Record<string, string>,
): Promise<{ accepted: boolean; headers: Headers }> {
  const request = { form: { ...form, json: "true" }, headers };
  const response = await http.sendOnce("POST", "/api/auth/callback/siwe", request);
  if (response.status !== 200 && response.status !== 401) throw http.errorOf(response);
  return { accepted: isSignedIn(response), headers: response.headers };
}
