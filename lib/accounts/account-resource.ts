import { getAddress } from "viem";
import { z } from "zod";
import type { Account } from "@/lib/accounts/create-account";
import type { Enrollment } from "@/lib/accounts/get-enrollment";
import { handleField, hexField, idField, timeField } from "@/lib/answer-fields";
import { isoTime } from "@/lib/clock";
import type { KycStatus } from "@/lib/kyc/provider";
import type { Network } from "@/lib/network";

/** What both APIs say of an account; `public_key` is its address with the EIP-55 checksum. */
export function toAccountResource(account: Account) {
  return {
    account_id: account.id,
    handle: `@${account.handle}`,
    type: account.type,
    public_key: getAddress(account.address),
    created_at: isoTime(account.createdAt),
  };
}

/** The contract's Account. */
export const NetworkAccountResource = z
  .object({
    account_id: idField("account", "Identifies the account."),
    handle: handleField("The account's handle."),
    type: z.enum(["personal", "business", "agent"]),
    public_key: hexField(20, "The account's address on chain, with its EIP-55 checksum."),
    kyc_status: z.enum(["unverified", "pending", "verified", "enhanced"]).meta({
      description: "How far the owner's identity is verified on the key's network.",
    }),
    created_at: timeField("When the account was created."),
  })
  .meta({ id: "Account", description: "An account, on the network of the key." });

/** The contract's Account, on the network of the key. */
export function toNetworkAccountResource({ account, kycStatus }: { account: Account; kycStatus: KycStatus }) {
  const { created_at, ...rest } = toAccountResource(account);
  return { ...rest, kyc_status: kycStatus, created_at };
}

/** An account as its owner's client sees it, with its standing on the session's network. */
export function toOwnAccountResource(own: { account: Account; network: Network; enrollment: Enrollment }) {
  const { record } = own.enrollment;
  return {
    ...toAccountResource(own.account),
    network: own.network,
    kyc_status: own.enrollment.kycStatus,
    enrolled: own.enrollment.enrolled,
    viewing_key: record?.viewingKey ?? null,
    spender: record?.spender ?? null,
    spender_until: record?.spenderUntil ?? null,
    sealed_root: record?.sealedRoot ?? null,
    nonce: record?.nonce ?? "0",
    secret_version: own.enrollment.secretVersion,
    strict: own.enrollment.strict,
  };
}
