CREATE TABLE "webhook_queue" (
	"delivery_id" text PRIMARY KEY NOT NULL,
	"webhook_id" text NOT NULL,
	"event_id" text NOT NULL,
	"trigger" text NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "webhook_deliveries_open";--> statement-breakpoint
DROP INDEX "webhook_deliveries_exhausted";--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "payload" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ALTER COLUMN "payload" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "exhausted_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "webhook_queue_due" ON "webhook_queue" USING btree ("webhook_id","due_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_exhausted" ON "webhook_deliveries" USING btree ("webhook_id","id") WHERE "webhook_deliveries"."exhausted_at" is not null;--> statement-breakpoint
UPDATE "webhook_deliveries" SET "exhausted_at" = coalesce("attempted_at", "created_at") WHERE "status" = 'exhausted';--> statement-breakpoint
INSERT INTO "webhook_queue" ("delivery_id", "webhook_id", "event_id", "trigger", "attempt", "due_at", "created_at")
	SELECT "id", "webhook_id", "event_id", "trigger", "attempt", "due_at", "created_at" FROM "webhook_deliveries" WHERE "status" IN ('pending', 'failed');--> statement-breakpoint
-- Room for the update that an attempt makes, in the row's own page.
ALTER TABLE "webhook_deliveries" SET (fillfactor = 50);
