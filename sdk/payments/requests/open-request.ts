import type { Network } from "@/lib/base/network";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { requestBinding } from "@/lib/ledger/payment-request/request-binding";
import { parseRequestLink } from "@/lib/ledger/payment-request/request-link";
import { HalcyonError } from "../../api/errors";
import type { PaymentRequest } from "../../api/resources/payment-requests";
import type { Context } from "../../context/context";
import { serverTime } from "../../context/session/sign-in-message";
import { type EncryptedRequest, type RequestDetails, type VerifiedRequest, verifyRequest } from "./verify-request";

/** The service's response to anyone with a link. */
export interface PublicRequest extends EncryptedRequest {
  status: PaymentRequest["status"];
  network: Network;
  /** What the service calls the payee: no chain knows handles, so compare `payee` before you trust it. */
  payee_handle: string;
  created_at: string;
}

/** A request as shown by its link. */
export interface OpenedRequest extends Omit<PublicRequest, "envelope" | "signature" | "asset_address"> {
  details: RequestDetails;
  /** The binding that a payment for it carries: 0x and 64 hex digits. */
  binding: `0x${string}`;
}

/**
 * Reads a request from the service.
 *
 * @throws HalcyonError `not_found`; `invalid_request` for a request of another network
 */
async function readPublic(context: Context, id: string): Promise<{ request: PublicRequest; at: Date }> {
  const { body, headers } = await context.http.send("GET", `/api/pay/${encodeURIComponent(id)}`);
  const request = body as PublicRequest;
  if (request.payment_request_id === id && request.network === context.network) {
    return { request, at: serverTime({ headers }) };
  }
  throw new HalcyonError("invalid_request", `This payment request is of the ${request.network} network.`, {
    param: "link",
  });
}

/**
 * Converts a verified request to the form shown to anyone who has its link. Status, handle and creation time are
 * what the service says; the rest is what the payee signed.
 */
export function openedRequest(
  { status, payee_handle, created_at }: PublicRequest,
  { network, terms, content, asset, details }: VerifiedRequest,
): OpenedRequest {
  return {
    payment_request_id: terms.id,
    ...{ status, network, payee_handle, payee: terms.payee, created_at },
    asset: asset.symbol,
    expires_at: new Date(Number(terms.expires) * 1000).toISOString(),
    ...{ details, binding: toHex(requestBinding(terms, content)) },
  };
}

/** When the service sent a request, by its clock. */
const times = new WeakMap<OpenedRequest, Date>();

/** Returns when the service sent a request, by its clock; undefined if it did not say. */
export const timeOfService = (request: OpenedRequest): Date | undefined => times.get(request);

/** Opens a link. Implements `paymentRequests.open`. */
export async function openRequest(context: Context, link: string): Promise<OpenedRequest> {
  const { id, linkKey } = parseRequestLink(link);
  const [{ request, at }, network, chain] = await Promise.all([
    readPublic(context, id),
    context.info(),
    context.chain(),
  ]);
  const opened = openedRequest(request, await verifyRequest(request, linkKey, network, chain));
  times.set(opened, at);
  // A handle of which this machine knows the address may not be given to another.
  const { payee_handle, payee } = opened;
  if (await context.pins.addressOf(network, payee_handle)) await context.pins.checkHandle(network, payee_handle, payee);
  return opened;
}
