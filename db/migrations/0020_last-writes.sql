CREATE TABLE "last_writes" (
	"root_id" text PRIMARY KEY NOT NULL,
	"lsn" "pg_lsn" NOT NULL
);
