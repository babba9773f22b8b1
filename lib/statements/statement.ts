/*
 * A statement: what an account, an agent or both had at the start and the end of a period, and each movement between, as
 * the chain shows them. All amounts are decimal strings; times are ISO 8601 in UTC.
 */

/** What a movement is. An allocation moves nothing: it is none. */
export type MovementType =
  | "deposit"
  | "received"
  | "sent"
  /** Left by a public payment or withdrawal. */
  | "paid_out"
  /** Between an account and an agent of its, seen from the one that has less afterwards, or more. */
  | "moved_out"
  | "moved_in"
  /** An available balance that no one could decrypt was given up. */
  | "abandoned";

/** One movement of one asset. */
export interface StatementRow {
  /** Of its block. */
  time: string;
  type: MovementType;
  /** Whose balance it changed: a handle with its @, or the address where the service names none. */
  account: string;
  /** As the service names it; null where it names none. */
  counterparty: string | null;
  counterparty_address: string | null;
  asset: string;
  /** What the balance gained; null of a movement that took, and of one that can't be decrypted. */
  paid_in: string | null;
  /** What the balance lost. */
  paid_out: string | null;
  /** Of the asset, over all accounts of the statement, after this movement; null where it is not known. */
  balance: string | null;
  reference: string | null;
  memo: string | null;
  transfer_id: string | null;
  /** The transfer that it refunds. */
  refund_of: string | null;
  tx_hash: string;
  /** Its place in the block: with `tx_hash` and `account` it identifies the movement for good. */
  log_index: number;
}

/** One asset over the period. */
export interface StatementAsset {
  asset: string;
  /** Available, received and deposited together, at the start; null where it can't be decrypted. */
  opening: string | null;
  /** The sums of the rows. */
  paid_in: string;
  paid_out: string;
  closing: string | null;
  rows: number;
  /** Rows whose amount can't be decrypted: not counted anywhere. */
  unreadable: number;
  /** Whether `opening` + `paid_in` − `paid_out` = `closing`. */
  adds_up: boolean;
}

/** Why a statement is not to be relied on as it is. */
export interface StatementProblem {
  code: "does_not_add_up" | "chain_incomplete" | "not_on_chain" | "other_parties" | "not_listed" | "unreadable";
  message: string;
}

/** Whose movements a statement shows. */
export interface StatementAccount {
  /** With its @; the address where the service names none. */
  name: string;
  /** Lower case. */
  address: string;
}

/** Everything a statement says; `format=json` is this. */
export interface Statement {
  format: "halcyon-statement-1";
  network: string;
  chain_id: number;
  ledger: string;
  /** The account, one agent, or the account followed by its agents. */
  accounts: StatementAccount[];
  /** The first instant of the period, and the first after it. */
  from: string;
  to: string;
  /** In which the days of the period begin and end. */
  time_zone: string;
  created_at: string;
  /** The newest final block when the statement was created: a period that is not over ends here. */
  block: string;
  block_time: string;
  assets: StatementAsset[];
  rows: StatementRow[];
  /** Whether every asset adds up and nothing contradicts the chain. */
  adds_up: boolean;
  problems: StatementProblem[];
}

/** A movement's type in words. */
export const MOVEMENT_WORDS: Readonly<Record<MovementType, string>> = {
  deposit: "Deposit",
  received: "Received",
  sent: "Sent",
  paid_out: "Public payment",
  moved_out: "Moved to own account",
  moved_in: "Moved from own account",
  abandoned: "Given up",
};
