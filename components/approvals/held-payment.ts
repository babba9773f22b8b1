import type { toOwnerHeldDetails, toOwnerPendingEntry } from "@/lib/transfers/held/held-resource";

/** A payment that waits, as `GET /api/agents/transactions/pending` has it. */
export type WaitingPayment = ReturnType<typeof toOwnerPendingEntry>;

/** A held payment, decided or not, as `GET /api/agents/transactions/{id}` has it. */
export type HeldDetails = ReturnType<typeof toOwnerHeldDetails>;

/** An agent of the account, as far as its payments need it. */
export interface ApprovalAgent {
  account_id: string;
  handle: string;
  public_key: `0x${string}`;
  status: "active" | "paused" | "ended";
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
