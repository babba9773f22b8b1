ALTER TABLE "webhook_deliveries" ADD COLUMN "earlier_attempts" jsonb;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "store_responses" boolean DEFAULT false NOT NULL;