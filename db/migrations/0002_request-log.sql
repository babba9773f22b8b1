CREATE TABLE "api_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"root_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"key_id" text NOT NULL,
	"method" text NOT NULL,
	"route" text NOT NULL,
	"status" integer NOT NULL,
	"error_code" text,
	"duration_ms" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "api_requests_root" ON "api_requests" USING btree ("root_id","chain_id","id");