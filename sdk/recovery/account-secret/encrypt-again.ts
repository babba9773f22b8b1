import type { Address, Hex } from "viem";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { deriveHeldKey } from "@/lib/ledger/crypto/keys";
import { decryptHeld, encryptHeld } from "@/lib/ledger/encrypted/held";
import { decryptPayoutKey, encryptPayoutKey } from "@/lib/ledger/encrypted/payout";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { ScheduleList } from "../../api/resources/schedules";
import type { Context } from "../../context/context";
import { decryptUnder } from "../../payments/schedules/decrypt-schedule";
import { rewriteUnder } from "../../payments/schedules/write-schedule";
import { type Rotating, secretOf } from "./resalt";

interface StaleHeld {
  held: { transaction_id: string; agent: Address; asset: Address; encrypted: Hex; secret_version: number }[];
  has_more: boolean;
}

/** What was encrypted again, and what can't be decrypted. The latter stays as it is and doesn't stop the rest. */
export interface EncryptedAgain {
  held: number;
  /** Payments awaiting approval that can't be decrypted, so no one can approve them. */
  heldUnread: string[];
  schedules: number;
  /** Schedules that can't be decrypted: create them again. */
  schedulesUnread: string[];
}

/**
 * Encrypts schedules under the next version of the secret. Returns how many, and the ids of those that can't be
 * decrypted.
 */
async function encryptSchedules(context: Context, { scope, versions, next }: Rotating): Promise<[number, string[]]> {
  const session = await context.session();
  let done = 0;
  const unread: string[] = [];
  for (let after: string | undefined; ; ) {
    const query = { stale: "true", starting_after: after, limit: AT_ONCE, include: "encrypted" };
    const page = await session.get<ScheduleList>("/v1/schedules", query);
    for (const schedule of page.schedules) {
      try {
        const before = versions(schedule.encrypted?.secret_version ?? 0).secret;
        await rewriteUnder(context, decryptUnder(scope, context.wallet.address, before, schedule), next);
        done += 1;
      } catch {
        unread.push(schedule.schedule_id);
      }
    }
    after = page.schedules.at(-1)?.schedule_id;
    if (!page.has_more || after === undefined) return [done, unread];
  }
}

interface StalePayouts {
  payouts: { payout_id: string; rows: number; encrypted_key: Hex; secret_version: number }[];
  has_more: boolean;
}

/**
 * Encrypts the keys of payouts under the next version of the secret. Leaves keys that can't be decrypted as they are.
 */
export async function encryptPayoutsAgain(context: Context, { scope, versions, next }: Rotating): Promise<number> {
  const session = await context.session();
  const account = lowerCase(context.wallet.address);
  let done = 0;
  for (let after: string | undefined; ; ) {
    const page = await session.get<StalePayouts>("/api/account-secret/payouts", { after, limit: AT_ONCE });
    const payouts: { payout_id: string; encrypted_key: Hex }[] = [];
    for (const { payout_id, rows, encrypted_key, secret_version } of page.payouts) {
      const ref = { payoutId: payout_id, rows };
      try {
        const key = decryptPayoutKey(versions(secret_version).secret, scope, account, ref, fromHex(encrypted_key));
        payouts.push({ payout_id, encrypted_key: toHex(encryptPayoutKey(next.secret, scope, account, ref, key)) });
      } catch {
        // Its rows can't be paid any more; rows already paid are among the transfers.
      }
    }
    if (payouts.length > 0) {
      const body = { secret_version: next.secretVersion, payouts };
      done += (await session.post<{ payouts: number }>("/api/account-secret/payouts", body)).payouts;
    }
    after = page.payouts.at(-1)?.payout_id;
    if (!page.has_more || after === undefined) return done;
  }
}

/** Number of items in one request. The service accepts 200. */
const AT_ONCE = 100;

/** Encrypts schedules and payments awaiting approval under the next version of the secret, page by page. */
export async function encryptAgain(context: Context, rotating: Rotating): Promise<EncryptedAgain> {
  const [schedules, schedulesUnread] = await encryptSchedules(context, rotating);
  const { scope, versions, next } = rotating;
  const result: EncryptedAgain = { held: 0, heldUnread: [], schedules, schedulesUnread };
  const session = await context.session();
  const to = deriveHeldKey(next.secret, scope).publicKey;
  for (let after: string | undefined; ; ) {
    const page = await session.get<StaleHeld>("/api/account-secret/held", { after, limit: AT_ONCE });
    const held: { transaction_id: string; encrypted: Hex }[] = [];
    for (const { transaction_id, agent, asset, encrypted, secret_version } of page.held) {
      const before = versions(secret_version);
      try {
        const place = { id: transaction_id, agent: lowerCase(agent), asset };
        const secret = secretOf(context, scope, before, place.agent);
        const text = await decryptHeld(
          deriveHeldKey(before.secret, scope).secret,
          secret,
          scope,
          place,
          fromHex(encrypted),
        );
        const fresh = await encryptHeld(to, secretOf(context, scope, next, place.agent), scope, text);
        held.push({ transaction_id, encrypted: toHex(fresh) });
      } catch {
        result.heldUnread.push(transaction_id);
      }
    }
    if (held.length > 0) {
      const body = { secret_version: next.secretVersion, held };
      result.held += (await session.post<{ held: number }>("/api/account-secret/encrypted", body)).held;
    }
    after = page.held.at(-1)?.transaction_id;
    if (!page.has_more || after === undefined) return result;
  }
}
