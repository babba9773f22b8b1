CREATE TABLE "payment_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"chain_id" integer NOT NULL,
	"account_id" text NOT NULL,
	"payee" "bytea" NOT NULL,
	"asset" "bytea" NOT NULL,
	"reference" text,
	"status" text NOT NULL,
	"envelope" "bytea" NOT NULL,
	"link_key" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	"paid_by" text,
	"key_id" text,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "request_payments" (
	"transfer_id" text PRIMARY KEY NOT NULL,
	"request_id" text NOT NULL,
	"state" text NOT NULL,
	"finding" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"announced_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "payment_requests" ADD CONSTRAINT "payment_requests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_payments" ADD CONSTRAINT "request_payments_request_id_payment_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."payment_requests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_requests_account" ON "payment_requests" USING btree ("account_id","chain_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_requests_status" ON "payment_requests" USING btree ("account_id","chain_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_requests_reference" ON "payment_requests" USING btree ("account_id","chain_id","reference","created_at","id") WHERE "payment_requests"."reference" is not null;--> statement-breakpoint
CREATE INDEX "payment_requests_due" ON "payment_requests" USING btree ("expires_at") WHERE "payment_requests"."status" = 'open';--> statement-breakpoint
CREATE INDEX "request_payments_request" ON "request_payments" USING btree ("request_id","created_at");