import type { Hex } from "viem";
import type { Part } from "../kill/product";
import type { ServicePart } from "./calendar";
import type { Silence } from "./silence";

/** How many of each there are; agent n belongs to account n. */
export const ACCOUNTS = 3;
export const AGENTS = 2;

/** Limits of an agent, in whole USDG, as a policy takes them. */
export interface Limits {
  daily: number;
  perTransaction: number;
  threshold: number;
}

/** What every agent's policy says at first. */
export const FIRST_LIMITS: Limits = { daily: 1_500_000, perTransaction: 260_000, threshold: 200_000 };

/** What can be wrong with a node: rpc-trouble.mjs says what each means. */
export const RPC_TROUBLES = ["away", "slow", "lost", "no_logs", "behind", "swallow"] as const;
/** What a node can make up. Only where a second one is asked: the product believes one that nothing contradicts. */
export const RPC_LIES = [
  "wrong_receipts",
  "made_up_events",
  "wrong_words",
  "too_high",
  "too_final",
  "too_many_sent",
] as const;
export type RpcTrouble = (typeof RPC_TROUBLES | typeof RPC_LIES)[number];

/** Tables whose rows payments take turns at. */
export const LOCKED_TABLES = ["available_balances", "relayers"] as const;
export type LockedTable = (typeof LOCKED_TABLES)[number];

/** What is done about a payment that awaits approval. */
export type Decision = "approve" | "reject" | "expire";

/** A payment of a payout. */
export interface PayoutRow {
  to: number;
  amount: bigint;
}

/** Something that someone does, or that happens to the product. Amounts are in millionths of USDG, each one of a kind. */
export type Operation =
  | { kind: "pay"; from: number; to: number; amount: bigint; key: string }
  | { kind: "agent_pay"; agent: number; to: number; amount: bigint; key: string }
  /** The same request again: what was paid is not paid again. `of` is the step of the first one. */
  | { kind: "repeat"; of: number }
  | { kind: "decide"; agent: number; of: number; decision: Decision }
  | { kind: "policy"; agent: number; limits: Limits; by: "wallet" | "key" }
  | { kind: "pause" | "resume"; agent: number }
  | { kind: "make_available"; account: number }
  /** One file of payments. */
  | { kind: "payout"; from: number; rows: readonly PayoutRow[]; key: string }
  /** A payment to someone whom no payment reaches: its transaction fails on the chain. */
  | { kind: "pay_failing"; from: number; amount: bigint; key: string }
  /** A payment every day at half past two in a zone: on one day that hour is left out, or there twice. */
  | { kind: "schedule"; account: number; to: number; amount: bigint; zone: string; start: string; key: string }
  /** Part of what an account was paid goes back. `of` is the step of that payment. */
  | { kind: "refund"; of: number; from: number; to: number; amount: bigint; key: string; by: "wallet" | "key" }
  /** The payee asks for a payment by a link, and `from` pays it. */
  | { kind: "pay_request"; from: number; to: number; amount: bigint; key: string; by: "wallet" | "key" }
  /** Tokens leave the ledger for an address that no one else pays, in public. */
  | { kind: "withdraw"; account: number; address: Hex; amount: bigint; key: string }
  /** What is due of the account's schedules is paid, by its wallet or its program. */
  | { kind: "run_due"; account: number; by: "wallet" | "key" }
  /** The account's program gets another API key, and the one before is revoked. */
  | { kind: "new_key"; account: number }
  /** A payment with the key that was revoked last. */
  | { kind: "pay_revoked"; from: number; to: number; amount: bigint; key: string }
  /** Another account secret: the keys of the account and its agents end, and they get others. */
  | { kind: "rotate"; account: number }
  /** Another secret for the account's webhook. */
  | { kind: "webhook_secret"; account: number }
  /** The account's endpoint responds with an error for a while. */
  | { kind: "endpoint"; account: number; seconds: number }
  /** The time is another at once, for everything and everyone. */
  | { kind: "clock"; to: number }
  /** The newest blocks are taken away and as many others come, without their transactions or, later, with them. */
  | { kind: "reorganize"; depth: number; again: boolean }
  /** The node that web and worker ask is in trouble for a while. */
  | { kind: "rpc" | "lie"; mode: RpcTrouble; seconds: number }
  | { kind: "kill"; part: Part }
  /** A process stands still, of PostgreSQL all that it consists of. */
  | { kind: "freeze"; part: Part; seconds: number }
  /** Packets are lost between web or worker and one of these. */
  | ({ kind: "silence"; to: "postgres" | "node" } & Silence)
  /** Someone else's transaction holds rows that payments take turns at. */
  | { kind: "hold_locks"; table: LockedTable; seconds: number }
  /** PostgreSQL has no free connection left. */
  | { kind: "take_connections"; seconds: number }
  /** PostgreSQL's disk is full. */
  | { kind: "fill_disk"; seconds: number }
  /** The clock of one web process is ahead of all others. */
  | { kind: "clock_ahead"; part: ServicePart; minutes: number; seconds: number };

/** What announces itself by nothing but silence, refusals and delays. A run has them in turn. */
export const QUIET_FAULTS = [
  "freeze",
  "silence",
  "hold_locks",
  "take_connections",
  "fill_disk",
  "clock_ahead",
] as const satisfies readonly Operation["kind"][];

/** The lane of what waits for all others, and others for it. */
export const ALONE = "alone";

/**
 * How an operation has to end. `sent`: paid. `awaiting`: it awaits approval. `refused`: nothing was paid, with this code
 * and reason. `done`: what is no payment. `either`: the model cannot know, for example at midnight.
 */
export type Expected =
  | { outcome: "sent" | "awaiting" | "done" | "either" }
  | { outcome: "refused"; code: string; reason?: string };

/** One step of a run. */
export interface Step {
  /** From 0. */
  n: number;
  /** Steps of one lane follow each other; those of several overlap. */
  lane: string;
  operation: Operation;
  expected: Expected;
}

/** Every amount that an operation asks to be paid. */
export function amountsOf(operation: Operation): readonly bigint[] {
  if (operation.kind === "payout") return operation.rows.map(({ amount }) => amount);
  return "amount" in operation ? [operation.amount] : [];
}

/** Those of them that no one but payer and payee may see: the chain itself shows what leaves it. */
export function secretAmountsOf(operation: Operation): readonly bigint[] {
  return operation.kind === "withdraw" ? [] : amountsOf(operation);
}
