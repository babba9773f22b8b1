import { isAddress } from "viem";
import { z } from "zod";
import { DECIMALS } from "@/lib/assets";
import { PreparedPaymentSchema } from "@/lib/ledger/documents";
import { InvalidAmount, parseAmount } from "@/lib/money";

const MEMO_BYTES = 512;

/** An asset's symbol. */
export const AssetInput = z.enum(["USDG", "ETH"], "Name an asset of the service: USDG or ETH.");

/** `@handle`, `@owner/agent` or a 0x address; one with both cases must carry the EIP-55 checksum. */
export const RecipientInput = z
  .string("Name the recipient: an @handle or a 0x address.")
  .max(100, "Name the recipient: an @handle or a 0x address.")
  .refine(
    (to) => /^@[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9_-]+)?$/.test(to) || /^0x[0-9a-fA-F]{40}$/.test(to),
    "Name the recipient: an @handle or a 0x address.",
  )
  .refine(
    // Written in one case an address carries no checksum (EIP-55).
    (to) => !to.startsWith("0x") || to === to.toLowerCase() || /^0x[0-9A-F]{40}$/.test(to) || isAddress(to),
    "The address fails its checksum (EIP-55). Copy it again from its source.",
  );

/** Text only the two sides can open. UTF-16 code units without their pair cannot be written as UTF-8. */
export const MemoInput = z
  .string("A memo is a text.")
  .refine((memo) => !/\p{Surrogate}/u.test(memo), "A memo is well-formed text.")
  .refine((memo) => Buffer.byteLength(memo, "utf8") <= MEMO_BYTES, `A memo has at most ${MEMO_BYTES} bytes of UTF-8.`);

/** Of a lease on the budget (`POST /api/budgets/lease`): its holder does not wait for it to end. */
export const LeaseToken = z.string("A lease token is a text.").max(100, "This is no lease token.");

/**
 * The body of `POST /v1/transfers`: a plain payment by `amount`, or one `prepared` by the client
 * (docs/protocol.md section 7), which brings its own memo.
 */
export const CreateTransferInput = z
  .strictObject({
    to: RecipientInput,
    amount: z.string("An amount is a decimal string.").optional(),
    asset: AssetInput.default("USDG"),
    confidential: z.boolean("confidential is true or false.").default(true),
    memo: MemoInput.optional(),
    prepared: PreparedPaymentSchema.optional(),
    lease_token: LeaseToken.optional(),
  })
  .superRefine((body, context) => {
    const refuse = (param: string, message: string) =>
      context.addIssue({ code: "custom", path: [param], message, input: undefined });
    if (body.prepared !== undefined) {
      if (body.amount !== undefined) refuse("amount", "Send either amount or prepared.");
      if (body.memo !== undefined) refuse("memo", "A prepared payment carries its memo sealed.");
      return;
    }
    if (body.lease_token !== undefined) refuse("lease_token", "A lease is for prepared payments.");
    if (body.amount === undefined) return refuse("amount", "Send amount, a decimal string.");
    try {
      parseAmount(body.amount, DECIMALS[body.asset]);
    } catch (error) {
      if (!(error instanceof InvalidAmount)) throw error;
      refuse("amount", error.message);
    }
  });

/** `amount` is a checked decimal string, or `prepared` is there in its place. */
export type CreateTransferInput = z.infer<typeof CreateTransferInput>;

const pageNumber = (min: number, max: number, message: string) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]{0,9})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);

const instant = z.iso
  .datetime({ offset: true, error: "Write the time in ISO 8601 with its zone: 2026-11-21T02:07:36Z." })
  .transform((text) => new Date(text));

/** The query of `GET /v1/transfers`. `from` and `to` are strict bounds on `created_at`. */
export const ListTransfersQuery = z.strictObject({
  limit: pageNumber(1, 100, "limit lies between 1 and 100.").default(20),
  offset: pageNumber(0, 1_000_000_000, "offset is a whole number from 0 up.").default(0),
  status: z.enum(["pending", "confirmed", "failed"], "status is pending, confirmed or failed.").optional(),
  from: instant.optional(),
  to: instant.optional(),
});

/** Numbers and Dates, checked. */
export type ListTransfersQuery = z.infer<typeof ListTransfersQuery>;

/** The body of `POST /api/withdrawals`: a release, made by the owner's client. */
export const WithdrawInput = z.strictObject({ prepared: PreparedPaymentSchema, lease_token: LeaseToken.optional() });
export type WithdrawInput = z.infer<typeof WithdrawInput>;
