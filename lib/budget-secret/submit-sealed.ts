import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { accountNetworks, accounts } from "@/db/schema/accounts";
import { agents, heldPayments } from "@/db/schema/agents";
import { requireOwner } from "@/lib/agents/require-owner";
import { addLayer } from "@/lib/agents/wallet-layer";
import { secretRotated } from "@/lib/budgets/secret-version";
import { scopeOf } from "@/lib/chain/scope-of";
import type { SessionContext } from "@/lib/context/context";
import { env } from "@/lib/env";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { SealedInput } from "./schema";

/**
 * Takes some of what the owner's client has sealed again under the account's current secret: wallets of agents and held
 * payments. Each is taken while it is still under an earlier version; one that is decided, gone or not the account's is
 * left out, so submitting the same again does no harm. It never depends on anything that is not in it.
 *
 * @returns how many of each were taken
 * @throws ApiError `budget_changed` when the secret has been rotated again meanwhile
 */
export async function submitSealed(ctx: SessionContext, input: SealedInput): Promise<{ agents: number; held: number }> {
  requireOwner(ctx);
  const scope = await scopeOf(ctx.chainId);
  return db().transaction(async (tx) => {
    const { chainId, account } = ctx;
    const [settings] = await tx
      .select({ version: accountNetworks.secretVersion })
      .from(accountNetworks)
      .where(and(eq(accountNetworks.accountId, account.id), eq(accountNetworks.chainId, chainId)))
      .for("share");
    if ((settings?.version ?? 1) !== input.secret_version) throw secretRotated();
    return { agents: await takeAgents(tx, ctx, scope, input), held: await takeHeld(tx, ctx, input) };
  });
}

async function takeAgents(tx: Tx, { chainId, account }: SessionContext, scope: Scope, input: SealedInput) {
  if (input.agents.length === 0) return 0;
  const own = await tx
    .select({ id: accounts.id, address: accounts.address })
    .from(accounts)
    .where(
      and(
        eq(accounts.ownerId, account.id),
        eq(accounts.chainId, chainId),
        inArray(
          accounts.id,
          input.agents.map(({ account_id }) => account_id),
        ),
      ),
    );
  const addressOf = new Map(own.map(({ id, address }) => [id, address]));
  let taken = 0;
  for (const { account_id: id, wallet: inner } of [...input.agents].sort((a, b) =>
    a.account_id < b.account_id ? -1 : 1,
  )) {
    const agent = addressOf.get(id);
    if (!agent) continue;
    const wallet = toHex(addLayer(env().serverPepper, { scope, agent }, fromHex(inner)));
    const rows = await tx
      .update(agents)
      .set({ wallet, secretVersion: input.secret_version })
      .where(and(eq(agents.accountId, id), lt(agents.secretVersion, input.secret_version)))
      .returning({ id: agents.accountId });
    taken += rows.length;
  }
  return taken;
}

/** In one statement: a rotation has thousands of them. */
async function takeHeld(tx: Tx, { chainId, account }: SessionContext, { secret_version, held }: SealedInput) {
  if (held.length === 0) return 0;
  const ids = held.map(({ transaction_id }) => transaction_id);
  // Decisions lock their row as well: in the order of the ids none of two waits for the other in a circle.
  const open = await tx
    .select({ id: heldPayments.id })
    .from(heldPayments)
    .where(
      and(
        eq(heldPayments.rootId, account.id),
        eq(heldPayments.chainId, chainId),
        eq(heldPayments.status, "pending_approval"),
        lt(heldPayments.secretVersion, secret_version),
        inArray(heldPayments.id, ids),
      ),
    )
    .orderBy(heldPayments.id)
    .for("update");
  const mine = new Set(open.map(({ id }) => id));
  const rows = held.filter(({ transaction_id }) => mine.has(transaction_id));
  if (rows.length === 0) return 0;
  const values = rows.map(
    ({ transaction_id, sealed }) => sql`(${transaction_id}::text, ${Buffer.from(fromHex(sealed))}::bytea)`,
  );
  await tx.execute(sql`
    update held_payments h set sealed = v.sealed, secret_version = ${secret_version}
    from (values ${sql.join(values, sql`, `)}) as v(id, sealed) where h.id = v.id`);
  return new Set(rows.map(({ transaction_id }) => transaction_id)).size;
}
