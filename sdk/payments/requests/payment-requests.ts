import type { HttpRequest } from "../../api/http";
import type { Context } from "../../context/context";
import { isCovered } from "./check-requests";
import { type DecryptedRequest, decryptRequest, openOwnRequest } from "./decrypt-request";
import { postCancel, readRequest, readRequests } from "./request-calls";

// The functions behind the client's methods, in one chunk that loads with the first of them.
export { checkRequests, watchRequests } from "./check-requests";
export { createRequest } from "./create-request";
export { openRequest } from "./open-request";
export { payRequest } from "./pay-request";

/** Returns one of the account's requests. Implements `paymentRequests.retrieve`. */
export async function retrieveRequest(context: Context, id: string): Promise<DecryptedRequest> {
  const request = await readRequest(context, id);
  const shown = await decryptRequest(context, request);
  if (request.status !== "paid" || !shown.link) return shown;
  const own = await openOwnRequest(context, request);
  return { ...shown, unverified_status: !(await isCovered(context, own?.verified, request.paid_by)) };
}

/** Cancels a request. Implements `paymentRequests.cancel`. */
export async function cancelRequest(context: Context, id: string, key?: string): Promise<DecryptedRequest> {
  return decryptRequest(context, await postCancel(context, id, key));
}

/** Returns a page of requests. Implements `paymentRequests.list`. */
export async function listRequests(context: Context, query: NonNullable<HttpRequest["query"]>) {
  const { payment_requests, ...page } = await readRequests(context, query);
  return {
    ...page,
    payment_requests: await Promise.all(payment_requests.map((each) => decryptRequest(context, each))),
  };
}
