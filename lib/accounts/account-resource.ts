import { getAddress } from "viem";
import { z } from "zod";
import type { Account } from "@/lib/accounts/create-account";
import type { AccountView } from "@/lib/accounts/get-account";
import type { Enrollment } from "@/lib/accounts/get-enrollment";
import { isoTime } from "@/lib/base/clock";
import { KEY_SCOPES } from "@/lib/base/key-scopes";
import { handleField, hexField, idField, timeField } from "@/lib/base/response-fields";

/** Returns the fields of an account that both APIs share. `public_key` is its address with the EIP-55 checksum. */
export function toAccountResource(account: Account) {
  return {
    account_id: account.id,
    handle: `@${account.handle}`,
    type: account.type,
    public_key: getAddress(account.address),
    created_at: isoTime(account.createdAt),
  };
}

const WITH_LEDGER = "Only with `include=ledger`.";
const optional = (description: string) => ({ description: `${description} ${WITH_LEDGER}` });

/** What the ledger has of an account, and its settings. */
const ON_LEDGER = {
  enrolled: z
    .enum(["none", "pending", "enrolled"])
    .meta(optional("Whether the ledger has the account: `pending` was sent, `enrolled` is final.")),
  viewing_key: hexField(32, "").nullable().meta(optional("The public viewing key; null before enrollment.")),
  payment_key: hexField(20, "").nullable().meta(optional("Address of the payment key; null before enrollment.")),
  payment_key_until: z
    .string()
    .nullable()
    .meta(optional("Unix time in seconds at which the payment key ends, as a decimal string.")),
  encrypted_account_key: z
    .templateLiteral(["0x", z.string()])
    .nullable()
    .meta(optional("The account key as the ledger has it, encrypted under a key that only the wallet derives.")),
  nonce: z.string().meta(optional("The nonce of the account's next document, as a decimal string.")),
  guarded: z
    .boolean()
    .meta(optional("Whether only the wallet sets policies and moves money between the account and its agents.")),
  limited: z.boolean().meta(optional("Whether the account itself pays under a policy.")),
  policy_version: z.string().meta(optional("Version of that policy, as a decimal string.")),
  secret_version: z.int().meta({
    ...optional("Version of the account secret."),
    wire: { type: "integer", minimum: 1 },
  }),
  strict: z.boolean().meta(optional("Whether only client-signed payments are taken.")),
  batch_payments: z.boolean().meta(optional("Whether payments that wait for each other may share a proof.")),
};

/** The Account of the public API. */
export const NetworkAccountResource = z
  .object({
    account_id: idField("account", "Identifies the account."),
    handle: handleField("The account's handle."),
    type: z
      .enum(["personal", "business", "agent"])
      .meta({ description: "`agent` for an agent of yours; otherwise the kind of owner." }),
    public_key: hexField(20, "The account's address on chain, with its EIP-55 checksum."),
    kyc_status: z.enum(["unverified", "pending", "verified", "enhanced"]).meta({
      description: "How far the owner's identity is verified on the API key's network.",
    }),
    created_at: timeField("When the account was created."),
    key: z
      .object({
        key_id: idField("key", "Identifies the API key of this request."),
        scopes: z
          .array(z.enum(KEY_SCOPES))
          .nullable()
          .meta({ description: "What the key may do; null if it may do everything." }),
      })
      .optional()
      .meta({ description: "The API key of this request; not of a session." }),
    ...z.object(ON_LEDGER).partial().shape,
  })
  .meta({ id: "Account", description: "An account, on the network of the API key." });

/** Returns an account on the caller's network, with what its key may do, or with what its owner's client needs. */
export function toNetworkAccountResource({ account, kycStatus, key, enrollment }: AccountView) {
  const { created_at, ...rest } = toAccountResource(account);
  return {
    ...rest,
    kyc_status: kycStatus,
    created_at,
    ...(key && { key: { key_id: key.keyId, scopes: key.scopes && [...key.scopes] } }),
    ...(enrollment && onLedger(enrollment)),
  };
}

function onLedger({ record, ...own }: Enrollment): z.infer<z.ZodObject<typeof ON_LEDGER>> {
  return {
    enrolled: own.enrolled,
    viewing_key: record?.viewingKey ?? null,
    payment_key: record?.paymentKey ?? null,
    payment_key_until: record?.paymentKeyUntil ?? null,
    encrypted_account_key: record?.encryptedAccountKey ?? null,
    nonce: record?.nonce ?? "0",
    guarded: record?.guarded ?? false,
    limited: record?.limited ?? false,
    policy_version: record?.policyVersion ?? "0",
    secret_version: own.secretVersion,
    strict: own.strict,
    batch_payments: own.batchPayments,
  };
}

/** Returns an account as its owner's client sees it. */
export function toOwnAccountResource({ account, enrollment }: { account: Account; enrollment: Enrollment }) {
  const { kycStatus } = enrollment;
  return { ...toNetworkAccountResource({ account, kycStatus }), ...onLedger(enrollment) };
}
