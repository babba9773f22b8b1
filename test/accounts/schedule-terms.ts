import { newId } from "@/lib/base/ids";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { encryptSchedule } from "@/lib/ledger/encrypted/schedule";
import type { EncryptedVersion } from "@/lib/payments/schedules/schema";
import { storeEncrypted } from "@/lib/payments/schedules/store-encrypted";
import { writeTerms } from "@/lib/policy/calendar/document";
import { inOrder, isScheduleOver, planRuns } from "@/lib/policy/calendar/plan-runs";
import { checkRule, type RuleInput } from "@/lib/policy/calendar/rule";
import { isPaused, type ScheduleTerms } from "@/lib/policy/calendar/terms";
import type { Owner } from "./owner";

/** Returns what an owner's client encrypts: one payment by a rule. */
export function termsOf(rule: RuleInput, to: { address: `0x${string}`; name?: string }, amount = "1"): ScheduleTerms {
  const payments = [{ to: to.name ?? to.address, address: to.address, amount }];
  const part = { rule: checkRule(rule), asset: "USDG", payments, from: rule.start, seed: toHex(randomBytes(32)) };
  return { name: "Rent", automatic: false, window: 3 * 86_400, skipped: [], parts: [part] };
}

/** Returns the body with which an owner's client submits a version of a schedule. */
export function bodyOf(
  owner: Owner,
  id: string,
  terms: ScheduleTerms,
  { version = 1, after = null, now = new Date() }: { version?: number; after?: string | null; now?: Date } = {},
): EncryptedVersion {
  const ref = { scope: owner.scope, account: owner.address, id, version };
  return {
    version,
    secret_version: 1,
    ciphertext: toHex(encryptSchedule(owner.secret, ref, writeTerms(terms))),
    window_seconds: terms.window,
    status: isPaused(terms) ? "paused" : "active",
    runs: inOrder(planRuns(terms, after, now)).map(({ date, dueAt }) => ({ date, due_at: dueAt })),
    is_last: isScheduleOver(terms, now),
  };
}

/** Creates a schedule as an owner's client does. Returns its id. */
export async function putNew(owner: Owner, terms: ScheduleTerms, now: Date): Promise<string> {
  const id = newId("schedule");
  await storeEncrypted(owner.session, id, bodyOf(owner, id, terms, { now }), undefined, now);
  return id;
}
