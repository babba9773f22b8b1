/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

import type { Transfer } from "./transfers";
import type { UnsignedRows } from "./signed-payments";

/** Rows of a payout that your client encrypts. The SDK creates them. */
export interface AddPayoutRows {
  /** Up to 500 rows. One that is already stored doesn't change. */
  rows: EncryptedRow[];
}

/** With a blind key: pending rows of the payout, which your machine has built with the home key. The SDK creates it. */
export interface BlindRows {
  document: UnsignedRows;
  /** Signature of this request by the key that the home key derives (Ed25519, RFC 8032). */
  signature: `0x${string}`;
}

/** A payout: many payments, checked before any of them is made. Send `rows`, or `encrypted`. */
export interface CreatePayout {
  /** The payments, up to 5,000, in the order in which they are made. */
  rows?: PayoutRowInput[];
  /**
   * Takes rows with the same recipient, asset, amount and reference. Otherwise the later ones are faults. Defaults to
   * `false`.
   */
  allow_duplicates?: boolean;
  /** In place of `rows`: a payout whose rows you encrypt on your device. A session must send it. */
  encrypted?: EncryptedPayout;
  /**
   * In place of `rows`, with `dry_run=true`: only the recipients of a payout, whose other fields your client checks
   * itself.
   */
  names?: string[];
}

/** A payout whose rows your client encrypts and adds afterwards. The SDK creates it. */
export interface EncryptedPayout {
  /** The id under which your client has encrypted the key. */
  payout_id: string;
  /** How many rows follow. */
  rows: number;
  /** The key of its rows, encrypted under the account's secret. */
  encrypted_key: `0x${string}`;
  /** Version of that secret. */
  secret_version: number;
  /**
   * With a blind key: MAC of the rows, under a key that the service doesn't have. The same `Idempotency-Key` with
   * another one is refused.
   */
  fingerprint?: `0x${string}`;
}

/** The encrypted text of a payout's row, and its transfer. */
export interface EncryptedPayoutRow {
  /** Number of its batch, whose rows share a proof. */
  batch: number;
  /** Its place in the batch, from 0. */
  place: number;
  /** The commitment that its payment creates. */
  note: `0x${string}`;
  /** Recipient, asset, amount and memo, encrypted under the payout's key; empty once the payout is over. */
  ciphertext: `0x${string}`;
  /** Whether it is paid by itself, because its batch was refused. */
  alone: boolean;
  /** Its transfer with the encrypted copies; null until it is sent. */
  transfer: Transfer | null;
}

/** A row that your client has encrypted. */
export interface EncryptedRow {
  /** Its number, from 1, in the order of the file. */
  row: number;
  /** Number of its batch, whose rows share a proof. */
  batch: number;
  /** Its place in the batch, from 0. */
  place: number;
  /** The commitment that its payment creates. */
  note: `0x${string}`;
  /** The recipient, as you write it. */
  to: string;
  /** Your reference; null without one. */
  reference: string | null;
  /** Recipient, asset, amount and memo, encrypted under the payout's key. */
  ciphertext: `0x${string}`;
}

/** Many payments of one file. No response contains their amounts. */
export interface Payout {
  /** Identifies the payout. */
  payout_id: string;
  /**
   * `processing`: a request works on it, or its last payments settle. `paused`: it waits for a request with a key.
   * `finished`: every row is paid or has failed. `cancelled`: what was not paid stays so.
   */
  status: "processing" | "paused" | "finished" | "cancelled";
  /** The code of the error that paused it, such as `insufficient_balance`; null if no request worked on it. */
  pause_reason: string | null;
  /** Number of rows. */
  rows: number;
  /** Rows that are paid, final on chain. */
  rows_paid: number;
  /** Rows that failed. Their money did not move. */
  rows_failed: number;
  /** Rows whose payment is not final on chain yet. */
  rows_sent: number;
  /** Rows that are still to be paid. */
  rows_pending: number;
  /** Rows that were cancelled. */
  rows_cancelled: number;
  /** When it was accepted. */
  created_at: string;
  /** When it was finished or cancelled; null until then. */
  finished_at: string | null;
  /** The encrypted key of its rows; only for one payout, with `include=encrypted`. */
  encrypted?: PayoutKey;
}

/** The faults of a payout that was only checked. */
export interface PayoutCheck {
  /** Always true: nothing was accepted. */
  dry_run: true;
  /** Number of rows. */
  rows: number;
  /** Every fault; empty if the payout would be accepted. */
  faults: {
    /** Number of the row, from 1; null for a fault of all rows. */
    row: number | null;
    /** What is at fault. */
    param: "to" | "amount" | "asset" | "memo" | "reference" | "rows";
    /** The code of the error, or `duplicate`. */
    code: string;
    /** What to do about it. */
    message: string;
  }[];
  /** What each of `names` stands for; only with `names`. */
  names?: {
    /** The recipient, as you named it. */
    to: string;
    /** Its address, in lower case; null if it can't be paid. */
    address: string | null;
    /** Why it can't be paid; null if it can. */
    fault: {
      /** Why it can't be paid. */
      code: string;
      /** What to do about it. */
      message: string;
    } | null;
  }[];
  /** The payout that the same `Idempotency-Key` created, or null; only with `names`. */
  payout_id?: string | null;
}

/** The encrypted key of a payout's rows. */
export interface PayoutKey {
  /** The key of its rows, encrypted under the account's secret; empty once the payout is over. */
  encrypted_key: `0x${string}`;
  /** Version of that secret. */
  secret_version: number;
  /** In how many batches, of a proof each, its rows were accepted. */
  batches: number;
}

/** Payouts, newest first. */
export interface PayoutList {
  /** The payouts of this page. */
  payouts: Payout[];
  /** Number of entries requested. */
  limit: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/** One payment of a payout, without its amount. */
export interface PayoutRow {
  /** Its number, from 1, in the order of the file. */
  row: number;
  /**
   * `pending`: still to be paid. `sent`: its payment is not final yet. `paid`: final on chain. `failed`: its money did
   * not move. `cancelled`: it is not paid any more.
   */
  status: "pending" | "sent" | "paid" | "failed" | "cancelled";
  /** Identifies its transfer; null until it is sent. */
  transfer_id: string | null;
  /** The recipient, as you wrote it. */
  to: string;
  /** Your reference; null without one. */
  reference: string | null;
  /** Why it failed; null if it has not. */
  error: {
    /** Why it failed. */
    code: string;
    /** What to do about it. */
    message: string;
  } | null;
  /** Its encrypted text; only with `include=encrypted`. */
  encrypted?: EncryptedPayoutRow;
}

/** One payment of a payout. */
export interface PayoutRowInput {
  /** The recipient: an `@handle` or a 0x address. */
  to: string;
  /** The amount, as a decimal string: up to 6 decimal places for USDG, up to 9 for ETH. */
  amount: string;
  /** Symbol of the asset; `USDG` when left out. */
  asset?: string;
  /** A text that only you and the recipient can decrypt, up to 512 bytes of UTF-8. */
  memo?: string;
  /** Your own reference, up to 64 characters. The service can read it. */
  reference?: string;
}

/** Rows of a payout, in the order of its file. */
export interface PayoutRowList {
  /** The rows of this page. */
  rows: PayoutRow[];
  /** Number of entries requested. */
  limit: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/**
 * With a blind key or a session, whose clients pay the rows themselves: what they have built, and what they could not
 * pay. The payout stays `processing` for another minute. The SDK creates it.
 */
export interface PayoutWork {
  blind?: BlindRows;
  /** Rows that can't be paid. */
  failed?: {
    /** Number of the row. */
    row: number;
    /** Why it can't be paid. */
    error: "recipient_not_found" | "recipient_not_confidential_ready" | "recipient_changed" | "altered" | "transfer_failed";
  }[];
  /** Batches that were refused as a whole. Their rows are then paid one by one. */
  alone?: number[];
  /** The error that keeps your client from paying the next rows. It pauses the payout. */
  paused?: "insufficient_balance" | "sync_required" | "kyc_required";
}

/** You can omit the body: the API key then decrypts and signs. */
export interface ResumePayout {
  work?: PayoutWork;
}
