CREATE TABLE "open_writes" (
	"root_id" text NOT NULL,
	"id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "open_writes_root_id_id_pk" PRIMARY KEY("root_id","id")
);
