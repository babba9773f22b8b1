import type { Address, Hex } from "viem";
import { sql } from "@/db/client";
import type { KycStatus } from "@/lib/accounts/kyc/provider";
import type { Context } from "@/lib/base/context/context";

/**
 * The state of an account on one network: its ledger record as of the last final block, and its settings at the
 * service.
 */
export interface Enrollment {
  kycStatus: KycStatus;
  secretVersion: number;
  /** Server-signed payments are off: API keys carry no copy of the secret. */
  strict: boolean;
  /** Payments that are queued behind each other may share one proof. */
  batchPayments: boolean;
  enrolled: "none" | "pending" | "enrolled";
  /** Null before enrollment. */
  record: {
    viewingKey: Hex;
    /** The payment key, and the last second at which it is valid (Unix time). */
    paymentKey: Address;
    paymentKeyUntil: string;
    /** Only the wallet can set policies and move money between the account and its agents. */
    guarded: boolean;
    /** Payments with the account's keys are limited by a policy. */
    limited: boolean;
    policyVersion: string;
    encryptedAccountKey: Hex | null;
    nonce: string;
    /** The final block that contains the enrollment; null until there is one. */
    enrolledBlock: string | null;
  } | null;
}

interface Row {
  kyc_status: KycStatus | null;
  strict: boolean | null;
  batch_payments: boolean | null;
  secret_version: number | null;
  viewing_key: Buffer | null;
  signer: Buffer;
  until: string;
  guarded: boolean;
  limited: boolean;
  policy_version: string;
  encrypted_account_key: Buffer | null;
  nonce: string;
  enrolled_block: string | null;
}

/** Returns the account's state on the caller's network. */
export async function getEnrollment(ctx: Pick<Context, "chainId" | "account">): Promise<Enrollment> {
  const [row] = await sql()<Row[]>`
    select n.kyc_status, n.strict, n.batch_payments, n.secret_version, l.viewing_key, l.signer, l.until::text, l.encrypted_account_key,
      l.guarded, l.limited, l.policy_version::text, l.nonce::text, l.enrolled_block::text
    from accounts a
    left join account_networks n on n.account_id = a.id and n.chain_id = ${ctx.chainId}
    left join ledger_accounts l on l.address = a.address and l.chain_id = ${ctx.chainId}
    where a.id = ${ctx.account.id}`;
  const hex = (bytes: Buffer): Hex => `0x${bytes.toString("hex")}`;
  return {
    kycStatus: row?.kyc_status ?? "unverified",
    secretVersion: row?.secret_version ?? 1,
    strict: row?.strict ?? false,
    batchPayments: row?.batch_payments ?? true,
    enrolled: row?.viewing_key ? (row.enrolled_block === null ? "pending" : "enrolled") : "none",
    record: row?.viewing_key
      ? {
          viewingKey: hex(row.viewing_key),
          paymentKey: hex(row.signer),
          paymentKeyUntil: row.until,
          guarded: row.guarded,
          limited: row.limited,
          policyVersion: row.policy_version,
          encryptedAccountKey: row.encrypted_account_key && hex(row.encrypted_account_key),
          nonce: row.nonce,
          enrolledBlock: row.enrolled_block,
        }
      : null,
  };
}
