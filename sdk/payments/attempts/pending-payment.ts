import type { Address, Hex } from "viem";
import { HalcyonError } from "../../api/errors";

/**
 * The kinds of operations that move money and can be looked up later. `fund` moves it between the account and its own
 * agent.
 */
const KINDS = ["transfer", "release", "fund", "batch", "make_available", "deposit"] as const;

/**
 * One signed document of an attempt: what the chain would show of it. Commitments are commitments and reveal no amount.
 */
export interface PendingDocument {
  /** The available balance commitment it replaces; not set for a deposit. */
  old_commitment?: Hex;
  /** The available balance commitment it leaves. For a payment under a policy, it doesn't depend on the recipient. */
  new_commitment?: Hex;
  /**
   * For a payment: the policy version it was signed for, as a decimal string. A later version on the ledger voids it.
   */
  policy_version?: string;
  /** The nonce of a deposit's authorization; for a deposit of ETH, what its transaction's data ends with. */
  authorization?: Hex;
  /** The hash of the wallet's own transaction, for a deposit of ETH, once the wallet has named it. */
  tx_hash?: Hex;
  /** Unix seconds after which no block accepts it; 0 for the wallet's own transactions, which do not expire. */
  deadline: number;
}

/**
 * A payment, move to the available balance or deposit that may have happened: everything needed to look it up on chain,
 * later and from another process. Plain JSON with neither amount nor key, safe to keep in a browser's storage.
 */
export interface PendingPayment {
  version: 1;
  /**
   * The idempotency key; the same key continues this same payment. Later rounds of a move to the available balance
   * append their number.
   */
  id: string;
  kind: (typeof KINDS)[number];
  chain_id: number;
  ledger: Address;
  /** The payer, or the account that makes money available: the account or its agent. Lower case. */
  account: Address;
  /** The recipient. Lower case. */
  to?: Address;
  asset: Address;
  /** For a transfer: its note, the same in every document. The ledger accepts it only once, ever. */
  note?: Hex;
  /** For a public payment or a move between own balances: its id. The ledger accepts it only once per payer, ever. */
  payment_id?: Hex;
  /** For a batch: its payments in order, each with its note. */
  payments?: { to: Address; note: Hex }[];
  /** The payment that is being approved, if any: `txn_…`. */
  held?: string;
  /** The first block that may contain any of it. Decimal. */
  since_block: string;
  documents: PendingDocument[];
}

/** What the chain shows about a pending payment. */
export type PaymentOutcome =
  /**
   * It happened. `final`: its block can't be undone any more. `transfer_id` is null when the service does not list it.
   */
  | { outcome: "settled"; tx_hash: Hex; final: boolean; transfer_id: string | null }
  /** It did not happen and never will: no block can accept any of its documents any more. */
  | { outcome: "nothing_moved" }
  /** It may still happen, until this time (ISO 8601). Null for the wallet's own transaction, which does not expire. */
  | { outcome: "open"; until: string | null };

/** Returns the last moment at which a block may accept one of the documents; null when there is none. */
export function lastDeadline({ documents }: PendingPayment): Date | null {
  const deadlines = documents.map(({ deadline }) => deadline);
  return deadlines.length === 0 || deadlines.includes(0) ? null : new Date(1000 * Math.max(...deadlines));
}

// Every page reads records: checking address checksums would add a hash function to each page's code.
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const HEX = /^0x[0-9a-fA-F]*$/;
const INTEGER = /^[0-9]{1,20}$/;

function isDocument(value: unknown): value is PendingDocument {
  const { old_commitment, new_commitment, policy_version, authorization, tx_hash, deadline } = (value ??
    {}) as PendingDocument;
  const commitments = [old_commitment, new_commitment, authorization, tx_hash];
  const version = policy_version === undefined || INTEGER.test(policy_version);
  return (
    version &&
    Number.isSafeInteger(deadline) &&
    commitments.every((commitment) => commitment === undefined || HEX.test(commitment))
  );
}

/** Reports whether the record has exactly the identifying fields of its kind. */
function isNamed({ kind, to, note, payment_id, payments }: PendingPayment): boolean {
  const given = { note: note !== undefined, id: payment_id !== undefined, payments: payments !== undefined };
  const only = (...names: (keyof typeof given)[]) =>
    (Object.keys(given) as (keyof typeof given)[]).every((name) => given[name] === names.includes(name));
  switch (kind) {
    case "transfer":
      return to !== undefined && only("note");
    case "release":
    case "fund":
      return to !== undefined && only("id");
    case "batch":
      return only("payments");
    case "make_available":
    case "deposit":
      return only();
  }
}

function isBatch(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 2) return false;
  return value.every((each) => ADDRESS.test(each?.to) && HEX.test(each?.note));
}

/**
 * Checks a record that was kept as JSON, field by field, and returns it.
 *
 * @throws HalcyonError `invalid_request` when it is not a valid record
 */
export function readPending(value: unknown): PendingPayment {
  const record = (value ?? {}) as PendingPayment;
  const { version, id, kind, chain_id, ledger, account, to, asset, note, payment_id, payments, held } = record;
  const { since_block, documents } = record;
  const sound =
    version === 1 &&
    typeof id === "string" &&
    KINDS.includes(kind) &&
    Number.isSafeInteger(chain_id) &&
    [ledger, account, asset].every((address) => ADDRESS.test(address)) &&
    (to === undefined || ADDRESS.test(to)) &&
    (note === undefined || HEX.test(note)) &&
    (payment_id === undefined || HEX.test(payment_id)) &&
    (payments === undefined || isBatch(payments)) &&
    isNamed(record) &&
    (held === undefined || typeof held === "string") &&
    INTEGER.test(since_block) &&
    Array.isArray(documents) &&
    documents.every(isDocument);
  if (sound) return record;
  throw new HalcyonError("invalid_request", "This is not the record of a pending payment.");
}

/** The suffix that marks the later rounds of a move to the available balance that takes several transactions. */
const ROUND = /#round-(\d+)$/;

/** Returns the key of a round. The first round uses the caller's own key. */
export function roundKey(key: string, round: number): string {
  return round === 1 ? key : `${key}#round-${round}`;
}

/** Returns the round of a key, counted from 1. */
export function roundOf(key: string): number {
  return Number(ROUND.exec(key)?.[1] ?? 1);
}

/** Returns the key of the whole call, with which to repeat it. A round's key loses its suffix. */
export function callersKey(key: string): string {
  return key.replace(ROUND, "");
}
