import type { Address, Hex } from "viem";
import { formatAmount } from "@/lib/base/money";
import type { Network } from "@/lib/base/network";
import { isSignerAt } from "@/lib/ledger/authority/ledger-record";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { decryptContent } from "@/lib/ledger/payment-request/encrypt-request";
import type { RequestContent } from "@/lib/ledger/payment-request/request-content";
import { requestSigner } from "@/lib/ledger/payment-request/sign-request";
import type { RequestTerms } from "@/lib/ledger/payment-request/terms-bytes";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { HalcyonError } from "../../api/errors";
import type { Asset, NetworkInfo } from "../../api/network-info";
import type { PaymentRequest } from "../../api/resources/payment-requests";
import type { Chain } from "../../chain/chain";

/** The fields of the service's response that the link's key decrypts and the payee has signed. */
export type EncryptedRequest = Pick<
  PaymentRequest,
  "payment_request_id" | "payee" | "asset" | "asset_address" | "envelope" | "signature" | "expires_at"
>;

/** The properties of a network that are needed to check a request. */
export type RequestNetwork = Pick<NetworkInfo, "network" | "chainId" | "ledger" | "assets">;

/** What a request asks for, as written by its payee. Amounts are decimal strings. */
export interface RequestDetails {
  amount: string;
  /** Empty when there is no note. */
  note: string;
  /** Empty when it is not an invoice. `total` is quantity times price. */
  lines: { text: string; quantity: number; price: string; total: string }[];
  /** Such as `2026-12-31`, or null. */
  due: string | null;
  number: string | null;
  seller: string | null;
  customer: string | null;
}

/**
 * A request that is proven to be from its payee: decrypted, bound to its terms and signed by a key that the chain
 * names.
 */
export interface VerifiedRequest {
  network: Network;
  terms: RequestTerms;
  content: RequestContent;
  asset: Asset;
  details: RequestDetails;
}

const refuse = (param: "link" | "signature", message: string) =>
  new HalcyonError("invalid_request", message, { param });

/** Returns the terms of a request, with the ledger that the chain shows. */
export async function termsOf(
  encrypted: EncryptedRequest,
  network: RequestNetwork,
  chain: Chain,
): Promise<RequestTerms> {
  const scope = await chain.scope();
  if (scope.chainId !== network.chainId) {
    throw new HalcyonError("unavailable", "The RPC address belongs to another chain. Check it and try again.");
  }
  return {
    scope,
    id: encrypted.payment_request_id,
    payee: lowerCase(encrypted.payee),
    asset: lowerCase(encrypted.asset_address),
    expires: BigInt(Math.floor(Date.parse(encrypted.expires_at) / 1000)),
  };
}

/**
 * Checks a request against the chain and decrypts it: the payee's payment key, according to the ledger's newest
 * block, must have signed exactly this envelope for exactly these terms, and the service must name the asset that they
 * contain. Returns nothing unless that holds.
 *
 * @throws HalcyonError `invalid_request` with `param` `link` or `signature`; `unavailable` when the chain could not be
 * read
 */
export async function verifyRequest(
  encrypted: EncryptedRequest,
  linkKey: Uint8Array,
  network: RequestNetwork,
  chain: Chain,
): Promise<VerifiedRequest> {
  const terms = await termsOf(encrypted, network, chain);
  const asset = network.assets.find(({ address }) => lowerCase(address) === terms.asset);
  if (!asset) throw refuse("link", "This payment request is in an asset that this service does not offer.");
  const envelope = fromHex(encrypted.envelope);
  await requireSigned(terms, envelope, encrypted.signature, chain);
  if (encrypted.asset !== asset.symbol) {
    throw refuse(
      "signature",
      `The payee signed a request for ${asset.symbol}, and the service shows another. Don't pay.`,
    );
  }
  const content = opened(linkKey, terms, envelope);
  return { network: network.network, terms, content, asset, details: requestDetails(content, asset) };
}

async function requireSigned(terms: RequestTerms, envelope: Uint8Array, signature: Hex, chain: Chain): Promise<void> {
  const [record, now, signer] = await Promise.all([
    chain.account(terms.payee as Address),
    chain.now(),
    requestSigner(terms, envelope, signature),
  ]);
  if (signer && isSignerAt(record, signer, now)) return;
  throw refuse(
    "signature",
    "The payee's signature is not valid: the request was changed, or its signing key was replaced. Don't pay it. Ask for a new link.",
  );
}

function opened(linkKey: Uint8Array, terms: RequestTerms, envelope: Uint8Array): RequestContent {
  try {
    return decryptContent(linkKey, terms, envelope);
  } catch (error) {
    if (!(error instanceof DecryptionFailed)) throw error;
    throw refuse("link", "This link can't decrypt the payment request. Copy all of it, with what follows #.");
  }
}

/** Formats a request's content for people. */
function requestDetails(
  { amount, note, lines, due, number, seller, customer }: RequestContent,
  asset: Asset,
): RequestDetails {
  const format = (units: bigint) => formatAmount(units, asset.decimals);
  return {
    amount: format(amount),
    note,
    lines: lines.map(({ text, quantity, price }) => {
      return { text, quantity, price: format(price), total: format(BigInt(quantity) * price) };
    }),
    due: due || null,
    number: number || null,
    seller: seller || null,
    customer: customer || null,
  };
}
