import { eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { agents } from "@/db/schema/agents";
import { actorOf, appendAudit } from "@/lib/audit/append";
import { broadcast } from "@/lib/chain/broadcast";
import { type ChainScope, scopeOf } from "@/lib/chain/scope-of";
import type { BeforeCommit, Context, ContextAccount } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { newPolicySalt } from "@/lib/ledger/policy/policy-salts";
import type { ChainId } from "@/lib/network";
import { requireRelayQuota } from "@/lib/operations/relay-quota";
import type { SubmittedOperation } from "@/lib/operations/submit-operation";
import { acceptPolicy, notSigned } from "./accept-policy";
import type { AgentView } from "./agent-resource";
import { findOwnAgent } from "./find-own-agent";
import { hasEnded } from "./has-ended";
import { type LockedPolicy, lockAgent } from "./lock-agent";
import { partyAtLatest } from "./party-at-latest";
import { type PolicyStanding, policyNotInForce, policyStanding } from "./policy-in-force";
import { requireOwner } from "./require-owner";
import type { SignedPolicy } from "./schema";
import { guarded, signPolicy } from "./sign-policy";
import { submitPolicy } from "./submit-policy";

const ACTION = { paused: "agent.paused", active: "agent.resumed" } as const;

/** What a change of status is made of. */
interface StatusChange {
  scope: ChainScope;
  agent: ContextAccount;
  party: LedgerParty;
  status: keyof typeof ACTION;
  locked: LockedPolicy;
  standing: PolicyStanding;
  signed: SignedPolicy | undefined;
}

/**
 * Pauses an agent, for every payment that commits after it, and sends the ledger's `setPolicy` that says so. It always
 * works: where that cannot be signed or sent now, the service alone keeps the pause. Repeatable.
 *
 * @param signed what the owner's client signed of it, if anything
 * @throws ApiError `not_agent_owner`, `not_found`, `key_forbidden` for what was signed otherwise
 */
export async function pauseAgent(
  ctx: Context,
  agentId: string,
  signed?: SignedPolicy,
  beforeCommit: BeforeCommit<AgentView> = async () => {},
): Promise<AgentView> {
  requireOwner(ctx);
  const agent = await findOwnAgent(ctx, agentId);
  const ledger = ctx.actor === "key" || signed ? await ledgerOrNone(ctx, agent, signed !== undefined) : null;
  return changed(async (tx) => {
    const locked = await lockAgent(tx, agent.id, "update");
    if (locked.status !== "active")
      return { view: viewOf(agent, locked, locked.status), operation: null, beforeCommit };
    await tx.update(agents).set({ status: "paused" }).where(eq(agents.accountId, agent.id));
    const standing = ledger && (await standingOrNone(tx, agent, locked, ledger.scope.chainId, signed !== undefined));
    const change = ledger && standing && { ...ledger, agent, status: "paused" as const, locked, standing, signed };
    // Rows that no one has signed are not signed by this either: they only stop.
    const operation = change && (signed || standing.isSigned) ? await sendStatus(tx, ctx, change) : null;
    await audit(tx, ctx, agent, "paused");
    return { view: viewOf(agent, locked, "paused"), operation, beforeCommit };
  });
}

/**
 * Lets a paused agent pay again under the policy it has, once the ledger's `setPolicy` says so. That loosens: a session
 * needs the wallet's signature. Repeatable.
 *
 * @throws ApiError `not_agent_owner`, `not_found`; `key_forbidden` of a key whose account is guarded, and without the
 *   wallet's signature; `policy_not_in_force` when no one has signed the policy's rows; `rate_limited`
 */
export async function resumeAgent(
  ctx: Context,
  agentId: string,
  signed?: SignedPolicy,
  beforeCommit: BeforeCommit<AgentView> = async () => {},
): Promise<AgentView> {
  requireOwner(ctx);
  const { chainId } = ctx;
  const agent = await findOwnAgent(ctx, agentId);
  const [scope, party] = await Promise.all([scopeOf(chainId), partyAtLatest(chainId, agent)]);
  if (ctx.actor === "key" && party.owner?.record.guarded) throw guarded();
  return changed(async (tx) => {
    const locked = await lockAgent(tx, agent.id, "update");
    if (locked.status === "ended") throw hasEnded();
    const standing = await policyStanding(tx, chainId, agent, locked);
    const view = viewOf(agent, locked, "active");
    if (locked.status === "active" && standing.inForce !== "no") return { view, operation: null, beforeCommit };
    if (!standing.isSigned) throw policyNotInForce();
    await tx.update(agents).set({ status: "active" }).where(eq(agents.accountId, agent.id));
    const change = { scope, party, agent, status: "active" as const, locked, standing, signed };
    const operation = await sendStatus(tx, ctx, change);
    await audit(tx, ctx, agent, "active");
    return { view, operation, beforeCommit };
  });
}

interface Changed {
  view: AgentView;
  operation: SubmittedOperation | null;
  beforeCommit: BeforeCommit<AgentView>;
}

async function changed(work: (tx: Tx) => Promise<Changed>): Promise<AgentView> {
  const { view, operation } = await db().transaction(async (tx) => {
    const done = await work(tx);
    await done.beforeCommit(tx, done.view);
    return done;
  });
  if (operation) broadcast(operation);
  return view;
}

/**
 * What a pause needs to reach the ledger; null where a key cannot send it: the chain is away, the account guarded, its
 * key without a secret or its quota used up. `mustSend`: the client has signed it.
 */
async function ledgerOrNone(ctx: Context, agent: ContextAccount, mustSend: boolean) {
  try {
    const { chainId } = ctx;
    const [scope, party] = await Promise.all([scopeOf(chainId), partyAtLatest(chainId, agent)]);
    if (mustSend) return { scope, party };
    if (ctx.actor !== "key" || party.owner?.record.guarded) return null;
    await requireRelayQuota(chainId, agent.rootAddress, new Date());
    return { scope, party };
  } catch (error) {
    if (mustSend) throw error;
    return null;
  }
}

/** How the rows stand to the ledger; null when it cannot be asked and does not have to be. */
function standingOrNone(tx: Tx, agent: ContextAccount, locked: LockedPolicy, chainId: ChainId, mustSend: boolean) {
  return policyStanding(tx, chainId, agent, locked).catch((error: unknown) => {
    if (mustSend) throw error;
    return null;
  });
}

/** Signs and relays the policy with its new status. A pause whose key cannot sign is kept without it: null. */
async function sendStatus(tx: Tx, ctx: Context, change: StatusChange): Promise<SubmittedOperation | null> {
  const { scope, agent, party, status, locked, standing, signed } = change;
  const { policy, policyId, resolved } = locked;
  const { policyVersion, follows } = standing;
  const paused = status === "paused";
  if (ctx.actor === "session") {
    if (!signed) throw notSigned("Sign this with your wallet: it lets the agent pay again.");
    const isLooser = !paused || standing.inForce === "no";
    const accepted = await acceptPolicy(scope, party, { policy, paused, policyVersion, isLooser }, signed);
    return submitPolicy(tx, scope, agent, { policyId, policy }, accepted, follows);
  }
  if (!party.owner) throw new Error("an agent has an owner");
  const setting = { salt: newPolicySalt(), version: policyVersion + 1n, resolved };
  const next = { policy, paused, setting };
  try {
    const document = await signPolicy(ctx, scope, party, party.owner.record, next, tx);
    return await submitPolicy(
      tx,
      scope,
      agent,
      { policyId, policy },
      { document, setting, byContract: false },
      follows,
    );
  } catch (error) {
    if (paused && error instanceof ApiError && error.code === "key_forbidden") return null;
    throw error;
  }
}

async function audit(tx: Tx, ctx: Context, { id, rootId }: ContextAccount, status: keyof typeof ACTION): Promise<void> {
  const entry = { rootId, chainId: ctx.chainId, actor: actorOf(ctx), action: ACTION[status], target: id };
  await appendAudit(tx, entry, new Date());
}

function viewOf({ id, handle, address }: ContextAccount, { policyId }: LockedPolicy, status: AgentView["status"]) {
  return { id, handle, address, status, policyId };
}
