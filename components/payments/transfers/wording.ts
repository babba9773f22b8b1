import type { TransferWithCopies } from "@/sdk/api/api-types";

/** The part of a transfer that lists show. */
export type ListedTransfer = Omit<TransferWithCopies, "operation_id" | "batch_index" | "payment_id">;

type Told = Pick<TransferWithCopies, "kind" | "direction" | "status" | "from" | "to">;

/**
 * Returns the agent and the direction of a move between the account and one of its agents; null for other transfers.
 */
export function movedWithin({ kind, from, to }: Told): { agent: string; way: "to" | "from" } | null {
  if (kind !== "fund") return null;
  // An agent's handle has a slash, and exactly one side of such a transfer is an agent.
  return from.includes("/") ? { agent: from, way: "from" } : { agent: to, way: "to" };
}

/** Returns the other side: a handle, or an address if the sender wrote one. */
export function counterparty(transfer: Told): string {
  const moved = movedWithin(transfer);
  if (moved) return moved.agent;
  return transfer.direction === "sent" ? transfer.to : transfer.from;
}

/** Returns the agent of the account that paid or was paid; null if it was the account itself. */
export function actingAgent(transfer: Told): string | null {
  if (transfer.kind === "fund") return null;
  const own = transfer.direction === "sent" ? transfer.from : transfer.to;
  return own.includes("/") ? own : null;
}

/** Returns what happened, in a few words. */
export function kindInWords(transfer: Told): string {
  const moved = movedWithin(transfer);
  if (moved) return moved.way === "to" ? "Moved to your agent" : "Moved back from your agent";
  if (transfer.kind === "release") return transfer.direction === "sent" ? "Public payment" : "Received in public";
  return transfer.direction === "sent" ? "Sent" : "Received";
}

/** Returns the sign of an amount from the owner's point of view. Moves within the account have none. */
export function signOf(transfer: Told): "+" | "−" | undefined {
  if (transfer.kind === "fund") return undefined;
  return transfer.direction === "sent" ? "−" : "+";
}
