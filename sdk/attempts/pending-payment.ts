import type { Address, Hex } from "viem";
import { HalcyonError } from "../api/errors";

/** What moves money and may be looked up later. `fund` moves it between the account and its own agent. */
const KINDS = ["transfer", "release", "fund", "batch", "allocation", "deposit"] as const;

/** One signed document of an attempt: what of it the chain would show. Words are commitments and show no amount. */
export interface PendingDocument {
  /** The budget word it replaces; of a deposit none. */
  old_word?: Hex;
  /** The budget word it leaves. Of a payment under a policy it does not depend on who is paid. */
  new_word?: Hex;
  /** Of a payment: the policy version it was signed over, as a decimal string. A later one on the ledger voids it. */
  policy_version?: string;
  /** The nonce of a deposit's authorization. */
  authorization?: Hex;
  /** The hash of the wallet's own transaction, of a deposit of ETH. */
  tx_hash?: Hex;
  /** Unix seconds after which no block takes it; 0 for the wallet's own transactions, which do not expire. */
  deadline: number;
}

/**
 * A payment, allocation or deposit that may have happened: all it takes to look it up on chain, later and from another
 * process. Plain JSON with neither amount nor key, fit for a browser's storage.
 */
export interface PendingPayment {
  version: 1;
  /** The idempotency key; the same key continues this very payment. Of a later round of an allocation: with its number. */
  id: string;
  kind: (typeof KINDS)[number];
  chain_id: number;
  ledger: Address;
  /** Whose budget pays or grows: the account or its agent. Lower case. */
  account: Address;
  /** Of whom the note is, or who is paid. Lower case. */
  to?: Address;
  asset: Address;
  /** Of a transfer: the note, the same in every document. The ledger takes it once, for ever. */
  note?: Hex;
  /** Of a public payment or a move between own balances: its id. The ledger takes it once for the payer, for ever. */
  payment_id?: Hex;
  /** Of a batch: its payments in their order, each with its note. */
  payments?: { to: Address; note: Hex }[];
  /** The held payment that is being approved: `txn_…`. */
  held?: string;
  /** No older block holds any of it. Decimal. */
  since_block: string;
  documents: PendingDocument[];
}

/** What the chain shows of a pending payment. */
export type PaymentOutcome =
  /** It happened. `final`: the block can no longer be undone. `transfer_id` is null when the service does not name it. */
  | { outcome: "settled"; tx_hash: Hex; final: boolean; transfer_id: string | null }
  /** It did not happen and never will: no block can take any document of it any more. */
  | { outcome: "nothing_moved" }
  /** It may still happen, until this time (ISO 8601; null: the wallet's own transaction, which does not expire). */
  | { outcome: "open"; until: string | null };

/** The last moment at which a block may take one of the documents; null when there is none. */
export function lastDeadline({ documents }: PendingPayment): Date | null {
  const deadlines = documents.map(({ deadline }) => deadline);
  return deadlines.length === 0 || deadlines.includes(0) ? null : new Date(1000 * Math.max(...deadlines));
}

// Every page reads records: a check of checksums would bring a hash function with it.
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const HEX = /^0x[0-9a-fA-F]*$/;
const INTEGER = /^[0-9]{1,20}$/;

function isDocument(value: unknown): value is PendingDocument {
  const { old_word, new_word, policy_version, authorization, tx_hash, deadline } = (value ?? {}) as PendingDocument;
  const words = [old_word, new_word, authorization, tx_hash];
  const version = policy_version === undefined || INTEGER.test(policy_version);
  return version && Number.isSafeInteger(deadline) && words.every((word) => word === undefined || HEX.test(word));
}

/** Whether it names what the chain shows of a payment of its kind, and of no other. */
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
    case "allocation":
    case "deposit":
      return only();
  }
}

function isBatch(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 2) return false;
  return value.every((each) => ADDRESS.test(each?.to) && HEX.test(each?.note));
}

/**
 * A record that was kept as JSON, checked field by field.
 *
 * @throws HalcyonError `invalid_request` when it is none
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

/** What stands between a caller's key and the round of an allocation that takes several transactions. */
const ROUND = /#round-(\d+)$/;

/** The key of a round: the caller's own of the first. */
export function roundKey(key: string, round: number): string {
  return round === 1 ? key : `${key}#round-${round}`;
}

/** The round that a key is of, counted from 1. */
export function roundOf(key: string): number {
  return Number(ROUND.exec(key)?.[1] ?? 1);
}

/** The key of the whole call, which repeats it: of a round's key, the key of all of them. */
export function callersKey(key: string): string {
  return key.replace(ROUND, "");
}
