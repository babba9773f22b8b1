import { and, asc, eq, gt, lt, ne, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import { payouts } from "@/db/schema/payouts";
import { secretRotated, secretVersionOf } from "@/lib/accounts/secret-version";
import type { SessionContext } from "@/lib/base/context/context";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { type Payout, payoutsWithinReach, requireAccount } from "./find-payout";
import type { ReencryptPayoutsInput } from "./session-schema";

/** Returns payouts whose keys are encrypted under an earlier version of the account secret, ordered by id. */
export async function readStalePayouts(
  ctx: SessionContext,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ list: Payout[]; hasMore: boolean }> {
  requireAccount(ctx);
  const version = await secretVersionOf(ctx.chainId, ctx.account);
  const rows = await db()
    .select()
    .from(payouts)
    .where(
      and(
        payoutsWithinReach(ctx),
        lt(payouts.secretVersion, version),
        ne(payouts.encryptedKey, "0x"),
        after === undefined ? undefined : gt(payouts.id, after),
      ),
    )
    .orderBy(asc(payouts.id))
    .limit(limit + 1);
  return { list: rows.slice(0, limit), hasMore: rows.length > limit };
}

/**
 * Stores payout keys that the owner's client has encrypted again under the current account secret. Skips payouts of
 * other accounts, keys that are already current, and payouts that are done meanwhile.
 *
 * @throws ApiError `available_balance_changed` when the account secret was rotated again in the meantime
 */
export async function reencryptPayouts(
  ctx: SessionContext,
  input: ReencryptPayoutsInput,
): Promise<{ payouts: number }> {
  requireAccount(ctx);
  const { chainId, account } = ctx;
  const { secret_version: version, payouts: list } = input;
  return db().transaction(async (tx) => {
    const [settings] = await tx
      .select({ version: accountNetworks.secretVersion })
      .from(accountNetworks)
      .where(and(eq(accountNetworks.accountId, account.id), eq(accountNetworks.chainId, chainId)))
      .for("share");
    if ((settings?.version ?? 1) !== version) throw secretRotated();
    if (list.length === 0) return { payouts: 0 };
    const values = list.map(({ payout_id, encrypted_key }) => {
      return sql`(${payout_id}::text, ${Buffer.from(fromHex(encrypted_key))}::bytea)`;
    });
    const taken = await tx.execute(sql`
      update payouts p set encrypted_key = v.encrypted_key, secret_version = ${version}
      from (values ${sql.join(values, sql`, `)}) as v(id, encrypted_key)
      where p.id = v.id and p.account_id = ${account.id} and p.chain_id = ${chainId} and p.secret_version < ${version}
        and p.encrypted_key <> ''
      returning p.id`);
    return { payouts: taken.length };
  });
}
