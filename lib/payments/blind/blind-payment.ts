import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import { lockPolicy } from "@/lib/agents/lock-policy";
import { checkByClock, checkDeadline, refuseDocument } from "@/lib/balances/check-document";
import { clocksOf } from "@/lib/base/clock";
import type { BlindKey, Context, ContextAccount, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { scopeOf } from "@/lib/chain/scope-of";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { isSignedByRequestKey, type SignedRequest } from "@/lib/ledger/encrypted/home-key";
import { documentCall } from "@/lib/ledger/prepare/document-call";
import type { SignedPayment, UnsignedPayment } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { resolveSigner } from "@/lib/payments/resolve-signer";

/**
 * Seconds that what a blind key signs may wait for a block, with half a minute for clocks that differ. What was signed
 * before the key's revocation settles soon or never.
 */
const LONGEST_DEADLINE = 330;

/** A payment that a client with a home key has built, and what signs it. */
interface BlindPayment {
  /** Without its signature. */
  document: SignedPayment;
  /** Signs it with the authority that the key wraps, in the transaction that records it. */
  sign(tx: Tx, party: LedgerParty): Promise<Hex>;
}

/**
 * Checks that a payment comes from the holder of the key's home key, for exactly this request. The service then signs
 * it without reading an amount: an account's payment with its payment key, an agent's with the agent's own key, and an
 * agent's that its owner approves with the owner's payment key.
 *
 * @param approves the id of the payment that awaits approval, if it is one
 * @throws ApiError `key_forbidden` for another key or signature; `invalid_request` naming the field
 */
export async function blindPayment(
  ctx: Context,
  payer: ContextAccount,
  unsigned: UnsignedPayment,
  signature: Hex,
  approves?: string,
): Promise<BlindPayment> {
  const { blind, idempotencyKey } = requireBlindPayer(ctx, approves === undefined ? payer : ctx.account);
  const mode = approves === undefined ? SPEND_MODE.agent : SPEND_MODE.approved;
  await checkBlindDeadline(unsigned);
  if ("mode" in unsigned && unsigned.mode !== mode) {
    throw refuseDocument("mode", "A key pays within the policy: in mode 0, and what it approves in mode 1.");
  }
  const scope = await scopeOf(ctx.chainId);
  // The place of the signature, which the digest does not cover.
  const document: SignedPayment = { ...unsigned, signature: "0x" };
  const call = documentCall(scope, document);
  const request = { idempotencyKey, digest: fromHex(call.digest) };
  const path = approves === undefined ? "/v1/transfers" : `/v1/agents/transactions/${approves}/approve`;
  requireSigned(blind, { ...request, scope, path }, signature);
  const isPublic = document.kind === "release" || document.kind === "spend_public";
  const deadline = BigInt(document.deadline);
  return {
    document,
    sign: async (tx, party) => {
      const authority = await blind.decryptAuthority(tx);
      try {
        const locked = "mode" in document ? await lockPolicy(tx, ctx.chainId, payer, "share") : null;
        const { privateKey } = resolveSigner(
          scope,
          payer,
          party,
          {
            payerAuthority: authority,
            account: ctx.account.type === "agent" ? null : { authority },
            secretVersion: blind.secretVersion,
          },
          { isPublic, deadline, limited: locked && { mode, key: locked } },
        );
        return await keySigner(privateKey)(call);
      } finally {
        authority.fill(0);
      }
    },
  };
}

/**
 * Checks that what a blind key signs can get into a block, and waits only minutes for it.
 *
 * @throws ApiError `invalid_request`; `unavailable` if this machine's clock is the reason
 */
export async function checkBlindDeadline({ deadline }: { deadline: string }): Promise<void> {
  await checkByClock(() => {
    const now = new Date();
    const until = checkDeadline(deadline, now);
    if (until.getTime() <= now.getTime() + 1_000 * LONGEST_DEADLINE) return;
    throw refuseDocument("deadline", `Set a deadline of at most five minutes.${clocksOf(until, now)}`);
  });
}

/**
 * Returns what the service has of a blind key that pays from its own account, with the request's `Idempotency-Key`.
 *
 * @throws ApiError `key_forbidden` for another key or account; `invalid_request` without the header
 */
export function requireBlindPayer(
  ctx: Context,
  payer: ContextAccount,
): KeyContext & { blind: BlindKey; idempotencyKey: string } {
  const key = requireBlindKey(ctx);
  const { idempotencyKey } = key;
  if (idempotencyKey === undefined) {
    throw new ApiError("invalid_request", "Send an Idempotency-Key, which the payment is derived from.", {
      param: "Idempotency-Key",
    });
  }
  if (payer.id === ctx.account.id) return { ...key, idempotencyKey };
  throw new ApiError("key_forbidden", "A blind key pays from its own account.", { param: "from" });
}

/**
 * Returns what the service has of a blind key.
 *
 * @throws ApiError `key_forbidden` for a plain key or a session
 */
export function requireBlindKey(ctx: Context): KeyContext & { blind: BlindKey } {
  if (ctx.actor === "key" && ctx.blind) return { ...ctx, blind: ctx.blind };
  throw new ApiError("key_forbidden", "This needs a blind key: only its home key has what this is signed with.");
}

/**
 * Checks that the home key has signed a request.
 *
 * @throws ApiError `key_forbidden`
 */
export function requireSigned(
  { requestKey, keyHash }: BlindKey,
  request: Pick<SignedRequest, "scope" | "path" | "idempotencyKey" | "digest">,
  signature: Hex,
): void {
  if (isSignedByRequestKey(requestKey, { ...request, keyHash, method: "POST" }, fromHex(signature))) return;
  throw new ApiError(
    "key_forbidden",
    "This request is not signed by the home key of its API key. Use the home key that was created with it.",
  );
}
