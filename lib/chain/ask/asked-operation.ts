import type { operations } from "@/db/schema/chain";

/** What the chain has to know of an operation that it is asked about. */
export type AskedOperation = Pick<typeof operations.$inferSelect, "id" | "kind" | "account" | "data">;
