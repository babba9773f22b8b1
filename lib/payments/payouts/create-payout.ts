import { timingSafeEqual } from "node:crypto";
import { db } from "@/db/client";
import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { refuseSigner } from "@/lib/agents/unavailable-while-signer-changes";
import type { Context, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID } from "@/lib/base/network";
import { insufficientBalance, needsHomeKey } from "@/lib/base/payment-errors";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { lostIdempotencyKeys } from "@/lib/payments/after-restore/lost-idempotency-keys";
import { aloneUnderPolicy } from "@/lib/payments/pay-together";
import { readPayer } from "@/lib/payments/read-payer";
import { notEnrolled } from "@/lib/payments/resolve-signer";
import { type AskedPayout, acceptPayout, findAsked, fundsFaults, isAcceptedBefore, otherPayout } from "./accept-payout";
import { type CheckedName, checkNames } from "./check-names";
import { checkRows, type PayoutFault } from "./check-rows";
import { draftPayout } from "./draft-payout";
import { requireAccount } from "./find-payout";
import { type PayoutView, readPayout } from "./read-payout";
import type { CreatePayoutInput, PayoutRowText } from "./schema";
import { workOnPayout } from "./work-on-payout";
import { REQUEST_MS } from "./work-time";

/** A payout, and whether this request created it or continued it. */
export interface CreatedPayout {
  outcome: "created" | "continued";
  payout: PayoutView;
}

/** The result of a dry run. */
export interface CheckedPayout {
  outcome: "checked";
  rows: number;
  faults: PayoutFault[];
  /** What names stand for, and the payout that the same request created; only of a check of names. */
  named?: { names: CheckedName[]; payoutId: string | null };
}

/**
 * Creates a payout. If the client encrypts its rows, they follow (`addRows`), and the client pays them. Otherwise this
 * checks all rows, accepts the payout and pays rows for as long as a request may last. Sending the same request again continues the payout: decrypting its rows takes the API key, which the service does not keep.
 *
 * @throws ApiError `invalid_request` with every row's fault, `insufficient_balance`, `idempotency_mismatch`,
 *   `key_forbidden`, `kyc_required` (live network), `sync_required`, `unavailable`. In each case nothing was
 *   accepted.
 */
export async function createPayout(
  ctx: Context,
  input: CreatePayoutInput,
  asked: AskedPayout,
  now = Date.now,
): Promise<CreatedPayout> {
  requireAccount(ctx);
  if (input.encrypted) return { outcome: "created", payout: await draftPayout(ctx, input.encrypted, asked) };
  requireKey(ctx);
  const until = now() + REQUEST_MS;
  const existing = await findAsked(ctx, asked.idempotencyKey);
  if (!existing) await requirePayer(ctx);
  const payout = existing ?? (await checkAndAccept(ctx, input, asked));
  if (!timingSafeEqual(fromHex(payout.fingerprint), fromHex(asked.fingerprint))) {
    throw otherPayout();
  }
  await workOnPayout(ctx, payout, until, now);
  return { outcome: existing ? "continued" : "created", payout: await readPayout(ctx, payout.id) };
}

/**
 * Checks a payout without storing anything. Returns every fault, including an insufficient balance. Of a payout whose
 * client pays it, it checks the recipients' names and says whether the request has created it already.
 *
 * @throws the same errors as {@link createPayout}
 */
export async function checkPayout(
  ctx: Context,
  input: CreatePayoutInput,
  { idempotencyKey }: Pick<AskedPayout, "idempotencyKey"> = { idempotencyKey: "" },
): Promise<CheckedPayout> {
  requireAccount(ctx);
  if (input.names) {
    const [names, asked] = await Promise.all([
      checkNames(ctx, input.names),
      ctx.actor === "key" ? findAsked(ctx, idempotencyKey) : undefined,
    ]);
    const payoutId = asked && asked.status !== "draft" ? asked.id : null;
    return { outcome: "checked", rows: 0, faults: [], named: { names, payoutId } };
  }
  requireKey(ctx);
  await requirePayer(ctx);
  const texts = textsOf(input);
  const { rows, faults } = await checkRows(ctx, texts, { allowDuplicates: input.allow_duplicates });
  const all = [...faults, ...(await fundsFaults(ctx, rows))];
  return { outcome: "checked", rows: texts.length, faults: all };
}

/** Refuses a session and a blind key, whose clients encrypt the rows themselves. */
function requireKey(ctx: Context): asserts ctx is KeyContext {
  if (ctx.actor === "key" && ctx.blind) throw needsHomeKey();
  if (ctx.actor === "key") return;
  throw new ApiError("invalid_request", "A session sends payouts whose rows its client encrypts.", {
    param: "encrypted",
  });
}

function textsOf({ rows }: CreatePayoutInput): readonly PayoutRowText[] {
  if (rows) return rows;
  throw new ApiError("invalid_request", "The service can't check rows that your client encrypts.", {
    param: "encrypted",
  });
}

/** Refuses accounts whose keys can't pay in batches, before anything is looked up. */
async function requirePayer(ctx: KeyContext): Promise<void> {
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  const says = await readPayer(ctx.chainId, ctx.account);
  if (!says) return refuseSigner(notEnrolled(ctx.chainId, ctx.account));
  if (says.hasPolicy) throw aloneUnderPolicy();
}

async function checkAndAccept(ctx: KeyContext, input: CreatePayoutInput, asked: AskedPayout) {
  const { rows, faults } = await checkRows(ctx, textsOf(input), { allowDuplicates: input.allow_duplicates });
  if (faults.length > 0) throw refused(faults, (await lostIdempotencyKeys(db(), ctx)) !== null);
  const isCovered = (await fundsFaults(ctx, rows)).length === 0;
  if (!isCovered && !(await isAcceptedBefore(ctx, rows, asked))) throw insufficientBalance();
  return acceptPayout(ctx, rows, asked);
}

/**
 * Returns the error for a payout with faults.
 *
 * @param isUnknown whether, after a restored backup, other rows of the payout may have been paid before
 */
function refused(faults: readonly PayoutFault[], isUnknown: boolean): ApiError {
  const errors = faults.map(({ row, param, message }) => ({
    param: row === null ? param : `rows.${row - 1}.${param}`,
    message,
  }));
  const what = faults.length === 1 ? "One row can't be paid." : `${faults.length} rows or fields can't be paid.`;
  const message = isUnknown
    ? `${what} The service was restored from a backup and does not know whether it paid the others before. Look for them in GET /v1/transfers before you send any of them again.`
    : `${what} Nothing was accepted: correct ${faults.length === 1 ? "it" : "them"} and send the payout again.`;
  return new ApiError("invalid_request", message, { param: errors[0]?.param, errors });
}
