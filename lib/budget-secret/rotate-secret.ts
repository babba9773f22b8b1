import { and, eq, isNull } from "drizzle-orm";
import { encodeFunctionData } from "viem";
import { db, type Tx } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import { agents, heldPayments } from "@/db/schema/agents";
import { apiKeys } from "@/db/schema/keys";
import { budgetStates } from "@/db/schema/ledger";
import { requireOwner } from "@/lib/agents/require-owner";
import { addLayer } from "@/lib/agents/wallet-layer";
import { actorOf, appendAudit } from "@/lib/audit/append";
import type { SessionContext } from "@/lib/auth/context";
import { statesAt } from "@/lib/budgets/lock";
import { withBudgets } from "@/lib/budgets/with-budgets";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { broadcast } from "@/lib/chain/broadcast";
import { wouldSucceed } from "@/lib/chain/dry-run";
import { scopeOf } from "@/lib/chain/scope";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { fromHex, toHex } from "@/lib/ledger/bytes";
import type { Scope } from "@/lib/ledger/scope";
import { requireDeadline } from "@/lib/operations/deadline";
import { type SubmittedOperation, submitOperation } from "@/lib/operations/submit";
import { ownedAgents, placesOf, readSealed, type SealedUnderSecret } from "./read-sealed";
import type { RotateInput } from "./schema";

/**
 * Replaces the account's budget secret (docs/protocol.md section 3), in one transaction: the new spender is relayed to the
 * ledger, everything under the old secret is exchanged for what the owner's client has sealed under the new one, and all
 * API keys end. The client re-salts the budgets by allocations once the spender is final.
 *
 * @throws budget_changed when anything is under way, or differs from what the client has sealed; invalid_request for a
 *   `SetSpender` the ledger would refuse; rate_limited
 */
export async function rotateSecret(ctx: SessionContext, input: RotateInput): Promise<SubmittedOperation> {
  requireOwner(ctx);
  const { chainId, account } = ctx;
  const deadline = requireDeadline(input.deadline, "deadline");
  const scope = await scopeOf(chainId);
  const { spender, spender_until, signature } = input;
  const data = encodeFunctionData({
    abi: ledgerAbi,
    functionName: "setSpender",
    args: [account.address, spender, BigInt(spender_until), BigInt(input.deadline), signature],
  });
  if (!(await wouldSucceed(chainId, scope.ledger, data))) {
    const message = "The ledger refuses this spender: sign SetSpender with the account's wallet and its current nonce.";
    throw new ApiError("invalid_request", message, { param: "signature" });
  }
  const places = placesOf(ctx, await db().transaction((tx) => ownedAgents(tx, ctx)));
  const operation = await withBudgets(
    places,
    async (tx) => {
      const now = new Date();
      const before = await readSealed(tx, ctx, now);
      requireSame(before, input);
      await exchange(tx, ctx, scope, before, input);
      const keys = await endKeys(tx, ctx, now);
      const entry = { rootId: account.id, chainId, actor: actorOf(ctx), target: account.id };
      const after = { secret_version: input.secret_version, spender, keys };
      await appendAudit(tx, { ...entry, action: "account.secret_rotated", after }, now);
      const call = { chainId, kind: "set_spender", account: account.address, target: scope.ledger, data } as const;
      return submitOperation(tx, { ...call, deadline });
    },
    { first: (tx) => lockSettings(tx, ctx) },
  );
  broadcast(operation);
  return operation;
}

/** Keys and agents being made hold this row, and decisions those of the held payments. */
async function lockSettings(tx: Tx, { chainId, account }: SessionContext): Promise<void> {
  await tx.insert(accountNetworks).values({ accountId: account.id, chainId }).onConflictDoNothing();
  await tx
    .select({ version: accountNetworks.secretVersion })
    .from(accountNetworks)
    .where(settingsOf(account.id, chainId))
    .for("update");
  await tx
    .select({ id: heldPayments.id })
    .from(heldPayments)
    .where(
      and(
        eq(heldPayments.rootId, account.id),
        eq(heldPayments.chainId, chainId),
        eq(heldPayments.status, "pending_approval"),
      ),
    )
    .orderBy(heldPayments.id)
    .for("update");
}

const settingsOf = (accountId: string, chainId: number) =>
  and(eq(accountNetworks.accountId, accountId), eq(accountNetworks.chainId, chainId));

/** Nothing may be left under the old secret, and nothing may build on it. */
function requireSame(before: SealedUnderSecret, input: RotateInput): void {
  const same = (have: string[], sent: string[]) => [...have].sort().join() === [...sent].sort().join();
  const budgetOf = ({ account, asset, word }: { account: string; asset: string; word: string }) =>
    [account, asset, word].join("/");
  if (
    before.pending === 0 &&
    input.secret_version === before.secretVersion + 1 &&
    before.budgets.every(({ sealed }) => sealed !== null) &&
    same(before.budgets.map(budgetOf), input.budgets.map(budgetOf)) &&
    same(
      before.agents.map(({ id }) => id),
      input.agents.map(({ account_id }) => account_id),
    ) &&
    same(
      before.held.map(({ id }) => id),
      input.held.map(({ transaction_id }) => transaction_id),
    )
  ) {
    return;
  }
  const message = "Something of the account is under way or has changed. Read what is sealed again and seal it anew.";
  throw new ApiError("budget_changed", message);
}

async function exchange(
  tx: Tx,
  { chainId, account }: SessionContext,
  scope: Scope,
  before: SealedUnderSecret,
  input: RotateInput,
): Promise<void> {
  const secretVersion = input.secret_version;
  for (const { account: whose, asset, word, sealed, flag } of input.budgets) {
    const place = { chainId, account: whose, asset };
    await tx
      .update(budgetStates)
      .set({ sealed, flag, secretVersion })
      .where(and(statesAt(place, "pending", "final"), eq(budgetStates.word, word)));
  }
  const addressOf = new Map(before.agents.map(({ id, address }) => [id, address]));
  for (const { account_id: id, wallet: inner } of input.agents) {
    const agent = addressOf.get(id);
    if (!agent) throw new Error("an agent is not the one that was compared");
    const wallet = toHex(addLayer(env().serverPepper, { scope, agent }, fromHex(inner)));
    await tx.update(agents).set({ wallet, secretVersion }).where(eq(agents.accountId, id));
  }
  for (const { transaction_id: id, sealed } of input.held) {
    if (sealed) await tx.update(heldPayments).set({ sealed, secretVersion }).where(eq(heldPayments.id, id));
  }
  await tx.update(accountNetworks).set({ secretVersion }).where(settingsOf(account.id, chainId));
}

/** What they wrap is of the old secret. Answers their ids. */
async function endKeys(tx: Tx, { chainId, account }: SessionContext, now: Date): Promise<string[]> {
  const ended = await tx
    .update(apiKeys)
    .set({ revokedAt: now, wrap: null, flagWrap: null })
    .where(and(eq(apiKeys.accountId, account.id), eq(apiKeys.chainId, chainId), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  return ended.map(({ id }) => id).sort();
}
