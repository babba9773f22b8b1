import { type Address, type Hex, isAddressEqual } from "viem";
import { bytesToBigint, fromHex, randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { encryptContent, encryptLinkKey, LINK_KEY_LENGTH } from "@/lib/ledger/payment-request/encrypt-request";
import { requestLink } from "@/lib/ledger/payment-request/request-link";
import { requestDigest, signRequest } from "@/lib/ledger/payment-request/sign-request";
import type { RequestTerms } from "@/lib/ledger/payment-request/terms-bytes";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { account } from "../../account/account";
import { HalcyonError } from "../../api/errors";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Context } from "../../context/context";
import { askPlan, type Home, homeContent, homeOf } from "../blind/home";
import { type DecryptedRequest, shownRequest } from "./decrypt-request";
import { postRequest } from "./request-calls";
import { type CreatePaymentRequestInput, contentOf, requestExpiry } from "./request-input";
import { verifyRequest } from "./verify-request";

/** A new payment request, with its link. */
export type CreatedRequest = DecryptedRequest & { link: string };

/**
 * Returns the payee and its X: with a home key what that decrypts, otherwise the wallet's account or else the API key's,
 * with X from the ledger.
 */
async function payeeOf(context: Context, home: Home | null): Promise<{ payee: Address; viewingKey: Uint8Array }> {
  if (home) {
    const to = (await account(context)).public_key;
    const { holder, viewingKey } = homeContent(home, await askPlan(context, home, { to }));
    return { payee: holder, viewingKey };
  }
  const chain = await context.chain();
  const payee = context.hasWallet ? context.wallet.address : ((await account(context)).public_key as Address);
  if (context.isViewOnly && !isAddressEqual((await context.viewer()).account, payee)) {
    throw new HalcyonError("invalid_request", "The viewing key and the API key belong to different accounts.");
  }
  const key = await chain.viewingKey(payee);
  if (key) return { payee: lowerCase(payee), viewingKey: fromHex(key) };
  throw new HalcyonError("not_found", "This account is not enrolled on this network. Run signup.");
}

/** A request that was encrypted on this machine. Storing it again stores no second one. */
export interface EncryptedRequestBody {
  body: {
    payment_request_id: string;
    asset: string;
    expires_at: string;
    reference: string | undefined;
    envelope: Hex;
    link_key: Hex;
    signature: Hex | undefined;
    /** The home key's signature of the request. */
    blind: { signature: Hex } | undefined;
  };
  /** What the link contains and the service never gets. */
  linkKey: Uint8Array;
}

/** Returns when a request expires. A refusal names two clocks, this machine's and the chain's: one may be wrong. */
async function expiryOf(context: Context, { expires }: CreatePaymentRequestInput): Promise<bigint> {
  const now = new Date();
  try {
    return requestExpiry(expires, now.getTime());
  } catch (error) {
    if (!(error instanceof HalcyonError)) throw error;
    const { timestamp } = await (await context.chain()).client.getBlock();
    const chain = new Date(Number(timestamp) * 1000).toISOString();
    const times = `By this machine's clock it is ${now.toISOString()}, and the newest block is of ${chain}.`;
    throw new HalcyonError(error.code, `${error.message} ${times}`, { param: "expires" });
  }
}

/** Encrypts a payment request, and signs it if the wallet or a home key is here. Stores nothing. */
export async function encryptRequest(
  context: Context,
  input: CreatePaymentRequestInput,
): Promise<EncryptedRequestBody> {
  const [asset, scope] = await Promise.all([context.asset(input.asset), context.scope()]);
  const content = contentOf(input, asset);
  const expires = await expiryOf(context, input);
  const home = context.hasWallet || context.homeKey === undefined ? null : await homeOf(context);
  const { payee, viewingKey } = await payeeOf(context, home);
  const terms: RequestTerms = { scope, id: newRequestId(), payee, asset: lowerCase(asset.address), expires };
  const linkKey = randomBytes(LINK_KEY_LENGTH);
  const envelope = encryptContent(linkKey, terms, content);
  const signature = context.hasWallet
    ? await signRequest((await context.vault()).paymentKey.privateKey, terms, envelope)
    : undefined;
  const body = {
    payment_request_id: terms.id,
    asset: asset.symbol,
    expires_at: new Date(Number(expires) * 1000).toISOString(),
    reference: input.reference,
    envelope: toHex(envelope),
    link_key: toHex(await encryptLinkKey(viewingKey, terms, linkKey)),
    signature,
    blind: home
      ? { signature: home.sign("/v1/payment-requests", terms.id, fromHex(requestDigest(terms, envelope))) }
      : undefined,
  };
  return { body, linkKey };
}

/**
 * Stores an encrypted request and verifies it like the link's page will, before returning the link.
 *
 * @throws HalcyonError with `mayHaveHappened` when the request is stored but could not be verified
 */
export async function storeRequest(context: Context, { body, linkKey }: EncryptedRequestBody): Promise<CreatedRequest> {
  const [network, chain] = await Promise.all([context.info(), context.chain()]);
  const request = await postRequest(context, body);
  const verified = await verifyRequest({ ...request, envelope: body.envelope }, linkKey, network, chain).catch(
    (thrown: unknown) => {
      throw Object.assign(toHalcyonError(thrown), { mayHaveHappened: true });
    },
  );
  const link = requestLink(context.http.baseUrl, { id: body.payment_request_id, linkKey });
  return { ...shownRequest(request, verified), link, details: verified.details };
}

/**
 * Creates a payment request: encrypts it on this machine, under a key that only the link contains. With the wallet,
 * this machine also signs it; otherwise the service signs the ciphertext with what the API key decrypts, and with a
 * home key only what this machine has asked for.
 */
export async function createRequest(context: Context, input: CreatePaymentRequestInput): Promise<CreatedRequest> {
  return storeRequest(context, await encryptRequest(context, input));
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function base32(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest >>= 5n) text = DIGITS.charAt(Number(rest & 31n)) + text;
  return text;
}

/**
 * Returns a new id: `payreq_` and a ULID (https://github.com/ulid/spec). The client chooses it, because it binds the
 * envelope to the id.
 */
function newRequestId(now = Date.now()): string {
  return `payreq_${base32(BigInt(now), 10)}${base32(bytesToBigint(randomBytes(10)), 16)}`;
}
