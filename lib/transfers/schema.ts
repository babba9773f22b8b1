import { z } from "zod";
import { DECIMALS } from "@/lib/assets";
import { isId } from "@/lib/ids";
import { AMOUNT_MEANING, AssetInput, IncludeQuery, LeaseToken, RecipientInput } from "@/lib/inputs";
import { PreparedBatchSchema, PreparedPaymentSchema } from "@/lib/ledger/prepare/documents";
import { BATCH_PAYMENTS } from "@/lib/ledger/seal/batch-copy";
import { InvalidAmount, parseAmount } from "@/lib/money";
import { PAGE_QUERY, TIMES_IN_ORDER, TIMES_QUERY } from "@/lib/paging";

const MEMO_BYTES = 512;

const NAME_PAYER = "Name the payer by its handle: yours, or @owner/agent of one of your agents.";

/** Whose budget pays: one's own handle or that of one of one's agents. */
const PayerInput = z
  .string(NAME_PAYER)
  .max(100, NAME_PAYER)
  .regex(/^@[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9_-]+)?$/, NAME_PAYER)
  .meta({
    description: "Who pays: your own handle, or that of one of your agents. If omitted, the account of the API key.",
  });

/** Text only the two sides can open. UTF-16 code units without their pair cannot be written as UTF-8. */
const MemoInput = z
  .string("A memo is a text.")
  .refine((memo) => !/\p{Surrogate}/u.test(memo), "A memo is well-formed text.")
  .refine((memo) => Buffer.byteLength(memo, "utf8") <= MEMO_BYTES, `A memo has at most ${MEMO_BYTES} bytes of UTF-8.`)
  .meta({ description: "A text that only the payer and the recipient can decrypt, up to 512 bytes of UTF-8." });

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
      .meta({ description: AMOUNT_MEANING, examples: ["25.00"] }),
    asset: AssetInput.default("USDG"),
    confidential: z.boolean("confidential is true or false.").default(true).meta({
      description:
        "`false` sends a public payment, whose amount anyone can see. Use it for recipients that can't receive confidential payments.",
    }),
    memo: MemoInput.optional(),
    prepared: PreparedPaymentSchema.optional().meta({
      description: "A client-signed payment, in place of `amount` and `memo`. The SDK creates it.",
    }),
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
  .meta({ id: "CreateTransfer", description: "A payment. Send either `amount` or `prepared`." });

/** `amount` is a checked decimal string, or `prepared` is there in its place. */
export type CreateTransferInput = z.infer<typeof CreateTransferInput>;

/** The query of `POST /v1/transfers`. With `dry_run` the policy is asked and nothing happens. */
export const CreateTransferQuery = z.strictObject({
  dry_run: z
    .enum(["true", "false"], "dry_run is true or false.")
    .default("false")
    .transform((text) => text === "true")
    .meta({ description: "Checks the spend policy and pays nothing.", wire: { type: "boolean", default: false } }),
});

/** What both lists of transfers filter by. `from` and `to` are strict bounds on `created_at`. */
const TransferFilters = z.strictObject({
  ...PAGE_QUERY,
  ...TIMES_QUERY,
  status: z
    .enum(["pending", "confirmed", "failed"], "status is pending, confirmed or failed.")
    .optional()
    .meta({ description: "Returns only transfers with this status." }),
  direction: z
    .enum(["sent", "received"], "direction is sent or received.")
    .optional()
    .meta({ description: "Returns only transfers that you sent, or that you received." }),
  asset: AssetInput.optional().meta({ description: "Returns only transfers of this asset." }),
  counterparty: RecipientInput.optional().meta({
    description: "Returns only transfers with this account on the other side: an @handle or a 0x address.",
  }),
  starting_after: z
    .string()
    .refine((id) => isId("transfer", id), "starting_after is the id of a transfer.")
    .optional()
    .meta({
      description:
        "Returns the transfers that come after the one with this id in the list: the older ones. Not with `offset`.",
    }),
});

/** For `refine`: a page begins after a transfer or at an offset. */
const CURSOR_OR_OFFSET: [
  (query: { starting_after?: string; offset: number }) => boolean,
  { path: string[]; message: string },
] = [
  ({ starting_after, offset }) => starting_after === undefined || offset === 0,
  {
    path: ["offset"],
    message: "With starting_after there is no offset: continue after the last transfer of the page.",
  },
];

export type TransferFilters = z.infer<typeof TransferFilters>;

/** The query of `GET /v1/transfers`. */
export const ListTransfersQuery = TransferFilters.extend({
  agent: z
    .string()
    .max(100, "agent is a handle or id of one of your agents.")
    .optional()
    .meta({ description: "Returns only transfers of this agent: its handle or id." }),
  include: IncludeQuery,
})
  .refine(...TIMES_IN_ORDER)
  .refine(...CURSOR_OR_OFFSET);

/** Numbers and Dates, checked. */
export type ListTransfersQuery = z.infer<typeof ListTransfersQuery>;

/** The query of `GET /v1/transfers/{transfer_id}`. */
export const GetTransferQuery = z.strictObject({ include: IncludeQuery });

/** The query of `GET /api/transfers`. */
export const ListOwnTransfersQuery = TransferFilters.extend({
  key: z
    .string()
    .refine((id) => isId("key", id), "key is the id of an API key.")
    .optional(),
})
  .refine(...TIMES_IN_ORDER)
  .refine(...CURSOR_OR_OFFSET);
export type ListOwnTransfersQuery = z.infer<typeof ListOwnTransfersQuery>;

/** The body of `POST /api/transfers/batch`: payments made together by the owner's client, in the order of `prepared`. */
export const BatchInput = z.strictObject({
  asset: AssetInput.default("USDG"),
  payments: z
    .array(z.strictObject({ to: RecipientInput }), "List the payments.")
    .min(2)
    .max(BATCH_PAYMENTS),
  prepared: PreparedBatchSchema,
  lease_token: LeaseToken.optional(),
});
export type BatchInput = z.infer<typeof BatchInput>;

/** The body of `POST /api/withdrawals`: a public payment, made by the owner's client. */
export const WithdrawInput = z.strictObject({ prepared: PreparedPaymentSchema, lease_token: LeaseToken.optional() });
export type WithdrawInput = z.infer<typeof WithdrawInput>;

/**
 * The body of `POST /api/transfers/check`: what the owner's client is about to prove and sign, without the amount. `to`
 * is left out of an allocation or a deposit, `mode` unless a key is to sign under a policy.
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
    /** In which a payment under a policy is to be signed; by the wallet when left out. */
    mode: z.literal([0, 1, 2], "mode is 0, 1 or 2.").default(2),
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
