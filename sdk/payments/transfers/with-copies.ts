import type { TransferWithCopies } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import type { EncryptedTransfer, Transfer } from "../../api/resources/transfers";

/**
 * Puts the encrypted copies of a transfer of `/v1` beside its other fields.
 *
 * @throws HalcyonError `invalid_request` for a transfer that was read without its copies
 */
export function withCopies<T extends Pick<Transfer, "encrypted">>(transfer: T): Omit<T, "encrypted"> & Copies {
  const { encrypted, ...plain } = transfer;
  if (encrypted) return { ...plain, ...encrypted };
  throw new HalcyonError(
    "invalid_request",
    "This transfer has no encrypted copies. Read it with `include=encrypted`, or use `transfers.getDecrypted`.",
  );
}

type Copies = Pick<TransferWithCopies, keyof EncryptedTransfer & keyof TransferWithCopies>;
