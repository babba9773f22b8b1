import { toBackupResource } from "@/lib/backups/backup-resource";
import { createBackup } from "@/lib/backups/create-backup";
import { listBackups } from "@/lib/backups/list-backups";
import { CreateBackupInput } from "@/lib/backups/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  handle: ({ ctx }) => listBackups(ctx),
  serialize: (backups) => ({ backups: backups.map(toBackupResource) }),
});

export const POST = route({
  auth: "session",
  body: CreateBackupInput,
  handle: ({ ctx, body }) => createBackup(ctx, body),
  status: 201,
  serialize: toBackupResource,
});
