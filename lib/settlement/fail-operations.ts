import { and, eq, isNull, sql } from "drizzle-orm";
import type { Address } from "viem";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { accounts, ledgerAccounts } from "@/db/schema/accounts";
import { operations } from "@/db/schema/chain";
import { availableStates, reservations } from "@/db/schema/ledger";
import { lockAvailable } from "@/lib/balances/lock";
import type { ChainId } from "@/lib/base/network";
import { failTransfers } from "@/lib/payments/settle-transfer";
import { behindPolicy } from "./behind-policy";
import { followAgents } from "./follow-agents";

/**
 * Fails pending operations, and all operations that depend on them: those whose available balance state builds on one
 * of theirs, on either account of a `fund`, and those that need a policy one of them was to set. Their states become
 * void, so that the newest remaining state is the previous one. Nothing is decrypted. Their transfers fail with events;
 * reserved notes and deposited money are released.
 */
export async function failOperations(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  const failed = new Set<string>();
  let next = [...ids];
  while (next.length > 0) {
    const rows = await tx
      .update(operations)
      .set({ status: "failed", settledAt: now, resendAt: null })
      .where(and(anyOf(operations.id, next), eq(operations.status, "pending")))
      .returning({
        id: operations.id,
        chainId: operations.chainId,
        kind: operations.kind,
        account: operations.account,
        policyVersion: operations.policyVersion,
      });
    for (const { id } of rows) failed.add(id);
    next = [];
    for (const { chainId, account, kind, policyVersion } of rows) {
      if (kind === "enroll" || kind === "enroll_agent") await forgetRecord(tx, chainId, account);
      if (kind === "set_agent_signer") await followAgents(tx, chainId as ChainId, now, { owner: account as Address });
      if (kind === "set_policy" && policyVersion !== null) {
        next.push(...(await behindPolicy(tx, { chainId, account: account as Address, policyVersion })));
      }
      if (kind !== "enroll_agent") continue;
      await freeName(tx, account);
      next.push(...(await needing(tx, chainId, account)));
    }
    if (rows.length > 0)
      next.push(
        ...(await voidStates(
          tx,
          rows.map(({ id }) => id),
        )),
      );
  }
  const list = [...failed];
  if (list.length > 0) await tx.delete(reservations).where(anyOf(reservations.operationId, list));
  await failTransfers(tx, list, now);
}

/** Removes the account's record that counted as enrolled while the enrollment was pending. */
async function forgetRecord(tx: Tx, chainId: number, address: Address): Promise<void> {
  await tx
    .delete(ledgerAccounts)
    .where(
      and(
        eq(ledgerAccounts.chainId, chainId),
        eq(ledgerAccounts.address, address),
        isNull(ledgerAccounts.enrolledBlock),
      ),
    );
}

/**
 * Frees the name of an agent whose enrollment failed. It can't be enrolled again without its owner, who may want to
 * reuse the name.
 */
async function freeName(tx: Tx, address: Address): Promise<void> {
  await tx
    .update(accounts)
    .set({ handle: sql`${accounts.handle} || '#' || ${accounts.id}` })
    .where(and(eq(accounts.address, address), eq(accounts.type, "agent")));
}

/** Returns pending operations that need an agent whose enrollment failed: its policy, and money moved to it. */
async function needing(tx: Tx, chainId: number, agent: Address): Promise<string[]> {
  const [own, funds] = await Promise.all([
    tx
      .select({ id: operations.id })
      .from(operations)
      .where(and(eq(operations.chainId, chainId), eq(operations.account, agent), eq(operations.status, "pending"))),
    tx
      .select({ id: availableStates.operationId })
      .from(availableStates)
      .where(
        and(
          eq(availableStates.chainId, chainId),
          eq(availableStates.account, agent),
          eq(availableStates.status, "pending"),
        ),
      ),
  ]);
  return [...own, ...funds].flatMap(({ id }) => id ?? []);
}

/** Voids the states that these operations make. Returns the operations whose states build on them. */
async function voidStates(tx: Tx, operationIds: readonly string[]): Promise<string[]> {
  const mine = and(anyOf(availableStates.operationId, operationIds), eq(availableStates.status, "pending"));
  const availableIds = await tx
    .select({ chainId: availableStates.chainId, account: availableStates.account, asset: availableStates.asset })
    .from(availableStates)
    .where(mine)
    .orderBy(availableStates.account);
  // A payment in progress holds this lock. If it builds on a state voided here, it must be found and voided as well.
  for (const { chainId, account, asset } of availableIds) {
    await lockAvailable(tx, { chainId: chainId as ChainId, account: account as Address, asset: asset as Address });
  }
  const voided = await tx.update(availableStates).set({ status: "void" }).where(mine).returning({
    chainId: availableStates.chainId,
    account: availableStates.account,
    asset: availableStates.asset,
    commitment: availableStates.commitment,
  });
  if (voided.length === 0) return [];
  const built = await tx
    .select({ operationId: availableStates.operationId })
    .from(availableStates)
    .where(
      and(
        eq(availableStates.status, "pending"),
        sql.join(
          voided.map(
            ({ chainId, account, asset, commitment }) =>
              sql`(${and(
                eq(availableStates.chainId, chainId),
                eq(availableStates.account, account),
                eq(availableStates.asset, asset),
                eq(availableStates.oldCommitment, commitment),
              )})`,
          ),
          sql` or `,
        ),
      ),
    );
  return built.flatMap(({ operationId }) => (operationId ? [operationId] : []));
}
