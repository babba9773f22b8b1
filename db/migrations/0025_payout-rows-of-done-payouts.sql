ALTER TABLE "payout_rows" ADD COLUMN "to" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "payout_rows" ADD COLUMN "reference" text;