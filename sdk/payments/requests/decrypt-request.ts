import { fromHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { decryptLinkKey } from "@/lib/ledger/payment-request/encrypt-request";
import { requestLink } from "@/lib/ledger/payment-request/request-link";
import { HalcyonError } from "../../api/errors";
import type { PaymentRequest } from "../../api/resources/payment-requests";
import type { Context } from "../../context/context";
import { type RequestDetails, termsOf, type VerifiedRequest, verifyRequest } from "./verify-request";

/** A payment request of the account, decrypted. */
export interface DecryptedRequest extends Omit<PaymentRequest, "envelope" | "signature" | "link_key"> {
  /** Opens the request for anyone who has the link. Null when this account's viewing key can't decrypt it. */
  link: string | null;
  /** What it asks for. Null when it can't be decrypted, or is not signed by the account's payment key. */
  details: RequestDetails | null;
  /**
   * Whether only the service says the `status`, and those of `payments`. False when it is `paid` and `retrieve` found a
   * payment on chain that covers it.
   */
  unverified_status: boolean;
}

/** A request of the account: the link's key and the content it decrypts. */
export interface OwnRequest {
  linkKey: Uint8Array;
  /** Null when it is not signed by the account's payment key, or that key was replaced. */
  verified: VerifiedRequest | null;
}

/**
 * Decrypts a request with the account's viewing key. Whether the request is the account's own is read from its payee,
 * not from the service's list.
 */
export async function openOwnRequest(context: Context, request: PaymentRequest): Promise<OwnRequest | null> {
  const [viewer, network, chain] = await Promise.all([context.viewer(), context.info(), context.chain()]);
  if (request.payee.toLowerCase() !== viewer.account) return null;
  try {
    const terms = await termsOf(request, network, chain);
    const linkKey = await decryptLinkKey(viewer.viewingKey.secret, terms, fromHex(request.link_key));
    const verified = await verifyRequest(request, linkKey, network, chain).catch((error: unknown) => {
      if (error instanceof HalcyonError && error.code === "invalid_request") return null;
      throw error;
    });
    return { linkKey, verified };
  } catch (error) {
    if (error instanceof DecryptionFailed) return null;
    throw error;
  }
}

/**
 * Returns the fields of a request that are shown. Payee, asset and expiry are what the payee signed, if that was
 * verified; the rest is what the service says.
 */
export function shownRequest(request: PaymentRequest, verified: VerifiedRequest | null | undefined) {
  const { payment_request_id, status, created_at, reference, paid_by, closed_at, payments } = request;
  const { payee, asset, asset_address, expires_at } = verified ? signedFields(verified) : request;
  const said = { reference, paid_by, closed_at, payments };
  const unverified_status: boolean = true;
  return {
    payment_request_id,
    status,
    unverified_status,
    payee,
    asset,
    asset_address,
    expires_at,
    created_at,
    ...said,
  };
}

function signedFields({ terms, asset: { symbol } }: VerifiedRequest) {
  const expires_at = new Date(Number(terms.expires) * 1000).toISOString();
  return { payee: terms.payee, asset: symbol, asset_address: terms.asset, expires_at };
}

/** Converts a request to the form that the account's owner sees. */
export async function decryptRequest(context: Context, request: PaymentRequest): Promise<DecryptedRequest> {
  // A client with only an API key reads states, not what was asked for.
  const own = context.hasWallet || context.isViewOnly ? await openOwnRequest(context, request) : null;
  const link = own && requestLink(context.http.baseUrl, { id: request.payment_request_id, linkKey: own.linkKey });
  return { ...shownRequest(request, own?.verified), link, details: own?.verified?.details ?? null };
}
