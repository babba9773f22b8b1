import { and, asc, eq, gt, lt, ne, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { accounts, ledgerAccounts } from "@/db/schema/accounts";
import { agents, heldPayments } from "@/db/schema/agents";
import { secretVersionOf } from "@/lib/accounts/secret-version";
import { requireOwner } from "@/lib/agents/require-owner";
import type { SessionContext } from "@/lib/base/context/context";
import type { StaleQuery } from "./schema";

/** What is still encrypted under an earlier version of the secret, by its id. */
interface Stale {
  id: string;
  agent: Address;
  secretVersion: number;
}

interface StaleHeld extends Stale {
  asset: Address;
  encrypted: Hex;
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
 * The account's agents whose keys are encrypted under an earlier version of the secret, in the order of their ids: they
 * need new ones. Agents that have ended need none.
 */
export async function readStaleAgents(ctx: SessionContext, query: StaleQuery): Promise<StalePage<Stale>> {
  requireOwner(ctx);
  const { chainId, account } = ctx;
  const version = await secretVersionOf(chainId, account);
  const rows = await db()
    .select({
      id: accounts.id,
      agent: accounts.address,
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
        ne(agents.status, "ended"),
        query.after === undefined ? undefined : gt(accounts.id, query.after),
      ),
    )
    .orderBy(asc(accounts.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit);
}

/** Held payments that wait for a decision under an earlier version of the secret, in the order of their ids. */
export async function readStaleHeld(ctx: SessionContext, query: StaleQuery): Promise<StalePage<StaleHeld>> {
  requireOwner(ctx);
  const { chainId, account } = ctx;
  const version = await secretVersionOf(chainId, account);
  const rows = await db()
    .select({
      id: heldPayments.id,
      agent: accounts.address,
      asset: heldPayments.asset,
      encrypted: heldPayments.encrypted,
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

/** Serialises agents. */
export function toStaleAgents({ list, hasMore }: StalePage<Stale>) {
  const agentsOf = list.map(({ id, agent, secretVersion }) => {
    return { account_id: id, public_key: agent, secret_version: secretVersion };
  });
  return { agents: agentsOf, has_more: hasMore };
}

/** Serialises held payments. */
export function toStaleHeld({ list, hasMore }: StalePage<StaleHeld>) {
  const held = list.map(({ id, agent, asset, encrypted, secretVersion }) => {
    return { transaction_id: id, agent, asset, encrypted, secret_version: secretVersion };
  });
  return { held, has_more: hasMore };
}
