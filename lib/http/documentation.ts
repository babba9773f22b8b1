import type { z } from "zod";
import type { ErrorCode } from "@/lib/base/errors";

/** Chapters of the API reference, in their order. */
export const TAGS = {
  Transfers: "Payments between accounts. Amounts are encrypted on chain and never returned by this API.",
  "Payment requests": "Links that ask for a payment, with amount and lines encrypted for those who hold the link.",
  Schedules:
    "Payments at set times. When, whom and how much is encrypted: a client that holds a key pays, the service only says what is due.",
  Payouts: "Many payments of one file: checked completely, approved once, and paid in batches.",
  Accounts: "The account of the key, and what it holds.",
  Agents: "Accounts of programs, each with a wallet of its own and a spend policy that the service enforces.",
  Approvals: "Payments of agents over their threshold wait for their owner's word.",
  Webhooks: "Signed events, pushed to your own address.",
  Events: "What happened, kept and listed.",
  "Audit log": "Who did what, chained by hashes.",
  "Request log": "What your programs asked, and what became of it: never what a request contained.",
  "Test helpers": "What is hard to cause, on the local stack only. Elsewhere all of them return `not_found`.",
} as const;

type Tag = keyof typeof TAGS;

/** What the API reference says about an operation. Everything else comes from the declaration itself. */
export interface Documentation {
  /** In camelCase. Must not change, because examples and generated clients use it. */
  operationId: string;
  tag: Tag;
  /** A few words, without a full stop. */
  summary: string;
  description?: string;
  /** Why the body should no longer be sent, if the operation still accepts one. */
  deprecatedBody?: string;
  /**
   * Error codes of the verb itself. Codes that follow from the declaration (key, limits, body, idempotency) are added.
   */
  errors?: readonly ErrorCode[];
}

/** Schemas of the success responses by status; null for a response without a body. */
export type Responses = Readonly<Record<number, z.ZodType | null>>;

/** What `serialize` may return: one of the documented responses, or anything if there is no documentation. */
export type ResponseBody<R extends Responses | undefined> = R extends Responses
  ? { [Status in keyof R]: R[Status] extends z.ZodType ? z.input<R[Status]> : null }[keyof R]
  : unknown;
