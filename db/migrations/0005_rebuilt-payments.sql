CREATE TABLE "rebuilt_payments" (
	"transfer_id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"root_id" text NOT NULL,
	"block" bigint NOT NULL,
	"paid_at" timestamp (3) with time zone NOT NULL,
	"tag" "bytea",
	"voucher" "bytea"
);
--> statement-breakpoint
ALTER TABLE "rebuilt_payments" ADD CONSTRAINT "rebuilt_payments_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rebuilt_payments_root" ON "rebuilt_payments" USING btree ("root_id","chain_id","paid_at");--> statement-breakpoint
CREATE INDEX "rebuilt_payments_paid" ON "rebuilt_payments" USING btree ("paid_at");