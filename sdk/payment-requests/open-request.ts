import { toHex } from "@/lib/ledger/crypto/bytes";
import { requestBinding } from "@/lib/ledger/payment-request/request-binding";
import { parseRequestLink } from "@/lib/ledger/payment-request/request-link";
import type { Network } from "@/lib/network";
import { HalcyonError } from "../api/errors";
import type { PaymentRequest } from "../api/resources/payment-requests";
import type { Context } from "../context/context";
import { type RequestDetails, type SealedRequest, type VerifiedRequest, verifyRequest } from "./verify-request";

/** What anyone with a link gets of a request. */
export interface PublicRequest extends SealedRequest {
  status: PaymentRequest["status"];
  asset: string;
  network: Network;
  /** Handle of the payee, as the service has it. */
  payee_handle: string;
  created_at: string;
}

/** A request as its link shows it. */
export interface OpenedRequest extends Omit<PublicRequest, "envelope" | "signature" | "asset_address"> {
  details: RequestDetails;
  /** What a payment of it carries: 0x and 64 hex digits. */
  binding: `0x${string}`;
}

/** Reads what the service has of a request. @throws HalcyonError `not_found` */
async function readPublic(context: Context, id: string): Promise<PublicRequest> {
  const request = (await context.http.send("GET", `/api/pay/${encodeURIComponent(id)}`)).body as PublicRequest;
  if (request.payment_request_id === id && request.network === context.network) return request;
  throw new HalcyonError("invalid_request", `This payment request is of the ${request.network} network.`, {
    param: "link",
  });
}

/** A verified request for who holds its link. */
export function openedRequest(request: PublicRequest, { terms, content, details }: VerifiedRequest): OpenedRequest {
  const { envelope: _, signature: _signature, asset_address: _asset, ...shown } = request;
  return { ...shown, details, binding: toHex(requestBinding(terms, content)) };
}

/** Opens a link: what `paymentRequests.open` does. */
export async function openRequest(context: Context, link: string): Promise<OpenedRequest> {
  const { id, linkKey } = parseRequestLink(link);
  const [request, network, chain] = await Promise.all([readPublic(context, id), context.info(), context.chain()]);
  return openedRequest(request, await verifyRequest(request, linkKey, network, chain));
}
