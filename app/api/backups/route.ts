import { toBackupResource } from "@/lib/backups/backup-resource";
import { createBackup } from "@/lib/backups/create-backup";
import { listBackups } from "@/lib/backups/list-backups";
import { CreateBackupInput, ListBackupsQuery } from "@/lib/backups/schema";
import { route } from "@/lib/http/route";
import { pageOf } from "@/lib/paging";

export const GET = route({
  auth: "session",
  query: ListBackupsQuery,
  handle: async ({ ctx, query }) => pageOf(await listBackups(ctx), query),
  serialize: ({ entries, hasMore }) => ({ backups: entries.map(toBackupResource), has_more: hasMore }),
});

export const POST = route({
  auth: "session",
  body: CreateBackupInput,
  handle: ({ ctx, body }) => createBackup(ctx, body),
  status: 201,
  serialize: toBackupResource,
});
