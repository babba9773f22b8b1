CREATE TABLE "audit_anchor_leaves" (
	"chain_id" integer NOT NULL,
	"root_id" text NOT NULL,
	"position" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"day" integer NOT NULL,
	CONSTRAINT "audit_anchor_leaves_chain_id_root_id_position_pk" PRIMARY KEY("chain_id","root_id","position")
);
--> statement-breakpoint
CREATE TABLE "audit_anchors" (
	"chain_id" integer NOT NULL,
	"day" integer NOT NULL,
	"nonce" integer NOT NULL,
	"seed" "bytea" NOT NULL,
	"root" "bytea" NOT NULL,
	"tx_hash" "bytea" NOT NULL,
	"raw" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "audit_anchors_chain_id_day_pk" PRIMARY KEY("chain_id","day")
);
--> statement-breakpoint
CREATE INDEX "audit_anchor_leaves_day" ON "audit_anchor_leaves" USING btree ("chain_id","day");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_anchors_nonce" ON "audit_anchors" USING btree ("chain_id","nonce");