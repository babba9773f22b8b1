import type { Network } from "@/lib/base/network";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { requestBinding } from "@/lib/ledger/payment-request/request-binding";
import { parseRequestLink } from "@/lib/ledger/payment-request/request-link";
import { HalcyonError } from "../../api/errors";
import type { PaymentRequest } from "../../api/resources/payment-requests";
import type { Context } from "../../context/context";
import { type RequestDetails, type SealedRequest, type VerifiedRequest, verifyRequest } from "./verify-request";

/** The service's response to anyone with a link. */
export interface PublicRequest extends SealedRequest {
  status: PaymentRequest["status"];
  network: Network;
  /** Handle of the payee, from the service. */
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
async function readPublic(context: Context, id: string): Promise<PublicRequest> {
  const request = (await context.http.send("GET", `/api/pay/${encodeURIComponent(id)}`)).body as PublicRequest;
  if (request.payment_request_id === id && request.network === context.network) return request;
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

/** Opens a link. Implements `paymentRequests.open`. */
export async function openRequest(context: Context, link: string): Promise<OpenedRequest> {
  const { id, linkKey } = parseRequestLink(link);
  const [request, network, chain] = await Promise.all([readPublic(context, id), context.info(), context.chain()]);
  return openedRequest(request, await verifyRequest(request, linkKey, network, chain));
}
