CREATE TABLE "jobs" (
	"name" text NOT NULL,
	"key" text NOT NULL,
	"input" json NOT NULL,
	"next_run" timestamp (3) with time zone,
	"attempt" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"lease" text,
	"lease_until" timestamp (3) with time zone,
	CONSTRAINT "jobs_name_key_pk" PRIMARY KEY("name","key")
);
--> statement-breakpoint
CREATE INDEX "jobs_next_run" ON "jobs" USING btree ("next_run");