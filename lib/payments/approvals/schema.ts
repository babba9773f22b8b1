import { z } from "zod";
import { IncludeQuery, LockToken } from "@/lib/base/inputs";
import { CURSOR_OR_OFFSET, cursorQuery, PAGE_QUERY } from "@/lib/base/paging";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";
import { SignedPaymentSchema, UnsignedPaymentSchema } from "@/lib/ledger/prepare/documents";
import { ReferenceInput } from "@/lib/payments/details/payment-details";

/** 65 bytes: r, s and v. */
const Signature = z
  .templateLiteral(["0x", z.string()])
  .refine(
    (text) => /^0x[0-9a-f]{130}$/.test(text),
    "A signature is 65 bytes, as 0x and lower-case hexadecimal digits.",
  );

/**
 * The body of an approval: none if the API key decrypts the payment, or the payment as signed by the owner's client
 * (docs/protocol.md section 7).
 */
export const ApproveInput = z
  .strictObject({
    client_signed: SignedPaymentSchema.optional().meta({
      description: "The payment, signed on your device. If omitted, the API key decrypts and signs it.",
    }),
    blind: z
      .strictObject({
        document: UnsignedPaymentSchema,
        signature: hexBytes(64).meta({
          description: "Signature of this request by the key that the home key derives (Ed25519, RFC 8032).",
        }),
      })
      .optional()
      .meta({ description: "With a blind key: the payment, built with the home key. The SDK creates it." }),
    lock_token: LockToken.optional(),
    exact: z
      .strictObject({
        valid_before: z.int("valid_before is in Unix seconds.").min(0).max(253_402_300_799).meta({
          description: "Until when the seller may take the payment, in Unix seconds: an hour from now.",
        }),
        signature: Signature.meta({ description: "`TransferWithAuthorization` (EIP-3009) to the seller." }),
        return_signature: Signature.meta({
          description: "The same to the owner's wallet, for what the seller does not take.",
        }),
      })
      .optional()
      .meta({
        description: "Of a client-signed payment to an `exact` seller: what its one-time address signs.",
      }),
  })
  .refine(({ client_signed: document, blind }) => document === undefined || blind === undefined, {
    path: ["blind"],
    message: "Send either client_signed or blind.",
  })
  .refine(
    ({ client_signed: document, blind, lock_token: token }) => Boolean(document ?? blind) || token === undefined,
    {
      path: ["lock_token"],
      message: "A balance lock is for client-signed payments.",
    },
  )
  .refine(({ client_signed: document, exact }) => document !== undefined || exact === undefined, {
    path: ["exact"],
    message: "exact is for client-signed payments.",
  })
  .prefault({})
  .meta({
    id: "ApprovePayment",
    description: "You can omit the body: the API key then decrypts and signs the payment.",
  });

export type ApproveInput = z.infer<typeof ApproveInput>;

/** The query of `GET /v1/agents/transactions/pending`. */
export const ListPendingQuery = z
  .strictObject({
    ...PAGE_QUERY,
    ...cursorQuery("transaction"),
    reference: ReferenceInput.optional().meta({ description: "Returns only payments with exactly this reference." }),
    agent: z
      .string()
      .max(100, "agent is a handle or id of one of your agents.")
      .optional()
      .meta({ description: "Returns only payments of this agent: its handle or id." }),
    include: IncludeQuery,
  })
  .refine(...CURSOR_OR_OFFSET);

/** The query of `GET /v1/agents/transactions/{transaction_id}`. */
export const GetHeldQuery = z.strictObject({ include: IncludeQuery });

export type ListPendingQuery = z.infer<typeof ListPendingQuery>;

/** The body of `POST /api/agents/transactions/reject`: payments of one agent, or of all. */
export const RejectAllInput = z.strictObject({
  agent: z.string().max(100, "agent is a handle or id of one of your agents.").optional(),
});
export type RejectAllInput = z.infer<typeof RejectAllInput>;

/** The query of `GET /api/agents/transactions`: decided payments. */
export const ListDecidedQuery = z
  .strictObject({
    ...PAGE_QUERY,
    ...cursorQuery("transaction"),
    status: z
      .enum(["approved", "rejected", "expired"], "status is approved, rejected or expired; without it all of them.")
      .optional(),
    agent: z.string().max(100, "agent is a handle or id of one of your agents.").optional(),
  })
  .refine(...CURSOR_OR_OFFSET);
export type ListDecidedQuery = z.infer<typeof ListDecidedQuery>;
