import type { Address, Hex } from "viem";

/*
 * x402 version 2, scheme `confidential`. The types copy those of @x402/core 2.27.0, so that this package works with
 * that one without depending on it.
 */

export const SCHEME = "confidential";

/** A standard scheme of x402: the seller, or its facilitator, collects the payment with an authorization (EIP-3009). */
export const EXACT = "exact";

export interface PaymentRequirements {
  scheme: string;
  /** CAIP-2, such as `eip155:46630`. */
  network: `${string}:${string}`;
  asset: string;
  /** In the token's smallest units. */
  amount: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: Record<string, unknown>;
}

export interface PaymentPayload {
  x402Version: number;
  accepted: PaymentRequirements;
  payload: Record<string, unknown>;
}

/** The ways to pay an offer: with a payment that was already made, or with one that the seller sends. */
export const MODES = ["paid", "client_signed"] as const;

export interface VerifyResponse {
  isValid: boolean;
  invalidReason?: string;
  invalidMessage?: string;
  payer?: string;
}

export interface SettleResponse {
  success: boolean;
  errorReason?: string;
  errorMessage?: string;
  payer?: string;
  transaction: string;
  network: `${string}:${string}`;
  extra?: Record<string, unknown>;
}

/** The contents of `extra` in an offer of this scheme. */
export interface Extra extends Issued {
  ledger: Address;
  method: string;
  resource: string;
}

/** The fields that differ in each challenge. */
export interface Issued {
  /** 32 bytes. */
  nonce: Hex;
  /** Unix seconds. */
  expires: number;
  /** By this the seller recognizes its own challenge: 32 bytes. */
  proof: Hex;
}

/** Fields of `extra` that may differ between an offer and its echo: the seller checks them by `proof`. */
export const PER_CHALLENGE = ["nonce", "expires", "proof"] satisfies (keyof Issued)[];

/**
 * What a client presents: the challenge it pays, which may be earlier than the offer it echoes, and the transaction of
 * its payment, or a payment that is proven and signed for the seller to send. Only the seller can see which of a
 * transaction's payments it is.
 */
export type Presented = Issued &
  ({ mode: "paid"; transaction: Hex } | { mode: "client_signed"; client_signed: unknown });

const isHex = (value: unknown, bytes: number): value is Hex =>
  typeof value === "string" && value.length === 2 + 2 * bytes && /^0x[0-9a-f]*$/i.test(value);

const isText = (value: unknown, longest: number): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= longest;

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

function readIssued({ nonce, expires, proof }: Record<string, unknown>): Issued | null {
  const inTime = Number.isInteger(expires) && Number(expires) > 0 && Number(expires) <= LATEST;
  return isHex(nonce, 32) && isHex(proof, 32) && inTime ? { nonce, expires: Number(expires), proof } : null;
}

/** Parses `extra` of an offer; null if it is invalid. */
export function readExtra(extra: Record<string, unknown> = {}): Extra | null {
  const { ledger, method, resource } = extra;
  const issued = readIssued(extra);
  if (!issued || !isHex(ledger, 20) || !isText(method, 16) || !isText(resource, 8_192)) return null;
  return { ledger, method, resource, ...issued };
}

/** Parses the payload of a payment; null if it is invalid. */
export function readPresented(payload: Record<string, unknown> = {}): Presented | null {
  const issued = readIssued(payload);
  const { mode, transaction, client_signed: document } = payload;
  if (issued && mode === "paid" && isHex(transaction, 32)) return { mode, transaction, ...issued };
  return issued && mode === "client_signed" && document !== undefined
    ? { mode, client_signed: document, ...issued }
    : null;
}

export const networkName = (chainId: number): `${string}:${string}` => `eip155:${chainId}`;

/** What is wrong with a payment, in the form of `invalidReason`. */
export type Fault =
  | "invalid_payload"
  | "unknown_challenge"
  | "wrong_payee"
  | "wrong_asset"
  | "payment_not_found"
  | "payment_not_final"
  | "payment_too_late"
  | "payment_for_something_else"
  | "payment_refused"
  | "payment_not_checked"
  | "amount_too_low"
  | "payment_already_used";
