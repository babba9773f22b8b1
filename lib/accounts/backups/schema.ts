import { z } from "zod";
import { AddressInput } from "@/lib/accounts/schema";
import { optionalPageQuery } from "@/lib/base/paging";
import { BACKUP_LENGTH } from "@/lib/ledger/encrypted/account-key-backup";
import { hexBytes } from "@/lib/ledger/prepare/document-fields";

/** The query of `GET /api/backups`. */
export const ListBackupsQuery = z.strictObject(optionalPageQuery("backup"));

/** The body of `POST /api/backups`: a copy of the account key, encrypted on the owner's device. */
export const CreateBackupInput = z
  .strictObject({
    kind: z.enum(["recovery_code", "wallet"], "kind is recovery_code or wallet."),
    label: z
      .string("Name the backup.")
      .trim()
      .min(1, "Name the backup.")
      .max(80, "A label has at most 80 characters.")
      .refine((label) => !/[\p{Cc}\p{Surrogate}]/u.test(label), "A label is one line of well-formed text."),
    address: AddressInput.optional(),
    encrypted: hexBytes(BACKUP_LENGTH),
  })
  .refine(({ kind, address }) => (kind === "wallet") === (address !== undefined), {
    path: ["address"],
    message: "address is that of the wallet which opens the backup: send it for kind wallet only.",
  });
export type CreateBackupInput = z.infer<typeof CreateBackupInput>;
