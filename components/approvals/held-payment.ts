import type { Api } from "@/components/api/api";
import type { HeldPaymentWithText } from "@/sdk/api/api-types";
import type { HeldPaymentDetails, PendingList } from "@/sdk/api/resources/approvals";
import { withText } from "@/sdk/payments/approvals/with-text";

/** A payment that waits, with its encrypted text. */
export type WaitingPayment = HeldPaymentWithText;

/** A held payment, decided or not, with its encrypted text and who decided. */
export type HeldDetails = ReturnType<typeof heldDetailsOf>;

/** Returns the form in which pages show a payment of `GET /v1/agents/transactions/{id}?include=encrypted`. */
export function heldDetailsOf(held: HeldPaymentDetails) {
  return { ...withText(held), decided_by: held.decided_by ?? null };
}

/** Reads a held payment. */
export const readHeld = (id: string) => async (api: Api) =>
  heldDetailsOf(await api.get<HeldPaymentDetails>(`/v1/agents/transactions/${id}`, { include: "encrypted" }));

/** A page of waiting payments, oldest first. */
export interface WaitingPage extends Omit<PendingList, "pending"> {
  pending: WaitingPayment[];
}

/** Returns the form in which pages show a page of `GET /v1/agents/transactions/pending?include=encrypted`. */
export function waitingPage({ pending, ...page }: PendingList): WaitingPage {
  return { ...page, pending: pending.map(withText) };
}

/** Reads a page of waiting payments. */
export const readWaiting = (query: Record<string, string | number | undefined>) => async (api: Api) =>
  waitingPage(await api.get<PendingList>("/v1/agents/transactions/pending", { ...query, include: "encrypted" }));

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
