DROP TABLE "last_writes" CASCADE;--> statement-breakpoint
DROP TABLE "open_writes" CASCADE;