/** A search result. Contains no amount and no memo. */
export interface FoundRecord {
  type:
    | "transfer"
    | "held_payment"
    | "agent"
    | "api_key"
    | "webhook"
    | "delivery"
    | "event"
    | "payment_request"
    | "payout"
    | "schedule"
    | "schedule_run";
  id: string;
  /** Its name or counterparty; null if it has no name that the service can read. */
  name: string | null;
  status: string | null;
  /** Id of the object it belongs to: the schedule, for a run. */
  partOf: string | null;
  createdAt: Date;
}

/** The response of `GET /api/search`. */
export function toFoundList(found: readonly FoundRecord[]) {
  return {
    results: found.map(({ type, id, name, status, partOf, createdAt }) => ({
      type,
      id,
      name,
      status,
      part_of: partOf,
      created_at: createdAt.toISOString(),
    })),
  };
}

export type FoundResource = ReturnType<typeof toFoundList>["results"][number];
