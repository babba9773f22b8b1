CREATE TABLE "disclosures" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"chain_id" integer NOT NULL,
	"label" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"opened_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "disclosures" ADD CONSTRAINT "disclosures_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "disclosures_account" ON "disclosures" USING btree ("account_id","chain_id","created_at");--> statement-breakpoint
CREATE INDEX "disclosures_expires" ON "disclosures" USING btree ("expires_at");