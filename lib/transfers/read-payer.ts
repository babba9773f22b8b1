import { sql } from "@/db/client";
import { readParty } from "@/lib/chain/registry";
import { viewingKeyOf } from "@/lib/chain/viewing-key-of";
import type { ContextAccount } from "@/lib/context/context";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import type { ChainId } from "@/lib/network";

/** What the ledger says of who pays, looked up before any budget is locked. */
export interface PayerRecord {
  /** As the database has it: where it differs from the ledger, the ledger refuses the payment. */
  party: LedgerParty;
  /** X its payer copies are sealed to, by the ledger's registry. */
  viewingKey: Uint8Array;
  /** An agent, or an account under a policy of its own, which may be under way. */
  hasPolicy: boolean;
  /** Payments of the account that wait for each other may share a proof (its owner's setting). */
  batches: boolean;
}

/**
 * Reads who pays; null when it is not enrolled.
 *
 * @throws ApiError `unavailable` when the chain cannot be asked, or says something else than the database
 */
export async function readPayer(chainId: ChainId, payer: ContextAccount): Promise<PayerRecord | null> {
  const isAgent = payer.type === "agent";
  const [party, key, { hasRow, batches }] = await Promise.all([
    readParty(chainId, payer.address),
    viewingKeyOf(chainId, payer.address),
    isAgent ? { hasRow: true, batches: false } : readSettings(chainId, payer),
  ]);
  return party && key && { party, viewingKey: key.viewingKey, hasPolicy: hasRow || party.record.ruled, batches };
}

async function readSettings(chainId: ChainId, { id }: ContextAccount): Promise<{ hasRow: boolean; batches: boolean }> {
  const [row] = await sql()<{ ruled: boolean; batches: boolean | null }[]>`
    select exists (select 1 from spend_policies where holder_id = ${id} and chain_id = ${chainId}) as ruled,
      (select batch_payments from account_networks where account_id = ${id} and chain_id = ${chainId}) as batches`;
  return { hasRow: row?.ruled === true, batches: row?.batches ?? true };
}
