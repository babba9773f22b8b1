import type { operations } from "@/db/schema/chain";

/** The fields of an operation that are needed to ask the chain about it. */
export type AskedOperation = Pick<typeof operations.$inferSelect, "id" | "kind" | "account" | "data">;
