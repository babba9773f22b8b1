import { toBackupResource } from "@/lib/accounts/backups/backup-resource";
import { createBackup } from "@/lib/accounts/backups/create-backup";
import { listBackups } from "@/lib/accounts/backups/list-backups";
import { CreateBackupInput, ListBackupsQuery } from "@/lib/accounts/backups/schema";
import { pageOf } from "@/lib/base/paging";
import { route } from "@/lib/http/route";

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
