/** Something of the account that was looked for. No amount and no memo is part of it. */
export interface Found {
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
  /** What it is called, or who is on its other side; null where it has no name that the service can read. */
  name: string | null;
  status: string | null;
  /** Id of what it is part of: the schedule of a run. */
  partOf: string | null;
  createdAt: Date;
}

/** The response of `GET /api/search`. */
export function toFoundList(found: readonly Found[]) {
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
