CREATE TABLE "schedule_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"schedule_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"account_id" text NOT NULL,
	"date" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"window_ends_at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"failure" text,
	"paid_at" timestamp (3) with time zone,
	"missed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"account_id" text NOT NULL,
	"status" text NOT NULL,
	"version" integer NOT NULL,
	"sealed" "bytea" NOT NULL,
	"secret_version" integer NOT NULL,
	"window_seconds" integer NOT NULL,
	"last_date" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "schedule_id" text;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "schedule_runs_date" ON "schedule_runs" USING btree ("schedule_id","date");--> statement-breakpoint
CREATE INDEX "schedule_runs_listed" ON "schedule_runs" USING btree ("schedule_id","due_at","id");--> statement-breakpoint
CREATE INDEX "schedule_runs_status" ON "schedule_runs" USING btree ("account_id","chain_id","status","due_at","id");--> statement-breakpoint
CREATE INDEX "schedule_runs_open" ON "schedule_runs" USING btree ("schedule_id","status") WHERE "schedule_runs"."status" in ('planned', 'due', 'paying');--> statement-breakpoint
CREATE INDEX "schedules_account" ON "schedules" USING btree ("account_id","chain_id","id");--> statement-breakpoint
CREATE INDEX "schedules_status" ON "schedules" USING btree ("account_id","chain_id","status","id");