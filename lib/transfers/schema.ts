import { z } from "zod";
import { DECIMALS } from "@/lib/assets";
import { isId } from "@/lib/ids";
import { AssetInput, LeaseToken, RecipientInput } from "@/lib/inputs";
import { PreparedPaymentSchema } from "@/lib/ledger/prepare/documents";
import { InvalidAmount, parseAmount } from "@/lib/money";
import { PAGE_QUERY, TIMES_QUERY } from "@/lib/paging";

const MEMO_BYTES = 512;

const NAME_PAYER = "Name the payer by its handle: yours, or @owner/agent of one of your agents.";

/** Whose budget pays: one's own handle or that of one of one's agents. */
const PayerInput = z
  .string(NAME_PAYER)
  .max(100, NAME_PAYER)
  .regex(/^@[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9_-]+)?$/, NAME_PAYER)
  .meta({ description: "Who pays: your own handle, or that of one of your agents." });

/** Text only the two sides can open. UTF-16 code units without their pair cannot be written as UTF-8. */
const MemoInput = z
  .string("A memo is a text.")
  .refine((memo) => !/\p{Surrogate}/u.test(memo), "A memo is well-formed text.")
  .refine((memo) => Buffer.byteLength(memo, "utf8") <= MEMO_BYTES, `A memo has at most ${MEMO_BYTES} bytes of UTF-8.`)
  .meta({ description: "Text only the two sides can open, up to 512 bytes of UTF-8." });

/**
 * The body of `POST /v1/transfers`: a plain payment by `amount`, or one `prepared` by the client
 * (docs/protocol.md section 7), which brings its own memo.
 */
export const CreateTransferInput = z
  .strictObject({
    to: RecipientInput,
    from: PayerInput.optional(),
    amount: z
      .string("An amount is a decimal string.")
      .optional()
      .meta({ description: "Decimal string: up to 6 places, of ETH 9.", examples: ["25.00"] }),
    asset: AssetInput.default("USDG"),
    confidential: z.boolean("confidential is true or false.").default(true).meta({
      description: "false pays in public: for recipients whose wallet cannot take confidential tokens.",
    }),
    memo: MemoInput.optional(),
    prepared: PreparedPaymentSchema.optional(),
    lease_token: LeaseToken.optional(),
  })
  .superRefine((body, context) => {
    const refuse = (param: string, message: string) =>
      context.addIssue({ code: "custom", path: [param], message, input: undefined });
    if (body.prepared !== undefined) {
      if (body.amount !== undefined) refuse("amount", "Send either amount or prepared.");
      if (body.memo !== undefined) refuse("memo", "A client-signed payment contains its memo encrypted.");
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
  })
  .meta({ id: "CreateTransfer", description: "A payment: either `amount` or `prepared`." });

/** `amount` is a checked decimal string, or `prepared` is there in its place. */
export type CreateTransferInput = z.infer<typeof CreateTransferInput>;

/** The query of `POST /v1/transfers`. With `dry_run` the policy is asked and nothing happens. */
export const CreateTransferQuery = z.strictObject({
  dry_run: z
    .enum(["true", "false"], "dry_run is true or false.")
    .default("false")
    .transform((text) => text === "true")
    .meta({ description: "Ask the policy, pay nothing.", wire: { type: "boolean", default: false } }),
});

/** The query of `GET /v1/transfers`. `from` and `to` are strict bounds on `created_at`. */
export const ListTransfersQuery = z.strictObject({
  ...PAGE_QUERY,
  ...TIMES_QUERY,
  status: z
    .enum(["pending", "confirmed", "failed"], "status is pending, confirmed or failed.")
    .optional()
    .meta({ description: "Only transfers with this status." }),
});

/** Numbers and Dates, checked. */
export type ListTransfersQuery = z.infer<typeof ListTransfersQuery>;

/** The query of `GET /api/transfers`: the owner's own pages ask more closely. */
export const ListOwnTransfersQuery = ListTransfersQuery.extend({
  direction: z.enum(["sent", "received"], "direction is sent or received.").optional(),
  asset: AssetInput.optional(),
  counterparty: RecipientInput.optional(),
  key: z
    .string()
    .refine((id) => isId("key", id), "key is the id of an API key.")
    .optional(),
});
export type ListOwnTransfersQuery = z.infer<typeof ListOwnTransfersQuery>;

/** The body of `POST /api/withdrawals`: a release, made by the owner's client. */
export const WithdrawInput = z.strictObject({ prepared: PreparedPaymentSchema, lease_token: LeaseToken.optional() });
export type WithdrawInput = z.infer<typeof WithdrawInput>;

/**
 * The body of `POST /api/transfers/check`: what the owner's client is about to prove and sign, without the amount. `to` is
 * left out of an allocation or a deposit.
 */
export const CheckTransferInput = z
  .strictObject({
    act: z.enum(
      ["payment", "withdrawal", "approval", "allocation", "deposit"],
      "`act` is `payment`, `withdrawal`, `approval`, `allocation` or `deposit`.",
    ),
    to: RecipientInput.optional(),
    asset: AssetInput.default("USDG"),
    confidential: z.boolean("confidential is true or false.").default(true),
  })
  .superRefine(({ act, to }, context) => {
    const pays = act !== "allocation" && act !== "deposit";
    if (pays === (to !== undefined)) return;
    const message = pays
      ? "Name the recipient: an @handle or a 0x address."
      : "`to` is only for payments, withdrawals and approvals.";
    context.addIssue({ code: "custom", path: ["to"], message, input: undefined });
  });
export type CheckTransferInput = z.infer<typeof CheckTransferInput>;
