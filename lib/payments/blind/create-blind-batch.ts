import { z } from "zod";
import { db } from "@/db/client";
import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { refuseDocument } from "@/lib/balances/check-document";
import { assetByAddress } from "@/lib/base/assets";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { RecipientInput } from "@/lib/base/inputs";
import { CHAIN_ID } from "@/lib/base/network";
import { BATCH_PAYMENTS } from "@/lib/ledger/encrypted/batch-copy";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";
import { UnsignedBatchSchema } from "@/lib/ledger/prepare/documents";
import {
  lostIdempotencyKeys,
  requireNothingRebuilt,
  unknownKey,
} from "@/lib/payments/after-restore/lost-idempotency-keys";
import { countPayment } from "@/lib/payments/count-payment";
import { aloneUnderPolicy } from "@/lib/payments/pay-together";
import { readPayer } from "@/lib/payments/read-payer";
import { checkBatch, relayBatch } from "@/lib/payments/relay-batch";
import { BATCH_DETAILS } from "@/lib/payments/schema";
import type { TransferView } from "@/lib/payments/transfer-view";
import { requireBlindKey } from "./blind-payment";
import { blindRows } from "./blind-rows";

const PATH = "/v1/transfers/batch";

/** Payments that a client has built with a home key and proved together. */
export const BlindBatch = z
  .strictObject({
    payments: z
      .array(
        z.strictObject({
          to: RecipientInput,
          idempotency_key: z
            .string()
            .regex(/^[\x20-\x7e]{1,255}$/, "An Idempotency-Key has 1 to 255 printable ASCII characters.")
            .meta({ description: "The `Idempotency-Key` of this payment's own request." }),
          fingerprint: hexBytes(32).meta({ description: "As in `blind` of `POST /v1/transfers`." }),
          ...BATCH_DETAILS,
        }),
        "List the payments.",
      )
      .min(2)
      .max(BATCH_PAYMENTS)
      .meta({ description: "In the order of the document." }),
    document: UnsignedBatchSchema,
    signature: hexBytes(64).meta({
      description: "Signature of this request by the key that the home key derives (Ed25519, RFC 8032).",
    }),
  })
  .meta({
    id: "BlindBatch",
    description: "Payments that your machine has built with a home key and proved together.",
  });

type BlindBatch = z.infer<typeof BlindBatch>;

/** What the body of a batch may cost: 16 payments with memos. */
export const BLIND_BATCH_BODY = { kib: 256, values: 2_000 } as const;

/**
 * Signs and sends payments of an account that its client has proved together with a home key: each is the one of its
 * own request, and gets the response that it would have got alone. If one of them can't be paid, all are refused, and
 * the client sends each alone.
 *
 * @param lockToken of the plan, if it locked the balance
 * @param beforeCommit completes the requests' `Idempotency-Key`s in the payments' own transaction
 * @throws ApiError as `createTransfer`, naming the payment; `key_forbidden` for an agent and under a policy
 */
export function createBlindBatch(
  ctx: Context,
  batch: BlindBatch,
  lockToken: string | undefined,
  beforeCommit: BeforeCommit<TransferView[]>,
): Promise<TransferView[]> {
  return countPayment(
    () => pay(ctx, batch, lockToken, beforeCommit),
    () => "paid",
    batch.payments.length,
  );
}

async function pay(
  caller: Context,
  { payments, document: unsigned, signature }: BlindBatch,
  lockToken: string | undefined,
  beforeCommit: BeforeCommit<TransferView[]>,
): Promise<TransferView[]> {
  const ctx = requireBlindKey(caller);
  const { chainId, account: payer } = ctx;
  if (chainId === CHAIN_ID.live) await requireKyc(ctx);
  const asset = assetByAddress(chainId, unsigned.asset);
  if (!asset) throw refuseDocument("asset", "This asset is not offered.");
  checkBatch(ctx, asset, unsigned, payments);
  // No key has a tab.
  const idempotencyKey = payments.map(({ idempotency_key }) => idempotency_key).join("\t");
  const { document, sign } = await blindRows(ctx, { path: PATH, idempotencyKey }, unsigned, signature);
  const [says, lost] = await Promise.all([readPayer(chainId, payer), lostIdempotencyKeys(db(), ctx)]);
  if (payer.type === "agent" || says?.hasPolicy) throw aloneUnderPolicy();
  if (says && !says.batches) {
    throw new ApiError(
      "key_forbidden",
      "This account's payments share no proof, as its settings say (batch_payments).",
    );
  }
  // Each alone finds what it paid before a backup was restored.
  if (lost) throw unknownKey(lost.until);
  return relayBatch(ctx, { asset, payments, document, lockToken, sign }, { beforeCommit }, (tx) =>
    requireNothingRebuilt(tx, ctx, null, unknownKey),
  );
}
