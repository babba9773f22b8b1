import type { Address } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { decryptSchedule as decryptText } from "@/lib/ledger/encrypted/schedule";
import { readTerms } from "@/lib/policy/calendar/document";
import type { ScheduleTerms } from "@/lib/policy/calendar/terms";
import { HalcyonError } from "../../api/errors";
import type { Schedule } from "../../api/resources/schedules";
import type { Context } from "../../context/context";
import { ledgerKey } from "../../context/pins";

/** A schedule, decrypted on this machine. */
export interface DecryptedSchedule {
  schedule: Schedule;
  terms: ScheduleTerms;
}

/**
 * Decrypts a schedule with one version of the account's secret.
 *
 * @throws DecryptionFailed, UnreadableSchedule; HalcyonError `not_found` when the schedule has ended, or is finished
 *   and without its text
 */
export function decryptUnder(
  scope: Scope,
  account: Address,
  secret: Uint8Array,
  schedule: Schedule,
): DecryptedSchedule {
  const { schedule_id: id, version, encrypted } = schedule;
  if (!encrypted || encrypted.ciphertext === "0x") {
    throw new HalcyonError(
      "not_found",
      `This schedule ${schedule.status === "finished" ? "is finished" : "has ended"}.`,
    );
  }
  const text = decryptText(secret, { scope, account, id, version }, fromHex(encrypted.ciphertext as `0x${string}`));
  return { schedule, terms: readTerms(text) };
}

/**
 * Decrypts a schedule that its owner encrypted for this account, id and version. Refuses a version older than one this
 * machine has seen: an attacker who takes over the service could otherwise have an old amount paid.
 *
 * @throws HalcyonError `sync_required`, `schedule_changed`; UnreadableSchedule
 */
export async function decryptSchedule(context: Context, schedule: Schedule): Promise<DecryptedSchedule> {
  const [vault, scope] = await Promise.all([context.vault(), context.scope()]);
  try {
    const opened = decryptUnder(scope, context.wallet.address, vault.secret, schedule);
    await context.pins.checkScheduleVersion(ledgerKey(scope), schedule.schedule_id, schedule.version);
    return opened;
  } catch (error) {
    if (!(error instanceof DecryptionFailed)) throw error;
    throw new HalcyonError(
      "sync_required",
      "This schedule can't be decrypted with this account's secret. If you have rotated it, run the rotation again.",
    );
  }
}
