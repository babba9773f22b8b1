import { and, asc, eq, gt, lt, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { accounts, ledgerAccounts } from "@/db/schema/accounts";
import { agents, heldPayments } from "@/db/schema/agents";
import { requireOwner } from "@/lib/agents/require-owner";
import { removeLayer } from "@/lib/agents/wallet-layer";
import { secretVersionOf } from "@/lib/budgets/secret-version";
import { scopeOf } from "@/lib/chain/scope-of";
import type { SessionContext } from "@/lib/context/context";
import { env } from "@/lib/env";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import type { StaleQuery } from "./schema";

/** A wallet or a text that is still sealed under an earlier version of the secret. */
interface Stale {
  id: string;
  agent: Address;
  sealed: Hex;
  secretVersion: number;
}

interface StalePage<T extends Stale> {
  list: T[];
  hasMore: boolean;
}

const pageOf = <T extends Stale>(rows: T[], limit: number): StalePage<T> => ({
  list: rows.slice(0, limit),
  hasMore: rows.length > limit,
});

/**
 * Wallets of the account's agents that are sealed under an earlier version of the secret, in the order of their ids.
 * The service takes its own layer off: what is left opens with the agent's secret alone.
 */
export async function readStaleAgents(ctx: SessionContext, query: StaleQuery): Promise<StalePage<Stale>> {
  requireOwner(ctx);
  const { chainId, account } = ctx;
  const [scope, version] = [await scopeOf(chainId), await secretVersionOf(chainId, account)];
  const rows = await db()
    .select({
      id: accounts.id,
      agent: accounts.address,
      sealed: agents.wallet,
      secretVersion: agents.secretVersion,
    })
    .from(agents)
    .innerJoin(accounts, eq(accounts.id, agents.accountId))
    .innerJoin(
      ledgerAccounts,
      and(eq(ledgerAccounts.chainId, agents.chainId), eq(ledgerAccounts.address, accounts.address)),
    )
    .where(
      and(
        eq(accounts.ownerId, account.id),
        eq(agents.chainId, chainId),
        lt(agents.secretVersion, version),
        query.after === undefined ? undefined : gt(accounts.id, query.after),
      ),
    )
    .orderBy(asc(accounts.id))
    .limit(query.limit + 1);
  const { list, hasMore } = pageOf(rows, query.limit);
  const bare = list.map((row) => {
    const layered = fromHex(row.sealed);
    return { ...row, sealed: toHex(removeLayer(env().serverPepper, { scope, agent: row.agent }, layered)) };
  });
  return { list: bare, hasMore };
}

/** Held payments that wait for a decision under an earlier version of the secret, in the order of their ids. */
export async function readStaleHeld(
  ctx: SessionContext,
  query: StaleQuery,
): Promise<StalePage<Stale & { asset: Address }>> {
  requireOwner(ctx);
  const { chainId, account } = ctx;
  const version = await secretVersionOf(chainId, account);
  const rows = await db()
    .select({
      id: heldPayments.id,
      agent: accounts.address,
      asset: heldPayments.asset,
      sealed: heldPayments.sealed,
      secretVersion: heldPayments.secretVersion,
    })
    .from(heldPayments)
    .innerJoin(accounts, eq(accounts.id, heldPayments.agentId))
    .where(
      and(
        eq(heldPayments.rootId, account.id),
        eq(heldPayments.chainId, chainId),
        // Written out, so that the partial index serves it.
        sql`${heldPayments.status} = 'pending_approval'`,
        gt(heldPayments.expiresAt, new Date()),
        lt(heldPayments.secretVersion, version),
        query.after === undefined ? undefined : gt(heldPayments.id, query.after),
      ),
    )
    .orderBy(asc(heldPayments.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit);
}

/** Serialises wallets. */
export function toStaleAgents({ list, hasMore }: StalePage<Stale>) {
  const agentsOf = list.map(({ id, agent, sealed, secretVersion }) => {
    return { account_id: id, public_key: agent, wallet: sealed, secret_version: secretVersion };
  });
  return { agents: agentsOf, has_more: hasMore };
}

/** Serialises held payments. */
export function toStaleHeld({ list, hasMore }: StalePage<Stale & { asset: Address }>) {
  const held = list.map(({ id, agent, asset, sealed, secretVersion }) => {
    return { transaction_id: id, agent, asset, sealed, secret_version: secretVersion };
  });
  return { held, has_more: hasMore };
}
