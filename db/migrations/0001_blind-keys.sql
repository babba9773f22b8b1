ALTER TABLE "api_keys" ADD COLUMN "request_key" "bytea";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "access_wrap" "bytea";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "home_wrap" "bytea";