import { and, asc, eq } from "drizzle-orm";
import { isAddressEqual } from "viem";
import { anyOf } from "@/db/any-of";
import { db, type Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents } from "@/db/schema/agents";
import { operations } from "@/db/schema/chain";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { broadcast } from "@/lib/chain/broadcast";
import { isByContract } from "@/lib/chain/is-by-contract";
import { requireDeadline } from "@/lib/chain/operations/require-deadline";
import { type SubmittedOperation, submitOperation } from "@/lib/chain/operations/submit-operation";
import { optimisticRead, ReadAgain } from "@/lib/chain/optimistic-read";
import { scopeOf } from "@/lib/chain/scope-of";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { type PolicyRead, readPolicy, stillPending } from "./pending-policy";
import { requireOwner } from "./require-owner";

/**
 * Relays the ledger's `setGuarded`, signed by the account's wallet. While the guard is on, only the wallet can set
 * policies and move money between the account and its agents.
 *
 * @throws ApiError `not_agent_owner`; `invalid_request` if the ledger would refuse it, for example turning off the
 *   guard of an account whose own keys have a policy; `rate_limited`; `unavailable` while policies of several agents are
 *   on their way
 */
export async function setGuarded(
  ctx: SessionContext,
  document: AuthorityDocumentOf<"set_guarded">,
): Promise<SubmittedOperation> {
  requireOwner(ctx);
  const { chainId, account } = ctx;
  const deadline = requireDeadline(document.deadline, "deadline");
  if (!isAddressEqual(document.account, account.address)) {
    throw new ApiError("invalid_request", "Sign for your own account.", { param: "account" });
  }
  const scope = await scopeOf(chainId);
  const { ledger } = scope;
  const data = authorityCalldata(document);
  if (!(await wouldSucceed(chainId, ledger, data))) {
    const message =
      "The ledger refuses this: sign SetGuarded with the account's wallet and its current nonce. An account whose keys " +
      "have limits stays guarded.";
    throw new ApiError("invalid_request", message, { param: "signature" });
  }
  const byContract = await isByContract(scope, document, [account.address]);
  const set = async (tx: Tx, reads: readonly PolicyRead[]) => {
    // Locked, so that no key changes a policy meanwhile: its change comes before the guard, or is refused.
    const own = await ownAgents(tx, ctx).for("update", { of: agents });
    const follows = (await Promise.all(own.map(({ id }) => pendingOf(tx, reads, id)))).flat();
    await requireOneRelayer(tx, follows);
    const call = { chainId, kind: "set_guarded", account: account.address, target: ledger, data, byContract } as const;
    const submitted = await submitOperation(tx, { ...call, deadline, follows });
    const entry = { rootId: account.id, chainId, actor: actorOf(ctx), target: account.id };
    const action = document.guarded ? "account.guarded" : "account.guard_removed";
    await appendAudit(tx, { ...entry, action, after: { signature: document.signature } }, submitted.createdAt);
    return submitted;
  };
  const operation = await optimisticRead(
    () => readPolicies(ctx),
    (reads) => db().transaction((tx) => set(tx, reads)),
  );
  broadcast(operation);
  return operation;
}

function ownAgents(at: Pick<Tx, "select">, { chainId, account }: SessionContext) {
  return at
    .select({ id: accounts.id, address: accounts.address })
    .from(accounts)
    .innerJoin(agents, eq(agents.accountId, accounts.id))
    .where(and(eq(accounts.ownerId, account.id), eq(accounts.chainId, chainId)))
    .orderBy(asc(accounts.id));
}

async function readPolicies(ctx: SessionContext): Promise<PolicyRead[]> {
  const own = await ownAgents(db(), ctx);
  return Promise.all(own.map((agent) => readPolicy(ctx.chainId, { ...agent, rootAddress: ctx.account.address })));
}

/** Returns the operations that set an agent's policy and are not mined yet. */
async function pendingOf(tx: Tx, reads: readonly PolicyRead[], agentId: string): Promise<string[]> {
  const read = reads.find(({ holder }) => holder.id === agentId);
  // Registered in the meantime.
  if (!read) throw new ReadAgain();
  return (await stillPending(tx, read)).follows;
}

/** Refuses to follow operations of several relayers, which the ledger takes in any order. */
async function requireOneRelayer(tx: Tx, follows: readonly string[]): Promise<void> {
  if (follows.length < 2) return;
  const rows = await tx
    .selectDistinct({ relayer: operations.relayer })
    .from(operations)
    .where(and(anyOf(operations.id, follows), eq(operations.status, "pending")));
  if (rows.length < 2) return;
  throw new ApiError(
    "unavailable",
    "Policies of several agents are on their way to the ledger. Nothing was sent. Try again in a moment.",
    { retryAfter: 2 },
  );
}
