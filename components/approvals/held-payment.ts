import type { toOwnerHeldDetails, toOwnerPendingEntry } from "@/lib/transfers/held/held-resource";

/** A payment that waits, as `GET /api/agents/transactions/pending` has it. */
export type WaitingPayment = ReturnType<typeof toOwnerPendingEntry>;

/** A held payment, decided or not, as `GET /api/agents/transactions/{id}` has it. */
export type HeldDetails = ReturnType<typeof toOwnerHeldDetails>;

/** Whose payments wait: an agent of the account, or the account itself, whose keys pay within limits of their own. */
export interface ApprovalAgent {
  account_id: string;
  handle: string;
  public_key: `0x${string}`;
  status: "active" | "paused" | "ended";
}

/** Whether a held payment is the account's own: what a key of it asked for beyond its limits. The wallet approves it. */
export function isOwn({ agent }: Pick<WaitingPayment, "agent">): boolean {
  return !agent.includes("/");
}

/** The details of one that was just listed as waiting. */
export function waitingDetails(entry: WaitingPayment): HeldDetails {
  return { ...entry, decided_at: null, decided_by: null };
}

/** Who decided, from the point of view of this session; null while it waits. */
export function deciderInWords({ status, decided_by }: HeldDetails, sessionId: string): string | null {
  if (status === "pending_approval") return null;
  if (status === "expired") return "nobody decided in time";
  switch (decided_by?.type) {
    case "session":
      return decided_by.id === sessionId ? "by you, in this session" : "by you, in another session";
    case "key":
      return decided_by.label ? `by API key ${decided_by.label}` : "by an API key";
    default:
      return null;
  }
}
