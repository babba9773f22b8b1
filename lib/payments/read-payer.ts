import { shortRead } from "@/db/client";
import type { ContextAccount } from "@/lib/base/context/context";
import type { ChainId } from "@/lib/base/network";
import { readParty } from "@/lib/chain/registry";
import { viewingKeyOf } from "@/lib/chain/viewing-key-of";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";

/** What the ledger says about the payer, read before any available balance is locked. */
export interface PayerRecord {
  /** From the database. If it differs from the ledger, the ledger refuses the payment. */
  party: LedgerParty;
  /** The key X for which its payer copies are encrypted, from the ledger's registry. */
  viewingKey: Uint8Array;
  /** Whether it is an agent, or an account under its own policy, which may still be pending. */
  hasPolicy: boolean;
  /** Whether waiting payments of the account may share a proof (its owner's setting). */
  batches: boolean;
}

/**
 * Reads the payer; returns null if it is not enrolled.
 *
 * @throws ApiError `unavailable` when the chain can't be read, or contradicts the database
 */
export async function readPayer(chainId: ChainId, payer: ContextAccount): Promise<PayerRecord | null> {
  const isAgent = payer.type === "agent";
  const [party, { hasRow, batches }] = await Promise.all([
    readParty(chainId, payer.address),
    isAgent ? { hasRow: true, batches: false } : readSettings(chainId, payer),
  ]);
  const key = party && (await viewingKeyOf(chainId, payer.address, party.record));
  return party && key && { party, viewingKey: key.viewingKey, hasPolicy: hasRow || party.record.limited, batches };
}

async function readSettings(chainId: ChainId, { id }: ContextAccount): Promise<{ hasRow: boolean; batches: boolean }> {
  const [row] = await shortRead(
    "rows",
    (sql) => sql<{ limited: boolean; batches: boolean | null }[]>`
      select exists (select 1 from spend_policies where holder_id = ${id} and chain_id = ${chainId}) as limited,
        (select batch_payments from account_networks where account_id = ${id} and chain_id = ${chainId}) as batches`,
  );
  return { hasRow: row?.limited === true, batches: row?.batches ?? true };
}
