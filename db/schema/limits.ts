import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Token buckets shared by all processes, stored as the time at which each is full again (the "theoretical arrival time"
 * of the generic cell rate algorithm). Unlogged: after a crash of the database, every bucket is full.
 */
export const rateLimits = pgTable("rate_limits", {
  bucket: text("bucket").primaryKey(),
  fullAt: timestamp("full_at", { withTimezone: true }).notNull(), // no index, so that updates stay on their page
  granted: integer("granted").notNull(), // tokens granted by the last statement
});
