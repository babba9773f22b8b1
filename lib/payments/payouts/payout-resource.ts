import { z } from "zod";
import { isoTime } from "@/lib/base/clock";
import { hexField, idField, PAGE_FIELDS, timeField, timeOrNull } from "@/lib/base/response-fields";
import { TransferResource, toEncryptedTransfer } from "@/lib/payments/transfer-resource";
import type { TransferView } from "@/lib/payments/transfer-view";
import type { CheckedPayout, CreatedPayout } from "./create-payout";
import type { PayoutPage } from "./list-payouts";
import type { OwnPayoutRowPage, PayoutRowPage } from "./list-rows";
import type { PayoutRowRecord } from "./next-group";
import type { PayoutView } from "./read-payout";

const count = (description: string) => z.int().meta({ description });
const hex = (description: string) =>
  z.templateLiteral(["0x", z.string()]).meta({ description, wire: { type: "string", pattern: "^0x([0-9a-f]{2})*$" } });

/** What a client that can decrypt a payout's rows needs besides them. */
const PayoutKeyResource = z
  .object({
    encrypted_key: hex("The key of its rows, encrypted under the account's secret; empty once the payout is over."),
    secret_version: count("Version of that secret."),
    batches: count("In how many batches, of a proof each, its rows were accepted."),
  })
  .meta({ id: "PayoutKey", description: "The encrypted key of a payout's rows." });

/** A payout as the API returns it, with its progress but never an amount. */
export const PayoutResource = z
  .object({
    payout_id: idField("payout", "Identifies the payout."),
    status: z.enum(["processing", "paused", "finished", "cancelled"]).meta({
      description:
        "`processing`: a request works on it, or its last payments settle. `paused`: it waits for a request with a key. `finished`: every row is paid or has failed. `cancelled`: what was not paid stays so.",
    }),
    pause_reason: z.string().nullable().meta({
      description:
        "The code of the error that paused it, such as `insufficient_balance`; null if no request worked on it.",
    }),
    rows: count("Number of rows."),
    rows_paid: count("Rows that are paid, final on chain."),
    rows_failed: count("Rows that failed. Their money did not move."),
    rows_sent: count("Rows whose payment is not final on chain yet."),
    rows_pending: count("Rows that are still to be paid."),
    rows_cancelled: count("Rows that were cancelled."),
    created_at: timeField("When it was accepted."),
    finished_at: timeOrNull("When it was finished or cancelled; null until then."),
    encrypted: PayoutKeyResource.optional().meta({
      description: "The encrypted key of its rows; only for one payout, with `include=encrypted`.",
    }),
  })
  .meta({ id: "Payout", description: "Many payments of one file. No response contains their amounts." });
export type PayoutResource = z.infer<typeof PayoutResource>;

/** Serializes a payout. */
export function toPayout({ payout, counts }: PayoutView): PayoutResource {
  const { id, status, pauseReason, rows, createdAt } = payout;
  const finishedAt = status === "finished" || status === "cancelled" ? payout.finishedAt : null;
  return {
    payout_id: id,
    status: status === "draft" ? "paused" : status,
    pause_reason: pauseReason,
    rows,
    rows_paid: counts.paid,
    rows_failed: counts.failed,
    rows_sent: counts.sent,
    rows_pending: counts.pending,
    rows_cancelled: counts.cancelled,
    created_at: isoTime(createdAt),
    finished_at: finishedAt && isoTime(finishedAt),
  };
}

/** Serializes a payout, with its key if it was requested. */
export function toFoundPayout(view: PayoutView & { batches?: number }): PayoutResource {
  const { batches } = view;
  if (batches === undefined) return toPayout(view);
  const { encryptedKey: encrypted_key, secretVersion: secret_version } = view.payout;
  return { ...toPayout(view), encrypted: { encrypted_key, secret_version, batches } };
}

/** Serializes payouts whose keys are encrypted under an earlier account secret. */
export function toStalePayouts({ list, hasMore }: { list: readonly PayoutView["payout"][]; hasMore: boolean }) {
  const payouts = list.map(({ id, rows, encryptedKey, secretVersion }) => {
    return { payout_id: id, rows, encrypted_key: encryptedKey, secret_version: secretVersion };
  });
  return { payouts, has_more: hasMore };
}

/** The result of a dry run. */
export const PayoutCheck = z
  .object({
    dry_run: z.literal(true).meta({ description: "Always true: nothing was accepted." }),
    rows: count("Number of rows."),
    faults: z
      .array(
        z.object({
          row: z.int().nullable().meta({ description: "Number of the row, from 1; null for a fault of all rows." }),
          param: z
            .enum(["to", "amount", "asset", "memo", "reference", "rows"])
            .meta({ description: "What is at fault." }),
          code: z.string().meta({ description: "The code of the error, or `duplicate`." }),
          message: z.string().meta({ description: "What to do about it." }),
        }),
      )
      .meta({ description: "Every fault; empty if the payout would be accepted." }),
    names: z
      .array(
        z.object({
          to: z.string().meta({ description: "The recipient, as you named it." }),
          address: z.string().nullable().meta({ description: "Its address, in lower case; null if it can't be paid." }),
          fault: z
            .object({
              code: z.string().meta({ description: "Why it can't be paid." }),
              message: z.string().meta({ description: "What to do about it." }),
            })
            .nullable()
            .meta({ description: "Why it can't be paid; null if it can." }),
        }),
      )
      .optional()
      .meta({ description: "What each of `names` stands for; only with `names`." }),
    payout_id: z.string().nullable().optional().meta({
      description: "The payout that the same `Idempotency-Key` created, or null; only with `names`.",
    }),
  })
  .meta({ id: "PayoutCheck", description: "The faults of a payout that was only checked." });

/** Serializes the result of `POST /v1/payouts`. */
export function toCreatedPayout(result: CreatedPayout | CheckedPayout) {
  if (result.outcome !== "checked") return toPayout(result.payout);
  const faults = result.faults.map(({ row, param, code, message }) => ({ row, param, code, message }));
  const named = result.named && {
    names: result.named.names.map(({ to, address, fault }) => {
      return { to, address, fault: fault && { code: fault.code, message: fault.message } };
    }),
    payout_id: result.named.payoutId,
  };
  return { dry_run: true as const, rows: result.rows, faults, ...named };
}

/** A page of payouts. */
export const PayoutList = z
  .object({
    payouts: z.array(PayoutResource).meta({ description: "The payouts of this page." }),
    limit: PAGE_FIELDS.limit,
    has_more: PAGE_FIELDS.has_more,
  })
  .meta({ id: "PayoutList", description: "Payouts, newest first." });

/** Serializes a page of payouts. */
export function toPayoutList({ list, limit, hasMore }: PayoutPage) {
  return { payouts: list.map(toPayout), limit, has_more: hasMore };
}

/** What a client with the payout's key needs of a row. */
const EncryptedRow = z
  .object({
    batch: count("Number of its batch, whose rows share a proof."),
    place: count("Its place in the batch, from 0."),
    note: hexField(32, "The commitment that its payment creates."),
    ciphertext: hex(
      "Recipient, asset, amount and memo, encrypted under the payout's key; empty once the payout is over.",
    ),
    alone: z.boolean().meta({ description: "Whether it is paid by itself, because its batch was refused." }),
    transfer: TransferResource.nullable().meta({
      description: "Its transfer with the encrypted copies; null until it is sent.",
    }),
  })
  .meta({ id: "EncryptedPayoutRow", description: "The encrypted text of a payout's row, and its transfer." });

/** A row as the API returns it. */
const PayoutRowResource = z
  .object({
    row: z.int().meta({ description: "Its number, from 1, in the order of the file." }),
    status: z.enum(["pending", "sent", "paid", "failed", "cancelled"]).meta({
      description:
        "`pending`: still to be paid. `sent`: its payment is not final yet. `paid`: final on chain. `failed`: its money did not move. `cancelled`: it is not paid any more.",
    }),
    transfer_id: z
      .string()
      .nullable()
      .meta({
        description: "Identifies its transfer; null until it is sent.",
        wire: { type: ["string", "null"], pattern: "^tr_[0-7][0-9A-HJKMNP-TV-Z]{25}$" },
      }),
    to: z.string().meta({ description: "The recipient, as you wrote it." }),
    reference: z.string().nullable().meta({ description: "Your reference; null without one." }),
    error: z
      .object({
        code: z.string().meta({ description: "Why it failed." }),
        message: z.string().meta({ description: "What to do about it." }),
      })
      .nullable()
      .meta({ description: "Why it failed; null if it has not." }),
    encrypted: EncryptedRow.optional().meta({ description: "Its encrypted text; only with `include=encrypted`." }),
  })
  .meta({ id: "PayoutRow", description: "One payment of a payout, without its amount." });

/** A page of rows. */
export const PayoutRowList = z
  .object({
    rows: z.array(PayoutRowResource).meta({ description: "The rows of this page." }),
    limit: PAGE_FIELDS.limit,
    has_more: PAGE_FIELDS.has_more,
  })
  .meta({ id: "PayoutRowList", description: "Rows of a payout, in the order of its file." });

function toRow({ row, status, transferId, to, reference, error }: PayoutRowRecord) {
  const failure = status === "failed" ? rowErrorOf(error) : null;
  return { row, status, transfer_id: transferId, to, reference, error: failure };
}

function toEncryptedRow({ batch, place, note, encrypted, alone }: PayoutRowRecord, transfer: TransferView | undefined) {
  return {
    batch,
    place,
    note,
    ciphertext: encrypted,
    alone,
    transfer: transfer ? toEncryptedTransfer(transfer) : null,
  };
}

/** Serializes a page of rows, with their encrypted text and transfers if these were requested. */
export function toPayoutRowList({ list, paidBy, limit, hasMore }: PayoutRowPage & Partial<OwnPayoutRowPage>) {
  const rows = list.map((row) => ({
    ...toRow(row),
    ...(paidBy && { encrypted: toEncryptedRow(row, paidBy.get(row.transferId ?? "")) }),
  }));
  return { rows, limit, has_more: hasMore };
}

/** Why a row failed, and what to do about it. */
const MESSAGES: Readonly<Record<string, string>> = {
  recipient_not_found: "No account has this handle any more. Check it with the recipient and pay it again.",
  recipient_not_confidential_ready: "This recipient can't receive confidential payments. Ask it to finish signing up.",
  recipient_changed:
    "The handle stands for another account than when the payout was accepted. Check it with the recipient.",
  altered: "The stored row is not what you sent. Nothing was paid for it; send it in a new payout.",
  transfer_failed: "The chain did not take this payment and no money moved. Send it in a new payout.",
};

/** Returns the error of a failed row. */
function rowErrorOf(code: string | null): { code: string; message: string } {
  const known = code ?? "invalid_request";
  return { code: known, message: MESSAGES[known] ?? "This recipient can't be paid. Check it and pay it again." };
}
