/*
 * A statement: the balances of an account, an agent or both at the start and end of a period, and each movement
 * between, as the chain shows them. All amounts are decimal strings; times are ISO 8601 in UTC.
 */

/** The kind of a movement. A move to the available balance moves no money, so it is not a movement. */
export type MovementType =
  | "deposit"
  | "received"
  | "sent"
  /** A public payment or a withdrawal. */
  | "paid_out"
  /** Money moved between an account and one of its agents: from, and to, the balance in question. */
  | "moved_out"
  | "moved_in"
  /** An available balance that no one could decrypt was given up. */
  | "abandoned";

/** One movement of one asset. */
export interface StatementRow {
  /** Time of its block. */
  time: string;
  type: MovementType;
  /** The account whose balance changed: a handle with its @, or the address if the service knows no handle. */
  account: string;
  /** The name that the service gives; null if there is none. */
  counterparty: string | null;
  counterparty_address: string | null;
  asset: string;
  /** What the balance gained; null if the movement decreased it or can't be decrypted. */
  paid_in: string | null;
  /** What the balance lost; null if the movement increased it or can't be decrypted. */
  paid_out: string | null;
  /** Balance of the asset over all accounts of the statement after this movement; null if unknown. */
  balance: string | null;
  reference: string | null;
  memo: string | null;
  transfer_id: string | null;
  /** The transfer that this one refunds. */
  refund_of: string | null;
  tx_hash: string;
  /** Its position in the block. With `tx_hash` and `account` it identifies the movement permanently. */
  log_index: number;
}

/** One asset over the period. */
export interface StatementAsset {
  asset: string;
  /** Available, received and deposited balance together, at the start; null if it can't be decrypted. */
  opening: string | null;
  /** The totals of the rows, without what moved between two accounts of the statement. */
  paid_in: string;
  paid_out: string;
  closing: string | null;
  rows: number;
  /** The number of rows whose amount can't be decrypted. They are in no total. */
  unreadable: number;
  /** Whether `opening` + `paid_in` − `paid_out` = `closing`. */
  adds_up: boolean;
}

/** Why a statement may not be reliable. */
export interface StatementProblem {
  code: "does_not_add_up" | "chain_incomplete" | "not_on_chain" | "other_parties" | "not_listed" | "unreadable";
  message: string;
}

/** An account whose movements a statement shows. */
export interface StatementAccount {
  /** With its @; the address if the service knows no handle. */
  name: string;
  /** In lower case. */
  address: string;
}

/** A complete statement, as `format=json` returns it. */
export interface Statement {
  format: "halcyon-statement-1";
  network: string;
  chain_id: number;
  ledger: string;
  /** The account, one agent, or the account followed by its agents. */
  accounts: StatementAccount[];
  /** The first instant of the period, and the first instant after it. */
  from: string;
  to: string;
  /** The time zone in which the days of the period begin and end. */
  time_zone: string;
  created_at: string;
  /** The newest final block when the statement was created. A period that is not over ends here. */
  block: string;
  block_time: string;
  assets: StatementAsset[];
  rows: StatementRow[];
  /** Whether every asset adds up and nothing contradicts the chain. */
  adds_up: boolean;
  problems: StatementProblem[];
}

/** Returns the end of what a statement covers: of its period, or the newest block if the period is not over. */
export function endOf({ to, block_time: newest }: Statement): string {
  // ISO times sort as text.
  return newest < to ? newest : to;
}

/** Labels of the movement types. */
export const MOVEMENT_WORDS: Readonly<Record<MovementType, string>> = {
  deposit: "Deposit",
  received: "Received",
  sent: "Sent",
  paid_out: "Public payment",
  moved_out: "Moved to own account",
  moved_in: "Moved from own account",
  abandoned: "Given up",
};
