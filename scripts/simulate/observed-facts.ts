import type { Step } from "./operations";
import type { Ended } from "./perform";

/** A transfer as one party's own keys decrypt it. */
export interface SeenTransfer {
  id: string;
  /** Handle of the account whose wallet shows it: its own, or one of its agent's. */
  seenBy: string;
  direction: "sent" | "received";
  status: "pending" | "confirmed" | "failed";
  /** Handles, without the `@`. */
  from: string;
  to: string;
  /** In millionths of USDG; undefined where it can't be decrypted. */
  amount: bigint | undefined;
  asset: string;
  txHash: string;
  createdAt: string;
  confirmedAt: string | null;
}

/** An event as its account's list shows it. */
export interface SeenEvent {
  /** Handle of the account whose key lists it. */
  seenBy: string;
  id: string;
  type: string;
  /** What it is about: the id of a transfer, a payment that awaited approval, a payout, a run or a key; a handle; a hash. */
  about: string;
  direction: string;
  /** It happened before the endpoint was there, and need not come. */
  early: boolean;
  /** All that the list shows of it. */
  payload: Readonly<Record<string, unknown>>;
}

/** What an endpoint got and accepted. */
export interface SeenDelivery {
  /** Handle of the account whose endpoint it is. */
  seenBy: string;
  eventId: string;
  /** The body. */
  payload: Readonly<Record<string, unknown>>;
  /** Each of its signatures is by a secret that the account was given. */
  signed: boolean;
}

/** A delivery in the history of its webhook, with its attempts, oldest first. Milliseconds since the epoch. */
export interface SeenRetry {
  seenBy: string;
  eventId: string;
  attempts: readonly { begun: number; ended: number }[];
  /** When the next attempt is due; null when none follows. */
  next: number | null;
  /** Whether none follows although the last one failed and the endpoint is still there. */
  gaveUp: boolean;
  /** When the event was queued for this endpoint. */
  queued: number;
  /** When the history was read. */
  seen: number;
}

/** A date of a schedule. */
export interface SeenRun {
  /** The step that created the schedule. */
  step: number;
  id: string;
  date: string;
  status: string;
  /** Ids of the transfers that paid it. */
  transfers: readonly string[];
}

/** A deposit, or received or deposited money made available, as the ledger's logs show it. */
export interface SeenMovement {
  /** Handle of the account or agent. */
  account: string;
  /** Of the event that it has to have. */
  type: "deposit.confirmed" | "balance.made_available";
  txHash: string;
}

/** An API key as its account's wallet lists it. */
export interface SeenKey {
  /** Handle of the account. */
  seenBy: string;
  id: string;
  revoked: boolean;
}

/** Whether clients use a key, or know that it was revoked. */
export type KeyState = "valid" | "revoked";

/** A policy from when it was asked for until the next one was in force. */
export interface PolicyPeriod {
  /** Handle of the agent. */
  agent: string;
  /** Milliseconds since the epoch. */
  from: number;
  until: number;
  /** In millionths of USDG. */
  daily: bigint;
  perTransaction: bigint;
}

/** Everything that is known of a run once the product is whole again: what was asked for, and what everyone sees. */
export interface Facts {
  steps: readonly Step[];
  /** By step. */
  ended: ReadonlyMap<number, Ended>;
  /** Handles of the accounts and of the agents, in the model's order. */
  accounts: readonly string[];
  agents: readonly string[];
  /** In which each agent's day is counted. */
  zones: readonly string[];
  transfers: readonly SeenTransfer[];
  /** Hashes of the transactions that the chain shows as successful calls of the ledger. */
  onChain: ReadonlySet<string>;
  /** When these are mined by the time of their blocks, in milliseconds since the epoch. */
  minedAt: ReadonlyMap<string, number>;
  /** How many payments by these parties the ledger logged in each transaction. */
  logged: ReadonlyMap<string, number>;
  /** By this process's clock, before anyone signed up, and when everything was seen. */
  begun: number;
  seen: number;
  events: readonly SeenEvent[];
  deliveries: readonly SeenDelivery[];
  /** Deliveries that an endpoint refused, as their history shows them before anyone asks for another attempt. */
  retries: readonly SeenRetry[];
  /** What each history has at the end: `event at account`. */
  history: ReadonlySet<string>;
  /** Status of each payment that awaited approval, by its id, and whether its window has passed. */
  approvals: ReadonlyMap<string, { status: string; overdue: boolean }>;
  policies: readonly PolicyPeriod[];
  runs: readonly SeenRun[];
  movements: readonly SeenMovement[];
  keys: readonly SeenKey[];
  /** What the clients know of the keys that they were given, by id. */
  keysGiven: ReadonlyMap<string, KeyState>;
  /** What all parties together hold by their own keys, and how many received payments can't be decrypted. */
  held: bigint;
  /** What each party holds by its own keys, and what it was given before the first step. By handle. */
  balances: ReadonlyMap<string, bigint>;
  given: ReadonlyMap<string, bigint>;
  unreadable: number;
  /** By how much the ledger's tokens grew, as the token's contract shows, and what came in by the faucet. */
  ledgerGrew: bigint;
  deposited: bigint;
  /** What the address of each withdrawal has, by step. */
  withdrawn: ReadonlyMap<number, bigint>;
  /** Requests that failed inside the service (500), whatever a retry made of them. */
  internal: readonly string[];
  /** What two processes heard of one request, where both can't be true. */
  contradictions: readonly string[];
  /** Where an amount was found in clear. */
  leaks: readonly string[];
}
