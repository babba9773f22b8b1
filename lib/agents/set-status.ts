import { eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { agents } from "@/db/schema/agents";
import { inTurn } from "@/lib/balances/in-turn";
import type { BeforeCommit, Context, ContextAccount, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { broadcast } from "@/lib/chain/broadcast";
import type { SubmittedOperation } from "@/lib/chain/operations/submit-operation";
import { optimisticRead } from "@/lib/chain/optimistic-read";
import { type ChainScope, scopeOf } from "@/lib/chain/scope-of";
import { appendEvents } from "@/lib/events/append-events";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { newPolicySalt } from "@/lib/ledger/policy/policy-salts";
import { acceptPolicy, notSigned } from "./accept-policy";
import { agentEvent } from "./agent-event";
import type { AgentView } from "./agent-resource";
import { type Authority, authorityOf } from "./authority-of";
import { findOwnAgent } from "./find-own-agent";
import { getAgent } from "./get-agent";
import { hasEnded } from "./has-ended";
import { type LockedPolicy, lockAgent } from "./lock-agent";
import { partyAtLatest } from "./party-at-latest";
import { policyTurn } from "./pending-policy";
import {
  type PolicyStanding,
  policyNotInForce,
  policyStanding,
  readStanding,
  type StandingRead,
} from "./policy-in-force";
import { requireOwner } from "./require-owner";
import type { SignedPolicy } from "./schema";
import { guarded, refuseWhileGuarding, signPolicy } from "./sign-policy";
import { submitPolicy } from "./submit-policy";
import { unavailableWhileSignerChanges } from "./unavailable-while-signer-changes";

const ACTION = { paused: "agent.paused", active: "agent.resumed" } as const;

/** The input of a change of status. */
interface StatusChange {
  scope: ChainScope;
  agent: ContextAccount;
  party: LedgerParty;
  status: keyof typeof ACTION;
  locked: LockedPolicy;
  standing: PolicyStanding;
  signed: SignedPolicy | undefined;
  /** Who made the signature in `signed`. */
  signer: Authority | null;
}

/**
 * Pauses an agent, with effect for every payment that commits later. This always succeeds and waits for nothing. Then
 * the pause is sent to the ledger with `setPolicy`, if the API key can sign it; otherwise only the service enforces the
 * pause. Safe to repeat.
 *
 * @param signed the pause as the owner's client signed it, if it did; then it is sent with the pause or not at all
 * @throws ApiError `not_agent_owner`, `not_found`, `key_forbidden` if the signature covers something else
 */
export async function pauseAgent(
  ctx: Context,
  agentId: string,
  signed?: SignedPolicy,
  beforeCommit: BeforeCommit<AgentView> = async () => {},
): Promise<AgentView> {
  requireOwner(ctx);
  const agent = await findOwnAgent(ctx, agentId);
  if (signed) return pauseSigned(ctx, agent, signed, beforeCommit);
  const { view, isNew } = await db().transaction(async (tx) => {
    const locked = await lockAgent(tx, agent.id, "update");
    const isNew = await writePause(tx, ctx, agent, locked);
    const view = await getAgent(agent, tx);
    await beforeCommit(tx, view);
    return { view, isNew };
  });
  if (isNew && ctx.actor === "key") await sendPause(ctx, agent).catch((error: unknown) => notSent(ctx, error));
  return view;
}

async function pauseSigned(
  ctx: Context,
  agent: ContextAccount,
  signed: SignedPolicy,
  beforeCommit: BeforeCommit<AgentView>,
): Promise<AgentView> {
  const { chainId } = ctx;
  const [scope, party] = await Promise.all([scopeOf(chainId), partyAtLatest(chainId, agent)]);
  const signer = await authorityOf(scope, signed.document, party);
  const pause = async (tx: Tx, read: StandingRead) => {
    const locked = await lockAgent(tx, agent.id, "update");
    if (locked.status === "ended") return null;
    const standing = await policyStanding(tx, read, locked);
    await writePause(tx, ctx, agent, locked);
    const change = { scope, party, agent, status: "paused" as const, locked, standing, signed, signer };
    return sendStatus(tx, ctx, change);
  };
  return changed(chainId, agent, pause, beforeCommit);
}

/** Pauses the agent in the database. Returns whether it was active. */
async function writePause(tx: Tx, ctx: Context, agent: ContextAccount, { status }: LockedPolicy): Promise<boolean> {
  if (status !== "active") return false;
  await tx.update(agents).set({ status: "paused" }).where(eq(agents.accountId, agent.id));
  await record(tx, ctx, agent, "paused", status);
  return true;
}

/**
 * Sends a pause to the ledger. If the owner has not signed the current rows, nothing is sent: pausing must not sign
 * them.
 */
async function sendPause(ctx: KeyContext, agent: ContextAccount): Promise<void> {
  const { chainId } = ctx;
  const [scope, party] = await Promise.all([scopeOf(chainId), partyAtLatest(chainId, agent)]);
  const send = async (tx: Tx, read: StandingRead) => {
    const locked = await lockAgent(tx, agent.id, "update");
    if (locked.status !== "paused") return null;
    const standing = await policyStanding(tx, read, locked);
    const status = "paused" as const;
    const change = { scope, party, agent, status, locked, standing, signed: undefined, signer: null };
    return standing.isSigned ? sendStatus(tx, ctx, change) : null;
  };
  const operation = await inTurn(policyTurn(chainId, agent), () =>
    optimisticRead(
      () => readStanding(chainId, agent),
      (read) => db().transaction((tx) => send(tx, read)),
    ),
  );
  if (operation) broadcast(operation);
}

/**
 * Logs that a pause was not sent. Expected refusals are not logged: a guarded account, a key without a secret, a used
 * up quota.
 */
function notSent({ requestId }: Context, error: unknown): void {
  if (error instanceof ApiError && error.code !== "unavailable") return;
  log().warn({ err: error, requestId }, "a pause was not sent to the ledger: the service alone keeps it");
}

/**
 * Lets a paused agent pay again under its policy, once the ledger's `setPolicy` is mined. This loosens the policy, so a
 * session needs the wallet's signature. Safe to repeat.
 *
 * @param signed the policy as the owner's wallet signed it; without it, an API key signs
 * @throws ApiError `not_agent_owner`, `not_found`; `key_forbidden` for a key of a guarded account, and for a session,
 *   without the wallet's signature; `policy_not_in_force` if the owner has not signed the policy's rows; `rate_limited`;
 *   `unavailable` while the signing key is changing
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
  if (ctx.actor === "key" && !signed && party.owner?.record.guarded) throw guarded();
  const signer = signed ? await authorityOf(scope, signed.document, party) : null;
  const resume = async (tx: Tx, read: StandingRead) => {
    const locked = await lockAgent(tx, agent.id, "update");
    if (locked.status === "ended") throw hasEnded();
    const standing = await policyStanding(tx, read, locked);
    if (locked.status === "active" && standing.inForce !== "no") return null;
    if (!standing.isSigned) throw policyNotInForce();
    await tx.update(agents).set({ status: "active" }).where(eq(agents.accountId, agent.id));
    const change = { scope, party, agent, status: "active" as const, locked, standing, signed, signer };
    const operation = await sendStatus(tx, ctx, change);
    await record(tx, ctx, agent, "active", locked.status);
    return operation;
  };
  return changed(chainId, agent, resume, beforeCommit);
}

/** Runs a change of an agent's status in its turn, and relays what it submitted, if anything. */
async function changed(
  chainId: ChainId,
  agent: ContextAccount,
  work: (tx: Tx, read: StandingRead) => Promise<SubmittedOperation | null>,
  beforeCommit: BeforeCommit<AgentView> = async () => {},
): Promise<AgentView> {
  const { view, operation } = await unavailableWhileSignerChanges(
    inTurn(policyTurn(chainId, agent), () =>
      optimisticRead(
        () => readStanding(chainId, agent),
        (read) =>
          db().transaction(async (tx) => {
            const operation = await work(tx, read);
            const view = await getAgent(agent, tx);
            await beforeCommit(tx, view);
            return { view, operation };
          }),
      ),
    ),
  );
  if (operation) broadcast(operation);
  return view;
}

/** Signs and relays the policy with its new status. */
async function sendStatus(tx: Tx, ctx: Context, change: StatusChange): Promise<SubmittedOperation> {
  const { scope, agent, party, status, locked, standing, signed, signer } = change;
  const { policy, policyId, resolved } = locked;
  const { policyVersion, follows } = standing;
  const paused = status === "paused";
  const row = { policyId, policy };
  if (signed || ctx.actor === "session") {
    if (!signed) throw notSigned("Sign this with your wallet: it lets the agent pay again.");
    refuseWhileGuarding(standing, signer);
    const isLooser = !paused || standing.inForce === "no";
    const accepted = acceptPolicy(scope, party, { policy, paused, policyVersion, isLooser }, signed, signer);
    return submitPolicy(tx, scope, agent, row, accepted, follows);
  }
  if (!party.owner) throw new Error("an agent has an owner");
  refuseWhileGuarding(standing, "paymentKey");
  const setting = { salt: newPolicySalt(), version: policyVersion + 1n, resolved };
  const document = await signPolicy(ctx, scope, party, party.owner.record, { policy, paused, setting }, tx);
  return submitPolicy(tx, scope, agent, row, { document, setting, byContract: false }, follows);
}

/** Records a change of status. A policy that is only signed again sends no event: the agent pays as before. */
async function record(
  tx: Tx,
  ctx: Context,
  agent: ContextAccount,
  status: keyof typeof ACTION,
  before: AgentView["status"],
): Promise<void> {
  const { chainId } = ctx;
  const [{ id, rootId }, now] = [agent, new Date()];
  if (status !== before) await appendEvents(tx, [agentEvent(chainId, ACTION[status], agent)], now);
  await appendAudit(tx, { rootId, chainId, actor: actorOf(ctx), action: ACTION[status], target: id }, now);
}
