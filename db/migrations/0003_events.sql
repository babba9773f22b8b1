ALTER TABLE "events" ADD COLUMN "source" text;--> statement-breakpoint
CREATE UNIQUE INDEX "events_source" ON "events" USING btree ("source") WHERE "events"."source" is not null;