ALTER TABLE "spend_policies" ADD COLUMN "monthly_limit" numeric(20, 0);--> statement-breakpoint
ALTER TABLE "spend_policies" ADD COLUMN "payments_per_day" integer;--> statement-breakpoint
ALTER TABLE "spend_policies" ADD COLUMN "recipient_limits" jsonb DEFAULT '[]'::jsonb NOT NULL;