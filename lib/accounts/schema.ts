import { type Address, isAddress } from "viem";
import { z } from "zod";
import { RecipientInput } from "@/lib/base/inputs";
import { hexBytes, u64 } from "@/lib/ledger/prepare/document-fields";
import { anySignature } from "@/lib/ledger/prepare/signature-fields";

/** An address in any case. If it is in mixed case, its EIP-55 checksum must be right. Parsed to lower case. */
export const AddressInput = z
  .string("Send a 0x address.")
  .refine((text) => isAddress(text), "Send a 0x address, with a right checksum when in mixed case.")
  .transform((text) => text.toLowerCase() as Address);

/** The body of `POST /api/accounts`. */
export const CreateAccountInput = z.strictObject({
  handle: z.string("Choose a handle.").max(100, "Choose a shorter handle."),
  type: z.enum(["personal", "business"], "type is personal or business.").default("personal"),
});

export type CreateAccountInput = z.infer<typeof CreateAccountInput>;

/** The query of `GET /v1/accounts/me`. */
export const AccountQuery = z.strictObject({
  include: z.enum(["ledger"], "include is ledger.").optional().meta({
    description: "`ledger` adds what the ledger has of the account, and its settings. Not for an agent's key.",
  }),
});

/** The body of `PATCH /api/account-settings`. */
export const UpdateAccountInput = z
  .strictObject({
    strict: z.boolean("strict is true or false.").optional(),
    batch_payments: z.boolean("batch_payments is true or false.").optional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, "Send strict, batch_payments or both.");

export type UpdateAccountInput = z.infer<typeof UpdateAccountInput>;

/** The query of `GET /api/accounts/resolve`. */
export const ResolveQuery = z.strictObject({ to: RecipientInput });

/** Bytes. Enough for an account key encrypted under a wallet's signature and under a recovery code. */
const MAX_ENCRYPTED_ACCOUNT_KEY = 1024;

/** The body of `POST /api/enrollments`: the ledger's `Enroll` struct and the wallet's signature over it. */
export const EnrollInput = z.strictObject({
  viewing_key: hexBytes(32),
  payment_key: AddressInput,
  payment_key_until: u64,
  encrypted_account_key: hexBytes(1, MAX_ENCRYPTED_ACCOUNT_KEY),
  deadline: u64,
  signature: anySignature,
});

export type EnrollInput = z.infer<typeof EnrollInput>;
