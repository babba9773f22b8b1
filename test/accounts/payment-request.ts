import { assetBySymbol } from "@/lib/base/assets";
import { newId } from "@/lib/base/ids";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { encryptContent, encryptLinkKey } from "@/lib/ledger/payment-request/encrypt-request";
import { requestBinding } from "@/lib/ledger/payment-request/request-binding";
import type { RequestContent } from "@/lib/ledger/payment-request/request-content";
import { signRequest } from "@/lib/ledger/payment-request/sign-request";
import type { RequestTerms } from "@/lib/ledger/payment-request/terms-bytes";
import type { CreatePaymentRequestInput } from "@/lib/payments/requests/schema";
import type { Owner } from "./owner";

/** A request as its payee's client creates it. */
export interface MadeRequest {
  body: CreatePaymentRequestInput;
  terms: RequestTerms;
  content: RequestContent;
  linkKey: Uint8Array;
  /** The binding that a payment for it carries. */
  binding: `0x${string}`;
}

/** Encrypts and signs an owner's request for this many units, which expires in this many seconds. */
export async function makeRequest(
  owner: Owner,
  { units = 25_000_000n, seconds = 3_600, reference = undefined as string | undefined } = {},
): Promise<MadeRequest> {
  const expires = BigInt(Math.floor(Date.now() / 1000) + seconds);
  const { scope, address } = owner;
  const asset = assetBySymbol(owner.chainId);
  const terms = { scope, id: newId("paymentRequest"), payee: address, asset: asset.address, expires };
  const content: RequestContent = {
    amount: units,
    note: "",
    lines: [],
    due: "",
    number: "",
    seller: "",
    customer: "",
    nonce: toHex(randomBytes(32)),
  };
  const linkKey = randomBytes(32);
  const envelope = encryptContent(linkKey, terms, content);
  const body: CreatePaymentRequestInput = {
    payment_request_id: terms.id,
    asset: "USDG",
    expires_at: new Date(Number(expires) * 1000),
    reference,
    envelope: toHex(envelope),
    link_key: toHex(await encryptLinkKey(owner.viewing.publicKey, terms, linkKey)),
    signature: await signRequest(derivePaymentKey(owner.authority, scope).privateKey, terms, envelope),
  };
  return { body, terms, content, linkKey, binding: toHex(requestBinding(terms, content)) };
}
