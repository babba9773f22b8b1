-- Unlogged, with room on every page: a bucket is updated many times a second and worth nothing after a crash.
CREATE UNLOGGED TABLE "rate_limits" (
	"bucket" text PRIMARY KEY NOT NULL,
	"full_at" timestamp with time zone NOT NULL,
	"granted" integer NOT NULL
) WITH (fillfactor = 50);
