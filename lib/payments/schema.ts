import { z } from "zod";
import { isId } from "@/lib/base/ids";
import { AMOUNT_MEANING, AssetInput, IncludeQuery, LockToken, RecipientInput } from "@/lib/base/inputs";
import { DECIMALS, InvalidAmount, parseAmount } from "@/lib/base/money";
import { CURSOR_OR_OFFSET, cursorQuery, PAGE_QUERY, TIMES_IN_ORDER, TIMES_QUERY } from "@/lib/base/paging";
import { ENCRYPTED_HELD_LENGTH } from "@/lib/ledger/encrypted/held";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";
import { SignedPaymentSchema, UnsignedPaymentSchema } from "@/lib/ledger/prepare/documents";
import { DETAIL_FIELDS, ReferenceInput, transferIdInput } from "./details/payment-details";

const MEMO_BYTES = 512;

const NAME_PAYER = "Name the payer by its handle: yours, or @owner/agent of one of your agents.";

/** The paying account: one's own handle, or that of one of one's agents. */
const PayerInput = z
  .string(NAME_PAYER)
  .max(100, NAME_PAYER)
  .regex(/^@[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9_-]+)?$/, NAME_PAYER)
  .meta({
    description: "Who pays: your own handle, or that of one of your agents. If omitted, the account of the API key.",
  });

/** Text that only the two sides can decrypt. Unpaired UTF-16 surrogates can't be encoded as UTF-8. */
export const MemoInput = z
  .string("A memo is a text.")
  .refine((memo) => !/\p{Surrogate}/u.test(memo), "A memo is well-formed text.")
  .refine((memo) => Buffer.byteLength(memo, "utf8") <= MEMO_BYTES, `A memo has at most ${MEMO_BYTES} bytes of UTF-8.`)
  .meta({ description: "A text that only the payer and the recipient can decrypt, up to 512 bytes of UTF-8." });

/** The run of a schedule that a client-signed payment pays. */
export const ScheduleRunInput = z
  .string()
  .refine((id): boolean => isId("scheduleRun", id), "schedule_run is the id of a run of a schedule.")
  .meta({ description: "The run of a schedule that this client-signed payment makes." });

/** A payment that a client has built with a home key, and the home key's signature of exactly this request. */
const BlindPaymentInput = z
  .strictObject({
    document: UnsignedPaymentSchema.optional(),
    held: z
      .strictObject({
        transaction_id: z
          .string()
          .refine((id): boolean => isId("transaction", id), "transaction_id is the id of a payment awaiting approval.")
          .meta({ description: "Its id, which your machine chooses: `txn_` and a new ULID." }),
        encrypted: hexBytes(ENCRYPTED_HELD_LENGTH).meta({ description: "The payment, encrypted for the owner." }),
        note: hexBytes(32).meta({
          description:
            "The note that its approval makes, or the payment id of a public payment. An approval with another is refused.",
        }),
      })
      .optional()
      .meta({ description: "In place of `document`, above the approval threshold: it awaits the owner's decision." }),
    signature: hexBytes(64).meta({
      description: "Signature of this request by the key that the home key derives (Ed25519, RFC 8032).",
    }),
    fingerprint: hexBytes(32).meta({
      description:
        "MAC of what the payment is for, under a key that the service doesn't have. A repetition of the request has the same one, and may have another document.",
    }),
  })
  .refine(({ document, held }) => (document === undefined) !== (held === undefined), {
    error: "Send either document or held.",
    path: ["document"],
  })
  .meta({
    id: "BlindPayment",
    description: "A payment that your machine has built with a home key, which the service signs without reading it.",
  });

/**
 * The body of `POST /v1/transfers`: a server-signed payment with `amount`, or a payment `client_signed` by the client
 * (docs/protocol.md section 7), which brings its own memo.
 */
export const CreateTransferInput = z
  .strictObject({
    to: RecipientInput.optional().meta({
      description:
        "The recipient: an `@handle`, an agent's `@owner/agent` or a 0x address. Required, except with `refund_of`.",
      examples: ["@supplier"],
    }),
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
    exact: z.boolean("exact is true or false.").optional().meta({
      description:
        "`true` pays a seller over HTTP 402 that takes public payments only (x402, scheme `exact`): an agent's payment goes to a one-time address, which authorizes the seller, named in `to`, to take it. Anyone can see the amount, so `confidential` has to be `false`. The policy has to allow `public_payments`.",
    }),
    memo: MemoInput.optional(),
    ...DETAIL_FIELDS,
    refund_of: transferIdInput("refund_of")
      .optional()
      .meta({
        description:
          "A payment that you received and now give back, all or in part. It goes to the account that paid; you don't name `to`.",
        examples: ["tr_01KADJ2C9B3T6Y0V8ZQ4N5M7WX"],
      }),
    refunds_counted: z.int("refunds_counted is a whole number.").min(0).max(100_000).optional().meta({
      description:
        "With `refund_of`: how many earlier refunds of that payment your client has decrypted and counted. If there are others, you get `refund_conflict`. If omitted, no one has compared the refund with what you received: `checked` is `false`.",
    }),
    client_signed: SignedPaymentSchema.optional().meta({
      description: "A client-signed payment, in place of `amount` and `memo`. The SDK creates it.",
    }),
    blind: BlindPaymentInput.optional().meta({
      description: "With a blind key, in place of `amount` and `memo`. The SDK creates it with the home key.",
    }),
    lock_token: LockToken.optional(),
    schedule_run: ScheduleRunInput.optional(),
  })
  .superRefine((body, context) => {
    const refuse = (param: string, message: string) =>
      context.addIssue({ code: "custom", path: [param], message, input: undefined });
    if (body.to === undefined && body.refund_of === undefined) {
      refuse("to", "Name the recipient: an @handle or a 0x address.");
    }
    if (body.refunds_counted !== undefined && body.refund_of === undefined) {
      refuse("refunds_counted", "refunds_counted belongs to a refund. Name the payment in refund_of.");
    }
    if (body.unique_reference && body.reference === undefined) {
      refuse("unique_reference", "There is no reference to be unique. Send reference.");
    }
    if (body.binding !== undefined && body.refund_of !== undefined) {
      refuse("binding", "A refund is bound to the payment that it gives back.");
    }
    const isBuilt = body.client_signed !== undefined || body.blind !== undefined;
    if (body.payment_request !== undefined && !isBuilt && body.binding === undefined) {
      refuse("binding", "A payment of a request carries its binding: `paymentRequests.pay` of the SDK computes it.");
    }
    if (body.binding !== undefined && !body.confidential) {
      refuse("binding", "A public payment has no encrypted copy for its recipient to carry a binding.");
    }
    if (body.exact) {
      if (body.confidential)
        refuse("confidential", "A payment to an `exact` seller is public: send `confidential: false`.");
      if (body.asset !== "USDG") refuse("asset", "Sellers of the scheme `exact` are paid in USDG.");
      if (body.refund_of !== undefined) refuse("refund_of", "A refund goes to the account that paid, not to a seller.");
      if (body.client_signed !== undefined)
        refuse("client_signed", "The service signs what an `exact` seller takes. Send amount.");
    }
    if (body.blind !== undefined) {
      for (const field of ["amount", "memo", "binding", "client_signed", "exact"] as const) {
        if (body[field] !== undefined) refuse(field, `A payment with a home key brings no \`${field}\` beside it.`);
      }
    } else if (body.client_signed !== undefined) {
      if (body.binding !== undefined) refuse("binding", "A client-signed payment contains its binding encrypted.");
      if (body.amount !== undefined) refuse("amount", "Send either amount or client_signed.");
      if (body.memo !== undefined) refuse("memo", "A client-signed payment contains its memo encrypted.");
      return;
    }
    if (body.schedule_run !== undefined) {
      refuse("schedule_run", "Have the service pay a run with POST /v1/schedules/{schedule_id}/runs/{run_id}/pay.");
    }
    if (body.blind !== undefined) return;
    if (body.lock_token !== undefined) refuse("lock_token", "A balance lock is for client-signed payments.");
    if (body.amount === undefined) return refuse("amount", "Send amount, a decimal string.");
    try {
      parseAmount(body.amount, DECIMALS[body.asset]);
    } catch (error) {
      if (!(error instanceof InvalidAmount)) throw error;
      refuse("amount", error.message);
    }
  })
  .meta({ id: "CreateTransfer", description: "A payment. Send either `amount` or `client_signed`." });

/** `amount` is a validated decimal string, unless `client_signed` is there instead. */
export type CreateTransferInput = z.infer<typeof CreateTransferInput>;
export type BlindPaymentInput = z.infer<typeof BlindPaymentInput>;

/** The query of `POST /v1/transfers`. With `dry_run`, only the policy is checked and nothing happens. */
export const CreateTransferQuery = z.strictObject({
  dry_run: z
    .enum(["true", "false"], "dry_run is true or false.")
    .default("false")
    .transform((text) => text === "true")
    .meta({ description: "Checks the spend policy and pays nothing.", wire: { type: "boolean", default: false } }),
});

const KIND_RULE = "kind is payment, public, refund, move, payment_request, payout or schedule.";

/** Filters of a list of transfers. `from` and `to` are exclusive bounds on `created_at`. */
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
  kind: z
    .enum(["payment", "public", "refund", "move", "payment_request", "payout", "schedule"], KIND_RULE)
    .optional()
    .meta({
      description:
        "Returns only transfers of this kind. `payment`: confidential ones that are no refund. `public`: payments whose amount anyone can see. `refund`: what gives a payment back. `move`: between an account and its own agent. `payment_request`, `payout`, `schedule`: what was paid for one.",
    }),
  reference: ReferenceInput.optional().meta({ description: "Returns only transfers with exactly this reference." }),
  refund_of: transferIdInput("refund_of").optional().meta({
    description:
      "Returns only the refunds of this transfer. After the service was restored from a backup, also payments that may be refunds of it; their `refund_of` is null.",
  }),
  key: z
    .string()
    .refine((id) => isId("key", id), "key is the id of an API key.")
    .optional()
    .meta({ description: "Returns only payments made with this API key: its id." }),
  ...cursorQuery("transfer"),
});

/** A kind of transfer that lists filter by. */
export type TransferKind = NonNullable<z.infer<typeof TransferFilters>["kind"]>;
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

/** The parsed query, with numbers and Dates. */
export type ListTransfersQuery = z.infer<typeof ListTransfersQuery>;

/** The query of `GET /v1/transfers/{transfer_id}`. */
export const GetTransferQuery = z.strictObject({
  include: z.enum(["encrypted", "exact", "history"], "include is encrypted, exact or history.").optional().meta({
    description:
      "`encrypted`: also returns the encrypted texts, which only a client with the account's key can decrypt. `history`: these, and how far the transfer has come. `exact`: also returns what the seller of a payment with `exact` takes, the same at every request.",
  }),
});

const { binding: _, ...details } = DETAIL_FIELDS;
/** The details of a payment that is made together with others. */
export const BATCH_DETAILS = details;

/** The body of `POST /api/withdrawals`: a public payment by the owner's client. */
export const WithdrawInput = z.strictObject({ client_signed: SignedPaymentSchema, lock_token: LockToken.optional() });
export type WithdrawInput = z.infer<typeof WithdrawInput>;

/**
 * The body of `POST /api/transfers/check`: what the owner's client is about to prove and sign, without the amount. `to`
 * is left out for a move to the available balance or a deposit, and `mode` unless a key is to sign under a policy.
 */
export const CheckTransferInput = z
  .strictObject({
    act: z.enum(
      ["payment", "withdrawal", "approval", "make_available", "deposit"],
      "`act` is `payment`, `withdrawal`, `approval`, `makingAvailable` or `deposit`.",
    ),
    to: RecipientInput.optional(),
    asset: AssetInput.default("USDG"),
    confidential: z.boolean("confidential is true or false.").default(true),
    /** Whether `to` is a seller that takes only public payments and is paid through a one-time address. */
    exact: z.boolean().optional(),
    /** The mode in which a payment under a policy will be signed; by the wallet by default. */
    mode: z.literal([0, 1, 2], "mode is 0, 1 or 2.").default(2),
  })
  .superRefine(({ act, to }, context) => {
    const pays = act !== "make_available" && act !== "deposit";
    if (pays === (to !== undefined)) return;
    const message = pays
      ? "Name the recipient: an @handle or a 0x address."
      : "`to` is only for payments, withdrawals and approvals.";
    context.addIssue({ code: "custom", path: ["to"], message, input: undefined });
  });
export type CheckTransferInput = z.infer<typeof CheckTransferInput>;
