import { sql } from "@/db/client";

/** Deletes answers kept for more than 24 hours; a job of the worker. */
export async function deleteExpiredIdempotencyKeys(): Promise<void> {
  await sql()`delete from idempotency_keys where created_at < now() - interval '24 hours'`;
}
