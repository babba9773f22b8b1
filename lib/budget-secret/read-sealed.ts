import { and, asc, count, eq, gt, inArray, isNotNull } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Tx } from "@/db/client";
import { accountNetworks, accounts, ledgerAccounts } from "@/db/schema/accounts";
import { agents, heldPayments } from "@/db/schema/agents";
import { operations } from "@/db/schema/chain";
import { assetsOf } from "@/lib/assets";
import type { SessionContext } from "@/lib/auth/context";
import { type BudgetPlace, newestState } from "@/lib/budgets/lock";

/** All that is sealed under an account's budget secret, as the service keeps it. */
export interface SealedUnderSecret {
  secretVersion: number;
  /** Operations of the account and its agents that are not final. */
  pending: number;
  /** Budgets that are not empty. `sealed` null: the owner acted alone, and re-seals it first. */
  budgets: (BudgetPlace & { word: Hex; sealed: Hex | null })[];
  agents: { id: string; address: Address; wallet: Hex }[];
  /** Payments that wait for a decision. */
  held: { id: string; agent: Address; asset: Address; sealed: Hex }[];
}

/** The budgets of an account and of its agents, in every asset. */
export function placesOf({ chainId, account }: SessionContext, owned: readonly { address: Address }[]): BudgetPlace[] {
  return [account, ...owned].flatMap(({ address }) =>
    assetsOf(chainId).map((asset) => ({ chainId, account: address, asset: asset.address })),
  );
}

/** The account's agents that the ledger has, in the order of their ids. */
export async function ownedAgents(tx: Tx, { chainId, account }: SessionContext): Promise<SealedUnderSecret["agents"]> {
  return tx
    .select({ id: accounts.id, address: accounts.address, wallet: agents.wallet })
    .from(agents)
    .innerJoin(accounts, eq(accounts.id, agents.accountId))
    .innerJoin(
      ledgerAccounts,
      and(
        eq(ledgerAccounts.chainId, agents.chainId),
        eq(ledgerAccounts.address, accounts.address),
        isNotNull(ledgerAccounts.owner),
      ),
    )
    .where(and(eq(accounts.ownerId, account.id), eq(agents.chainId, chainId)))
    .orderBy(asc(accounts.id));
}

/** Reads all of it, in the caller's transaction. */
export async function readSealed(tx: Tx, ctx: SessionContext, now: Date): Promise<SealedUnderSecret> {
  const { chainId, account } = ctx;
  const [settings] = await tx
    .select({ version: accountNetworks.secretVersion })
    .from(accountNetworks)
    .where(and(eq(accountNetworks.accountId, account.id), eq(accountNetworks.chainId, chainId)));
  const owned = await ownedAgents(tx, ctx);
  const addresses = [account, ...owned].map(({ address }) => address);
  const [underWay] = await tx
    .select({ count: count() })
    .from(operations)
    .where(
      and(eq(operations.chainId, chainId), inArray(operations.account, addresses), eq(operations.status, "pending")),
    );
  const held = await tx
    .select({ id: heldPayments.id, agent: accounts.address, asset: heldPayments.asset, sealed: heldPayments.sealed })
    .from(heldPayments)
    .innerJoin(accounts, eq(accounts.id, heldPayments.agentId))
    .where(
      and(
        eq(heldPayments.rootId, account.id),
        eq(heldPayments.chainId, chainId),
        eq(heldPayments.status, "pending_approval"),
        gt(heldPayments.expiresAt, now),
      ),
    )
    .orderBy(asc(heldPayments.id));
  const budgets: SealedUnderSecret["budgets"] = [];
  for (const place of placesOf(ctx, owned)) {
    const { word, state, resealRequired } = await newestState(tx, place);
    if (state || resealRequired) budgets.push({ ...place, word, sealed: state?.sealed ?? null });
  }
  return {
    secretVersion: settings?.version ?? 1,
    pending: underWay?.count ?? 0,
    budgets,
    agents: owned,
    held,
  };
}
