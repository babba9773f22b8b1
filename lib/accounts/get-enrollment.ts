import type { Address, Hex } from "viem";
import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/context/context";
import type { KycStatus } from "@/lib/kyc/provider";

/** What an account is on one network: its ledger record as far as it is final, and the service's settings. */
export interface Enrollment {
  kycStatus: KycStatus;
  secretVersion: number;
  /** Plain payments are off: keys wrap no secret. */
  strict: boolean;
  /** Payments that wait for each other may share a proof. */
  batchPayments: boolean;
  enrolled: "none" | "pending" | "enrolled";
  /** Null before enrolment. */
  record: {
    viewingKey: Hex;
    /** The payment signing key, and its last second (Unix time). */
    spender: Address;
    spenderUntil: string;
    /** Only the wallet sets policies and moves money between the account and its agents. */
    guarded: boolean;
    /** The account's keys pay under a policy. */
    ruled: boolean;
    policyVersion: string;
    sealedRoot: Hex | null;
    nonce: string;
    /** The final block of the enrolment; null until there is one. */
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
  ruled: boolean;
  policy_version: string;
  sealed_root: Buffer | null;
  nonce: string;
  enrolled_block: string | null;
}

/** The account's standing on the session's network. */
export async function getEnrollment(ctx: SessionContext): Promise<Enrollment> {
  const [row] = await sql()<Row[]>`
    select n.kyc_status, n.strict, n.batch_payments, n.secret_version, l.viewing_key, l.signer, l.until::text, l.sealed_root,
      l.guarded, l.ruled, l.policy_version::text, l.nonce::text, l.enrolled_block::text
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
          spender: hex(row.signer),
          spenderUntil: row.until,
          guarded: row.guarded,
          ruled: row.ruled,
          policyVersion: row.policy_version,
          sealedRoot: row.sealed_root && hex(row.sealed_root),
          nonce: row.nonce,
          enrolledBlock: row.enrolled_block,
        }
      : null,
  };
}
