import type { Hex } from "viem";
import { sql } from "@/db/client";
import { type AuditEntry, FIRST_HASH, hashEntry } from "./hash-entry";

const PAGE = 500;

/** The first broken entry of a chain. */
interface BrokenChain {
  rootId: string;
  chainId: number;
  /** Position of the entry, from 1. */
  position: number;
  /** Null if the entry is missing, or if only the recorded end is wrong. */
  id: string | null;
  problem: string;
}

interface Verification {
  entries: number;
  chains: number;
  broken: BrokenChain[];
}

/** A row of the log, or the head or checkpoint of a chain that has no rows. */
interface Row {
  root_id: string;
  chain_id: number;
  head_position: string | null;
  head_hash: Buffer | null;
  /** The last position that was deleted, and the hash that the next entry follows. */
  left_position: string | null;
  left_hash: Buffer | null;
  /** Hashes of earlier entries that are still in the log, because they are stored in a later month. */
  left_behind: Hex[] | null;
  id: string | null;
  position: string;
  actor_type: AuditEntry["actorType"];
  actor_id: string | null;
  client_address: string | null;
  action: string;
  target: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  created_at: string;
  previous_hash: Buffer;
  hash: Buffer;
}

/**
 * Recomputes every chain of the audit log, in one snapshot and one page at a time: from its first entry, or from the
 * checkpoint of its deleted entries, to its recorded end. Finds entries that were changed, removed, added or moved, and
 * chains that were cut short. It can't show whether a checkpoint is genuine; only the anchors can.
 */
export async function verifyAuditChains(): Promise<Verification> {
  const result: Verification = { entries: 0, chains: 0, broken: [] };
  let chain: Chain | undefined;
  const end = () => {
    const problem = chain?.end();
    if (problem) result.broken.push(problem);
  };
  await sql().begin("isolation level repeatable read read only", async (tx) => {
    await tx`select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
      set_config('enable_seqscan', 'on', true)`;
    const pages = tx<Row[]>`
      select root_id, chain_id, h.position as head_position, h.hash as head_hash, c.position as left_position,
        c.hash as left_hash, c.left_behind, l.id, l.position, l.actor_type, l.actor_id,
        l.client_address, l.action, l.target, l.before, l.after, l.created_at, l.previous_hash, l.hash
      from audit_heads h full join audit_log l using (root_id, chain_id)
        full join audit_checkpoints c using (root_id, chain_id)
      order by root_id, chain_id, l.position`.cursor(PAGE);
    for await (const rows of pages) {
      for (const row of rows) {
        if (row.root_id !== chain?.row.root_id || row.chain_id !== chain.row.chain_id) {
          end();
          chain = new Chain(row);
          result.chains += 1;
        }
        if (row.id !== null) {
          chain.add(row);
          result.entries += 1;
        }
      }
    }
  });
  end();
  return result;
}

const hexOf = (bytes: Buffer) => `0x${bytes.toString("hex")}` as const;

/** Verifies one chain while its rows are read. */
class Chain {
  private length = 0;
  private hash: Hex = FIRST_HASH;
  private broken: BrokenChain | undefined;

  /** @param row the first row of the chain: an entry, or the head or checkpoint of a chain without entries */
  constructor(readonly row: Row) {
    if (row.left_position === null || row.left_hash === null) return;
    this.length = Number(row.left_position);
    this.hash = hexOf(row.left_hash);
  }

  add(row: Row): void {
    if (this.broken) return;
    if (Number(row.position) <= Number(this.row.left_position ?? 0)) {
      this.addLeftBehind(row);
      return;
    }
    const position = this.length + 1;
    if (Number(row.position) !== position) this.fail(position, null, "is missing");
    else if (hexOf(row.previous_hash) !== this.hash) this.fail(position, row.id, "does not follow the entry before it");
    else if (hexOf(row.hash) !== hashEntry(entryOf(row))) this.fail(position, row.id, "was changed");
    this.length = position;
    this.hash = hexOf(row.hash);
  }

  /**
   * Checks an entry from before the checkpoint. Clocks may differ at the end of a month, so an entry can be stored in a
   * later month and be deleted with that one. Nothing links to it any more, so the checkpoint must name it; web and
   * worker can't write checkpoints.
   */
  private addLeftBehind(row: Row): void {
    const [position, hash] = [Number(row.position), hexOf(row.hash)];
    if (hash !== hashEntry(entryOf(row))) this.fail(position, row.id, "was changed");
    else if (!row.left_behind?.includes(hash)) this.fail(position, row.id, "is not among those that were left behind");
  }

  /** Returns the first problem of the chain, after every entry was added. */
  end(): BrokenChain | undefined {
    if (this.broken) return this.broken;
    const { head_position: position, head_hash: hash } = this.row;
    if (position === null || hash === null) this.fail(this.length, null, "has no recorded end behind it");
    else if (Number(position) > this.length) this.fail(this.length + 1, null, "is missing: the chain was cut short");
    else if (Number(position) < this.length) this.fail(Number(position) + 1, null, "comes after the recorded end");
    else if (hexOf(hash) !== this.hash) this.fail(this.length, null, "is not the recorded end");
    return this.broken;
  }

  private fail(position: number, id: string | null, problem: string): void {
    const { root_id: rootId, chain_id: chainId } = this.row;
    this.broken ??= { rootId, chainId, position, id, problem };
  }
}

function entryOf(row: Row): AuditEntry {
  return {
    id: row.id ?? "",
    rootId: row.root_id,
    chainId: row.chain_id,
    position: Number(row.position),
    actorType: row.actor_type,
    actorId: row.actor_id,
    clientAddress: row.client_address,
    action: row.action,
    target: row.target,
    before: row.before,
    after: row.after,
    createdAt: new Date(row.created_at),
    previousHash: hexOf(row.previous_hash),
  };
}
