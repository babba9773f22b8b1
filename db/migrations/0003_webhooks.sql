CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"webhook_id" text NOT NULL,
	"event_id" text NOT NULL,
	"event" text NOT NULL,
	"url" text NOT NULL,
	"trigger" text NOT NULL,
	"status" text NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"response_code" integer,
	"response_body" text,
	"error" text,
	"duration_ms" integer,
	"attempted_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone NOT NULL,
	"payload" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" "bytea",
	"previous_secret" "bytea",
	"previous_until" timestamp (3) with time zone,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	"failing_since" timestamp (3) with time zone,
	"gone_since" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"paused_until" timestamp (3) with time zone,
	"pump" text,
	"pump_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_webhook" ON "webhook_deliveries" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_open" ON "webhook_deliveries" USING btree ("webhook_id","due_at") WHERE "webhook_deliveries"."status" in ('pending', 'failed');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_exhausted" ON "webhook_deliveries" USING btree ("webhook_id","id") WHERE "webhook_deliveries"."status" = 'exhausted';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhooks_root" ON "webhooks" USING btree ("root_id","chain_id","created_at") WHERE "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "webhooks_deleted" ON "webhooks" USING btree ("deleted_at") WHERE "webhooks"."deleted_at" is not null;