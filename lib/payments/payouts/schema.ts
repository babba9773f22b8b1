import { z } from "zod";
import { isId } from "@/lib/base/ids";
import { IncludeQuery } from "@/lib/base/inputs";
import { PAGE_QUERY } from "@/lib/base/paging";

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

/** The body of `POST /v1/payouts`. */
export const CreatePayoutInput = z
  .strictObject({
    rows: z
      .array(PayoutRowInput, "List the rows.")
      .min(1, "A payout has at least one row.")
      .max(PAYOUT_ROWS, "A payout has up to 5,000 rows. Split it.")
      .meta({ description: "The payments, up to 5,000, in the order in which they are made." }),
    allow_duplicates: z.boolean("allow_duplicates is true or false.").default(false).meta({
      description:
        "Takes rows with the same recipient, asset, amount and reference. Otherwise the later ones are faults.",
    }),
  })
  .meta({ id: "CreatePayout", description: "A payout: many payments, checked before any of them is made." });
export type CreatePayoutInput = z.infer<typeof CreatePayoutInput>;

/** A row as its author wrote it. */
export type PayoutRowText = CreatePayoutInput["rows"][number];

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
