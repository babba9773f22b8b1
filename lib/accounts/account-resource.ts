import { getAddress } from "viem";
import type { Account } from "@/lib/accounts/create-account";
import type { Enrollment } from "@/lib/accounts/get-enrollment";
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
