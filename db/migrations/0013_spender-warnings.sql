CREATE TABLE "spender_warnings" (
	"chain_id" integer NOT NULL,
	"address" "bytea" NOT NULL,
	"spender_until" bigint NOT NULL,
	"days" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "spender_warnings_chain_id_address_spender_until_days_pk" PRIMARY KEY("chain_id","address","spender_until","days")
);
--> statement-breakpoint
CREATE INDEX "ledger_accounts_spender_until" ON "ledger_accounts" USING btree ("spender_until") WHERE "ledger_accounts"."owner" is null;