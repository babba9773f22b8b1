CREATE TABLE "exact_payments" (
	"transfer_id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"seller" "bytea" NOT NULL,
	"return_to" "bytea" NOT NULL,
	"valid_before" timestamp (3) with time zone NOT NULL,
	"signature" "bytea" NOT NULL,
	"return_signature" "bytea" NOT NULL,
	"status" text NOT NULL,
	"return_operation_id" text
);
--> statement-breakpoint
ALTER TABLE "held_payments" ADD COLUMN "seller" "bytea";--> statement-breakpoint
ALTER TABLE "spend_policies" ADD COLUMN "public_payments" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "exact_payments" ADD CONSTRAINT "exact_payments_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exact_payments_open" ON "exact_payments" USING btree ("valid_before") WHERE "exact_payments"."status" = 'open';