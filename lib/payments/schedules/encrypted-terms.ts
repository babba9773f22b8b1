import type { ContextAccount, UnwrappedSecret } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { scopeOf } from "@/lib/chain/scope-of";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed, LedgerError } from "@/lib/ledger/crypto/errors";
import { decryptSchedule, encryptSchedule } from "@/lib/ledger/encrypted/schedule";
import type { ScheduleRow } from "@/lib/payments/schedules/runs/run-rows";
import { readTerms, UnreadableSchedule, writeTerms } from "@/lib/policy/calendar/document";
import type { ScheduleTerms } from "@/lib/policy/calendar/terms";

type Place = Pick<ScheduleRow, "id" | "version">;

async function refOf(account: ContextAccount, chainId: number, { id, version }: Place) {
  return { scope: await scopeOf(chainId as ChainId), account: account.address, id, version };
}

/**
 * Decrypts a schedule with the account secret that the request's key unwraps.
 *
 * @throws ApiError `sync_required` if it is encrypted under another secret, or can't be decrypted for its row
 */
export async function decryptTerms(
  account: ContextAccount,
  row: ScheduleRow,
  { secret, secretVersion }: UnwrappedSecret,
): Promise<ScheduleTerms> {
  if (row.secretVersion !== secretVersion) throw unreadable();
  try {
    return readTerms(decryptSchedule(secret, await refOf(account, row.chainId, row), fromHex(row.encrypted)));
  } catch (error) {
    throw error instanceof DecryptionFailed || error instanceof UnreadableSchedule ? unreadable() : error;
  }
}

/**
 * Encrypts a schedule with the account secret that the request's key unwraps.
 *
 * @throws ApiError `invalid_request` if it is too long
 */
export async function encryptTerms(
  account: ContextAccount,
  chainId: ChainId,
  place: Place,
  terms: ScheduleTerms,
  { secret }: UnwrappedSecret,
): Promise<`0x${string}`> {
  try {
    return toHex(encryptSchedule(secret, await refOf(account, chainId, place), writeTerms(terms)));
  } catch (error) {
    if (error instanceof LedgerError && !(error instanceof DecryptionFailed)) {
      throw new ApiError("invalid_request", "This schedule is too long. Shorten its memos.", { param: "payments" });
    }
    throw error;
  }
}

function unreadable(): ApiError {
  return new ApiError(
    "sync_required",
    "This schedule can't be decrypted with this key. Run `halcyon rotate-account-secret` to encrypt it again, or end it " +
      "and create another.",
  );
}
