import type { toOwnerHeldDetails, toOwnerPendingEntry } from "@/lib/payments/approvals/held-resource";

/** A payment that waits, as `GET /api/agents/transactions/pending` returns it. */
export type WaitingPayment = ReturnType<typeof toOwnerPendingEntry>;

/** A held payment, decided or not, as `GET /api/agents/transactions/{id}` returns it. */
export type HeldDetails = ReturnType<typeof toOwnerHeldDetails>;

/** Whose payments can wait: an agent, or the account itself if its keys have limits. */
export interface ApprovalAgent {
  account_id: string;
  handle: string;
  public_key: `0x${string}`;
  status: "active" | "paused" | "ended";
}

/**
 * Returns whether a held payment is the account's own: one of its keys asked to pay beyond its limits. The wallet
 * approves it.
 */
export function isOwnersPayment({ agent }: Pick<WaitingPayment, "agent">): boolean {
  return !agent.includes("/");
}

/** Returns the details of a payment that was just listed as waiting. */
export function waitingDetails(entry: WaitingPayment): HeldDetails {
  return { ...entry, decided_at: null, decided_by: null };
}

/** Returns who decided, from the point of view of this session; null while the payment waits. */
export function deciderInWords({ status, decided_by }: HeldDetails, sessionId: string): string | null {
  if (status === "pending_approval") return null;
  if (status === "expired") return "no one decided in time";
  switch (decided_by?.type) {
    case "session":
      return decided_by.id === sessionId ? "by you, in this session" : "by you, in another session";
    case "key":
      return decided_by.label ? `by API key ${decided_by.label}` : "by an API key";
    default:
      return null;
  }
}
