import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { db, type Tx } from "@/db/client";
import { paymentRequests } from "@/db/schema/payment-requests";
import { partyAtLatest } from "@/lib/agents/party-at-latest";
import { requireSigner } from "@/lib/agents/sign-policy";
import { unavailableWhileSignerChanges } from "@/lib/agents/unavailable-while-signer-changes";
import { assetBySymbol } from "@/lib/base/assets";
import { clocksOf } from "@/lib/base/clock";
import type { BeforeCommit, Context, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { needsHomeKey } from "@/lib/base/payment-errors";
import { scopeOf } from "@/lib/chain/scope-of";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { requestDigest, requestSigner, signRequest } from "@/lib/ledger/payment-request/sign-request";
import type { RequestTerms } from "@/lib/ledger/payment-request/terms-bytes";
import { requireBlindPayer, requireSigned } from "../blind/blind-payment";
import { type PaymentRequestRow, requireRequestOwner } from "./find-payment-request";
import type { PaymentRequestView } from "./payments-of";
import type { CreatePaymentRequestInput } from "./schema";

const LONGEST_LIFE_MS = 366 * 86_400_000;
/** How far a caller's clock may be ahead of ours. */
const SLACK_MS = 60_000;

/**
 * Stores a payment request that the client has encrypted. The client signs it, or the service does with the payment
 * key that the API key wraps; with a blind key, what its home key has signed. The signature covers ciphertext, so the
 * service doesn't learn the amount. Either way the ledger's newest block must list that signing key, or no page would
 * show the request.
 *
 * Sending the same request again returns the stored one.
 *
 * @throws ApiError `invalid_request`, `key_forbidden` (for an agent's key; without `signature`, for a key that can't
 *   sign), `unavailable` while the payment key is changing
 */
export async function createPaymentRequest(
  ctx: Context,
  input: CreatePaymentRequestInput,
  beforeCommit: BeforeCommit<PaymentRequestView<PaymentRequestRow>> = async () => {},
  now = new Date(),
): Promise<PaymentRequestView<PaymentRequestRow>> {
  requireRequestOwner(ctx);
  const { chainId, account } = ctx;
  const { payment_request_id: id, expires_at: expiresAt, envelope, reference = null } = input;
  requireLife(expiresAt, now);
  const asset = assetBySymbol(chainId, input.asset);
  const terms: RequestTerms = {
    scope: await scopeOf(chainId),
    id,
    payee: account.address,
    asset: asset.address,
    expires: BigInt(expiresAt.getTime() / 1000),
  };
  const signature = await unavailableWhileSignerChanges(signatureOf(ctx, terms, input));
  return db().transaction(async (tx) => {
    const row: PaymentRequestRow = {
      id,
      chainId,
      accountId: account.id,
      payee: account.address,
      asset: asset.address,
      reference,
      status: "open",
      envelope,
      linkKey: input.link_key,
      signature,
      paidBy: null,
      keyId: ctx.actor === "key" ? ctx.keyId : null,
      expiresAt,
      createdAt: now,
      closedAt: null,
    };
    const [written] = await tx.insert(paymentRequests).values(row).onConflictDoNothing().returning();
    const stored = written ?? (await sameRequest(tx, row));
    const view = { row: stored, payments: [] };
    if (written) {
      const entry = { rootId: account.id, chainId, actor: actorOf(ctx), action: "payment_request.created", target: id };
      await appendAudit(tx, { ...entry, after: { asset: asset.symbol, expires_at: expiresAt } }, now);
    }
    await beforeCommit(tx, view);
    return view;
  });
}

function requireLife(expiresAt: Date, now: Date): void {
  const left = expiresAt.getTime() - now.getTime();
  if (left > 0 && left <= LONGEST_LIFE_MS + SLACK_MS && expiresAt.getTime() % 1000 === 0) return;
  throw new ApiError(
    "invalid_request",
    `A payment request expires in the future, at most 366 days ahead, at a whole second.${clocksOf(expiresAt, now)}`,
    { param: "expires_at" },
  );
}

/**
 * Returns the stored request if the same one is sent twice. If the id is taken by another request, the error doesn't
 * say whose it is.
 */
async function sameRequest(tx: Tx, row: PaymentRequestRow): Promise<PaymentRequestRow> {
  const [found] = await tx.select().from(paymentRequests).where(eq(paymentRequests.id, row.id));
  const isSame = found?.accountId === row.accountId && found.envelope === row.envelope;
  if (found && isSame) return found;
  throw new ApiError("invalid_request", "This id is in use. Draw another one and encrypt the request again.", {
    param: "payment_request_id",
  });
}

async function signatureOf(
  ctx: Context,
  terms: RequestTerms,
  { envelope, signature, blind }: CreatePaymentRequestInput,
): Promise<`0x${string}`> {
  const bytes = fromHex(envelope);
  const { record } = await partyAtLatest(ctx.chainId, ctx.account);
  const at = BigInt(Math.floor(Date.now() / 1000));
  if (signature !== undefined) {
    const signer = await requestSigner(terms, bytes, signature);
    const unknown = new ApiError(
      "invalid_request",
      "The ledger does not know the key that signed this request for your account. Sign it again, after renewing the payment key if it has expired.",
      { param: "signature" },
    );
    if (!signer) throw unknown;
    requireSigner(ctx, record, signer, at, unknown);
    return signature;
  }
  if (ctx.actor !== "key") {
    throw new ApiError("invalid_request", "A session sends requests that your client has signed.", {
      param: "signature",
    });
  }
  const authority = ctx.blind ? await authorityOf(ctx, requestDigest(terms, bytes), blind) : await unwrapToSign(ctx);
  try {
    const paymentKey = derivePaymentKey(authority, terms.scope);
    requireSigner(ctx, record, paymentKey.address, at);
    return await signRequest(paymentKey.privateKey, terms, bytes);
  } finally {
    authority.fill(0);
  }
}

/** Returns what a blind key wraps, for a request that its home key has signed. */
async function authorityOf(
  ctx: KeyContext,
  digest: Hex,
  signed: CreatePaymentRequestInput["blind"],
): Promise<Uint8Array> {
  const { blind, idempotencyKey } = requireBlindPayer(ctx, ctx.account);
  if (!signed) throw needsHomeKey();
  const request = { scope: await scopeOf(ctx.chainId), path: "/v1/payment-requests", idempotencyKey };
  requireSigned(blind, { ...request, digest: fromHex(digest) }, signed.signature);
  return db().transaction((tx) => blind.decryptAuthority(tx));
}

/** Rewords the error of a key that can't sign, which speaks of payments. Here the client can sign instead. */
async function unwrapToSign(ctx: KeyContext): Promise<Uint8Array> {
  try {
    const { secret, authority } = await ctx.unwrap();
    secret.fill(0);
    return authority;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "key_forbidden") throw error;
    throw new ApiError(
      "key_forbidden",
      "This key can't sign for its account. Send `signature`, made by a client with the wallet, or use a key that may also pay.",
    );
  }
}
