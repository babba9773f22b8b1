import { z } from "zod";
import { SecretVersion } from "@/lib/base/inputs";
import { PAGE_QUERY } from "@/lib/base/paging";
import { authorityInput } from "@/lib/ledger/authority/authority-input";
import { ENCRYPTED_HELD_LENGTH } from "@/lib/ledger/encrypted/held";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";

/** An id as the service writes it: nothing a database would refuse. */
const IdText = z.string().regex(/^[a-z]{2,5}_[0-9A-Z]{26}$/, "Name an id as the service writes it.");

/** The most held payments of one request. */
const ENCRYPTED_AT_ONCE = 200;

/** The body of `POST /api/account-secret`: the next version, and the ledger's `SetPaymentKey` signed by the wallet. */
export const RotateInput = z.strictObject({
  secret_version: SecretVersion,
  document: authorityInput("set_payment_key"),
});

/**
 * The body of `POST /api/payment-key`: the ledger's `SetPaymentKey` of the payment key the account has, or of none,
 * signed by the wallet.
 */
export const PaymentKeyInput = authorityInput("set_payment_key");

/** The query of the lists of what is encrypted under an earlier version: those whose id comes after `after`. */
export const StaleQuery = z.strictObject({
  after: IdText.optional(),
  limit: PAGE_QUERY.limit,
});

/** The body of `POST /api/account-secret/encrypted`: held payments, encrypted under the current version. */
export const EncryptedInput = z.strictObject({
  secret_version: SecretVersion,
  held: z
    .array(z.strictObject({ transaction_id: IdText, encrypted: hexBytes(ENCRYPTED_HELD_LENGTH) }))
    .max(ENCRYPTED_AT_ONCE, `Send up to ${ENCRYPTED_AT_ONCE} at a time.`),
});

export type RotateInput = z.infer<typeof RotateInput>;
export type StaleQuery = z.infer<typeof StaleQuery>;
export type EncryptedInput = z.infer<typeof EncryptedInput>;
