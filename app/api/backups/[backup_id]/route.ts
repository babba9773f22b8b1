import { deleteBackup } from "@/lib/accounts/backups/delete-backup";
import { route } from "@/lib/http/route";

export const DELETE = route({
  auth: "session",
  handle: ({ ctx, params }) => deleteBackup(ctx, params.backup_id ?? ""),
  status: 204,
  serialize: () => null,
});
