import { getAddress } from "viem";
import { z } from "zod";
import type { Account } from "@/lib/accounts/create-account";
import type { KeyAccount } from "@/lib/accounts/get-account";
import type { Enrollment } from "@/lib/accounts/get-enrollment";
import { isoTime } from "@/lib/base/clock";
import { KEY_SCOPES } from "@/lib/base/key-scopes";
import type { Network } from "@/lib/base/network";
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
      .meta({ description: "The API key of this request." }),
  })
  .meta({ id: "Account", description: "An account, on the network of the API key." });

/** Returns an account as the public API shows it, on the key's network and with what the key may do. */
export function toNetworkAccountResource({ account, kycStatus, key }: KeyAccount) {
  const { created_at, ...rest } = toAccountResource(account);
  const { keyId, scopes } = key;
  return { ...rest, kyc_status: kycStatus, created_at, key: { key_id: keyId, scopes: scopes && [...scopes] } };
}

/** Returns an account as its owner's client sees it, with its state on the session's network. */
export function toOwnAccountResource(own: { account: Account; network: Network; enrollment: Enrollment }) {
  const { record } = own.enrollment;
  return {
    ...toAccountResource(own.account),
    network: own.network,
    kyc_status: own.enrollment.kycStatus,
    enrolled: own.enrollment.enrolled,
    viewing_key: record?.viewingKey ?? null,
    payment_key: record?.paymentKey ?? null,
    payment_key_until: record?.paymentKeyUntil ?? null,
    sealed_root: record?.sealedRoot ?? null,
    nonce: record?.nonce ?? "0",
    guarded: record?.guarded ?? false,
    limited: record?.limited ?? false,
    policy_version: record?.policyVersion ?? "0",
    secret_version: own.enrollment.secretVersion,
    strict: own.enrollment.strict,
    batch_payments: own.enrollment.batchPayments,
  };
}
