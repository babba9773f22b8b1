import type { OwnerTransferResource } from "@/lib/transfers/transfer-resource";

/** What a list shows of a transfer, as the session API and the SDK both have it. */
export type ListedTransfer = Omit<
  OwnerTransferResource,
  "operation_id" | "batch_index" | "asset_address" | "payment_id"
>;

type Told = Pick<OwnerTransferResource, "kind" | "direction" | "status" | "from" | "to">;

/** Money that moved between the account and one of its own agents: the agent, and which way. */
export function movedWithin({ kind, from, to }: Told): { agent: string; way: "to" | "from" } | null {
  if (kind !== "fund") return null;
  // An agent's handle has a slash; funding has one on one side exactly.
  return from.includes("/") ? { agent: from, way: "from" } : { agent: to, way: "to" };
}

/** Who is on the other side: a handle, or an address where the sender wrote one. */
export function counterparty(transfer: Told): string {
  const moved = movedWithin(transfer);
  if (moved) return moved.agent;
  return transfer.direction === "sent" ? transfer.to : transfer.from;
}

/** The agent of the account that paid or was paid; null when it was the account itself. */
export function actingAgent(transfer: Told): string | null {
  if (transfer.kind === "fund") return null;
  const own = transfer.direction === "sent" ? transfer.from : transfer.to;
  return own.includes("/") ? own : null;
}

/** What happened, in a few words. */
export function kindOf(transfer: Told): string {
  const moved = movedWithin(transfer);
  if (moved) return moved.way === "to" ? "Moved to your agent" : "Moved back from your agent";
  if (transfer.kind === "release") return transfer.direction === "sent" ? "Public release" : "Received in public";
  return transfer.direction === "sent" ? "Sent" : "Received";
}

/** The sign of an amount, as the account's owner sees it. What stays with the owner has none. */
export function signOf(transfer: Told): "+" | "−" | undefined {
  if (transfer.kind === "fund") return undefined;
  return transfer.direction === "sent" ? "−" : "+";
}
