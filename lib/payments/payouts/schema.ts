import { z } from "zod";
import { isId } from "@/lib/base/ids";
import { IncludeQuery, SecretVersion } from "@/lib/base/inputs";
import { PAGE_QUERY } from "@/lib/base/paging";
import { ENCRYPTED_PAYOUT_KEY_LENGTH, ENCRYPTED_PAYOUT_ROW_LENGTH } from "@/lib/ledger/encrypted/payout";
import { commitment, hexBytes } from "@/lib/ledger/prepare/document-fields";
import { UnsignedRowsSchema } from "@/lib/ledger/prepare/documents";

/** The most rows of one payout. */
export const PAYOUT_ROWS = 5_000;

/** The limit of the body of `POST /v1/payouts`. */
export const PAYOUT_BODY = { kib: 5 * 1024, values: 35_000 };

const text = (message: string) => z.string(message).max(4_096, message);

/** A row as the client sends it. Its values are checked later, row by row, so that every fault is listed. */
const PayoutRowInput = z
  .strictObject({
    to: text("`to` is a text.").meta({
      description: "The recipient: an `@handle` or a 0x address.",
      examples: ["@supplier"],
    }),
    amount: text("An amount is a decimal string.").meta({
      description: "The amount, as a decimal string: up to 6 decimal places for USDG, up to 9 for ETH.",
      examples: ["25.00"],
    }),
    asset: text("`asset` is a text.").optional().meta({ description: "Symbol of the asset; `USDG` when left out." }),
    memo: text("A memo is a text.").optional().meta({
      description: "A text that only you and the recipient can decrypt, up to 512 bytes of UTF-8.",
    }),
    reference: text("A reference is a text.").optional().meta({
      description: "Your own reference, up to 64 characters. The service can read it.",
    }),
  })
  .meta({ id: "PayoutRowInput", description: "One payment of a payout." });

/** A payout whose rows the owner's client encrypts, and sends in later requests. */
const EncryptedPayoutInput = z
  .strictObject({
    payout_id: z
      .string()
      .refine((id): boolean => isId("payout", id), "payout_id is the id of a payout.")
      .meta({ description: "The id under which your client has encrypted the key." }),
    rows: z
      .int("rows is a whole number.")
      .min(1, "A payout has at least one row.")
      .max(PAYOUT_ROWS, "A payout has up to 5,000 rows. Split it.")
      .meta({ description: "How many rows follow." }),
    encrypted_key: hexBytes(ENCRYPTED_PAYOUT_KEY_LENGTH).meta({
      description: "The key of its rows, encrypted under the account's secret.",
    }),
    secret_version: SecretVersion.meta({ description: "Version of that secret." }),
    fingerprint: hexBytes(32).optional().meta({
      description:
        "With a blind key: MAC of the rows, under a key that the service doesn't have. The same `Idempotency-Key` with another one is refused.",
    }),
  })
  .meta({
    id: "EncryptedPayout",
    description: "A payout whose rows your client encrypts and adds afterwards. The SDK creates it.",
  });
export type EncryptedPayoutInput = z.infer<typeof EncryptedPayoutInput>;

/** The body of `POST /v1/payouts`: rows that the service encrypts, or a payout whose rows the client encrypts. */
export const CreatePayoutInput = z
  .strictObject({
    rows: z
      .array(PayoutRowInput, "List the rows.")
      .min(1, "A payout has at least one row.")
      .max(PAYOUT_ROWS, "A payout has up to 5,000 rows. Split it.")
      .optional()
      .meta({ description: "The payments, up to 5,000, in the order in which they are made." }),
    allow_duplicates: z.boolean("allow_duplicates is true or false.").default(false).meta({
      description:
        "Takes rows with the same recipient, asset, amount and reference. Otherwise the later ones are faults.",
    }),
    encrypted: EncryptedPayoutInput.optional().meta({
      description: "In place of `rows`: a payout whose rows you encrypt on your device. A session must send it.",
    }),
    names: z
      .array(z.string("Name the recipients.").max(100, "A recipient has at most 100 characters."), "List the names.")
      .min(1, "Name at least one recipient.")
      .max(PAYOUT_ROWS, "Name up to 5,000 recipients.")
      .optional()
      .meta({
        description:
          "In place of `rows`, with `dry_run=true`: only the recipients of a payout, whose other fields your client checks itself.",
      }),
  })
  .superRefine(({ rows, encrypted, names }, context) => {
    if ([rows, encrypted, names].filter((one) => one !== undefined).length === 1) return;
    const message = rows ? "Send either rows or encrypted." : "List the rows.";
    context.addIssue({ code: "custom", path: ["rows"], message, input: undefined });
  })
  .meta({
    id: "CreatePayout",
    description: "A payout: many payments, checked before any of them is made. Send `rows`, or `encrypted`.",
  });
export type CreatePayoutInput = z.infer<typeof CreatePayoutInput>;

/** A row as its author wrote it. */
export type PayoutRowText = NonNullable<CreatePayoutInput["rows"]>[number];

/** What a body with encrypted rows may cost. */
export const ROWS_BODY = { kib: 2 * 1024, values: 5_000 } as const;

const placed = (least: number, most: number, description: string) => z.int().min(least).max(most).meta({ description });

/** A row as the owner's client encrypted it. */
const EncryptedRowInput = z
  .strictObject({
    row: placed(1, PAYOUT_ROWS, "Its number, from 1, in the order of the file."),
    batch: placed(0, PAYOUT_ROWS, "Number of its batch, whose rows share a proof."),
    place: placed(0, 15, "Its place in the batch, from 0."),
    note: commitment.meta({ description: "The commitment that its payment creates." }),
    to: z.string().max(128).meta({ description: "The recipient, as you write it." }),
    reference: z.string().max(64).nullable().meta({ description: "Your reference; null without one." }),
    ciphertext: hexBytes(ENCRYPTED_PAYOUT_ROW_LENGTH).meta({
      description: "Recipient, asset, amount and memo, encrypted under the payout's key.",
    }),
  })
  .meta({ id: "EncryptedRow", description: "A row that your client has encrypted." });

/** The body of `POST /v1/payouts/{payout_id}/rows`: rows of a payout that the client encrypts. */
export const AddRowsInput = z
  .strictObject({
    rows: z
      .array(EncryptedRowInput, "List the rows.")
      .min(1, "Send at least one row.")
      .max(500, "Send up to 500 rows at a time.")
      .meta({ description: "Up to 500 rows. One that is already stored doesn't change." }),
  })
  .meta({ id: "AddPayoutRows", description: "Rows of a payout that your client encrypts. The SDK creates them." });
export type AddRowsInput = z.infer<typeof AddRowsInput>;

const number = z.int().min(0).max(PAYOUT_ROWS);

/** Errors of the account as a whole, not of a row. Retrying does not help. */
const CLIENT_PAUSES = ["insufficient_balance", "sync_required", "kyc_required"] as const;

/** Pending rows that a client with a home key has built. */
const BlindRowsSchema = z
  .strictObject({
    document: UnsignedRowsSchema,
    signature: hexBytes(64).meta({
      description: "Signature of this request by the key that the home key derives (Ed25519, RFC 8032).",
    }),
  })
  .meta({
    id: "BlindRows",
    description:
      "With a blind key: pending rows of the payout, which your machine has built with the home key. The SDK creates it.",
  });

/** What a client that pays a payout itself has done since it last said. */
const PayoutWork = z
  .strictObject({
    blind: BlindRowsSchema.optional(),
    failed: z
      .array(
        z.strictObject({
          row: number.min(1).meta({ description: "Number of the row." }),
          error: z
            .enum([
              "recipient_not_found",
              "recipient_not_confidential_ready",
              "recipient_changed",
              "altered",
              "transfer_failed",
            ])
            .meta({ description: "Why it can't be paid." }),
        }),
      )
      .max(PAYOUT_ROWS)
      .default([])
      .meta({ description: "Rows that can't be paid." }),
    alone: z.array(number).max(PAYOUT_ROWS).default([]).meta({
      description: "Batches that were refused as a whole. Their rows are then paid one by one.",
    }),
    paused: z.enum(CLIENT_PAUSES).optional().meta({
      description: "The error that keeps your client from paying the next rows. It pauses the payout.",
    }),
  })
  .meta({
    id: "PayoutWork",
    description:
      "With a blind key or a session, whose clients pay the rows themselves: what they have built, and what they could not pay. The payout stays `processing` for another minute. The SDK creates it.",
  });
export type PayoutWork = z.infer<typeof PayoutWork>;

/** The body of `POST /v1/payouts/{payout_id}/resume`: what a client that pays the payout itself has done. */
export const ResumePayoutInput = z
  .strictObject({ work: PayoutWork.optional() })
  .prefault({})
  .meta({ id: "ResumePayout", description: "You can omit the body: the API key then decrypts and signs." });
export type ResumePayoutInput = z.infer<typeof ResumePayoutInput>;

/** What the body of a resumption may cost. */
export const RESUME_BODY = { kib: 512, values: 25_000 } as const;

/** The query of `POST /v1/payouts`. */
export const CreatePayoutQuery = z.strictObject({
  dry_run: z
    .enum(["true", "false"], "dry_run is true or false.")
    .default("false")
    .transform((value) => value === "true")
    .meta({ description: "Checks every row and pays nothing.", wire: { type: "boolean", default: false } }),
});

const payoutId = z.string().refine((id) => isId("payout", id), "starting_after is the id of a payout.");

/** The query of `GET /v1/payouts`. */
export const ListPayoutsQuery = z.strictObject({
  limit: PAGE_QUERY.limit,
  status: z
    .enum(["processing", "paused", "finished", "cancelled"], "status is processing, paused, finished or cancelled.")
    .optional()
    .meta({ description: "Returns only payouts with this status." }),
  starting_after: payoutId
    .optional()
    .meta({ description: "Returns the payouts that come after the one with this id in the list: the older ones." }),
});
export type ListPayoutsQuery = z.infer<typeof ListPayoutsQuery>;

/** The query of `GET /v1/payouts/{payout_id}`. */
export const GetPayoutQuery = z.strictObject({ include: IncludeQuery });

/** The query of `GET /v1/payouts/{payout_id}/rows`. */
export const ListPayoutRowsQuery = z.strictObject({
  limit: PAGE_QUERY.limit,
  include: IncludeQuery,
  batch: z
    .string()
    .regex(/^[0-9]{1,4}$/, "batch is the number of a batch.")
    .transform(Number)
    .optional()
    .meta({
      description: "Returns only the rows of this batch, which share a proof.",
      wire: { type: "integer", minimum: 0, maximum: 9999 },
    }),
  status: z
    .enum(["pending", "sent", "paid", "failed", "cancelled"], "status is pending, sent, paid, failed or cancelled.")
    .optional()
    .meta({ description: "Returns only rows with this status." }),
  starting_after: z
    .string()
    .regex(/^[0-9]{1,4}$/, "starting_after is the number of a row.")
    .transform(Number)
    .optional()
    .meta({
      description: "Returns the rows after this one, by its number.",
      wire: { type: "integer", minimum: 0, maximum: 9999 },
    }),
});
export type ListPayoutRowsQuery = z.infer<typeof ListPayoutRowsQuery>;
