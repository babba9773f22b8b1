import { isAddressEqual } from "viem";
import { db, type Tx } from "@/db/client";
import { inTurn } from "@/lib/balances/in-turn";
import { isoTime } from "@/lib/base/clock";
import type { Context, ContextAccount } from "@/lib/base/context/context";
import { broadcast } from "@/lib/chain/broadcast";
import { optimisticRead } from "@/lib/chain/optimistic-read";
import { type ChainScope, scopeOf } from "@/lib/chain/scope-of";
import { appendEvents } from "@/lib/events/append-events";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { newPolicySalt } from "@/lib/ledger/policy/policy-salts";
import { loosens } from "@/lib/policy/loosens";
import {
  applyPatch,
  changedFields,
  DENY_ALL,
  type SpendPolicy,
  type SpendPolicyResource,
  toSpendPolicyResource,
} from "@/lib/policy/spend-policy";
import { acceptPolicy, notSigned, type SigningOfPolicy } from "./accept-policy";
import type { PolicyView } from "./agent-resource";
import { auditOf } from "./audit-of";
import { type Authority, authorityOf } from "./authority-of";
import { findOwnAgent } from "./find-own-agent";
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
import type { PolicySetting } from "./policy-row";
import { refuseForBlindKeys } from "./refuse-for-blind-keys";
import { requireOwner } from "./require-owner";
import { resolveRecipients } from "./resolve-recipients";
import type { SignedPolicy } from "./schema";
import { guarded, refuseWhileGuarding, signPolicy } from "./sign-policy";
import { submitPolicy } from "./submit-policy";
import { unavailableWhileSignerChanges } from "./unavailable-while-signer-changes";

/** A change of a policy, to be signed. */
interface PolicyChange {
  locked: LockedPolicy;
  standing: PolicyStanding;
  after: SpendPolicy;
  resolved: PolicySetting["resolved"];
  /** The change as the owner's client signed it, and who made that signature. */
  signed: SignedPolicy | undefined;
  signer: Authority | null;
}

/**
 * Changes the given fields of an agent's policy, with effect for every payment that commits later, and sends the
 * ledger's `setPolicy` ahead of these payments. The owner's client has signed it, or for an API key the owner's payment
 * key signs it here. A change without effect leaves no trace. Recipients are resolved again
 * only if the change names them, or changes whether the ledger checks them.
 *
 * @param signed the change as the owner's client signed it; a session that loosens the policy needs the wallet's
 *   signature
 * @throws ApiError `not_agent_owner`, `not_found`; `key_forbidden` for a key of a guarded account, and if the required
 *   signature is missing; `policy_not_in_force` if the owner has not signed the current rows, unless the change sets
 *   every field; `rate_limited`; `unavailable` while the signing key is changing
 */
export async function updatePolicy(
  ctx: Context,
  agentId: string,
  patch: Partial<SpendPolicy>,
  signed?: SignedPolicy,
): Promise<PolicyView> {
  requireOwner(ctx);
  const { chainId } = ctx;
  const agent = await findOwnAgent(ctx, agentId);
  const [scope, party] = await Promise.all([scopeOf(chainId), partyAtLatest(chainId, agent)]);
  const signer = signed ? await authorityOf(scope, signed.document, party) : null;
  const isEmpty = Object.keys(patch).length === 0;
  if (ctx.actor === "key" && !signed && !isEmpty && party.owner?.record.guarded) throw guarded();
  const change = async (tx: Tx, read: StandingRead) => {
    const locked = await lockAgent(tx, agent.id, "update");
    if (locked.status === "ended") throw hasEnded();
    const standing = await policyStanding(tx, read, locked);
    if (!standing.isSigned && !isComplete(patch)) throw policyNotInForce();
    const after = applyPatch(locked.policy, patch);
    await refuseForBlindKeys(tx, chainId, agent, after);
    const changed = changedFields(toSpendPolicyResource(locked.policy), toSpendPolicyResource(after));
    const resolves = patch.allowedRecipients || after.publicPayments !== locked.policy.publicPayments;
    const resolved = resolves ? await resolveRecipients(chainId, after, tx) : locked.resolved;
    const before = viewOf(locked);
    const isSame = changed.length === 0 && `${resolved}` === `${locked.resolved}` && !signed;
    if (isSame && standing.inForce !== "no") return { view: before, operation: null };
    const next = await signChange(tx, ctx, scope, party, { locked, standing, after, resolved, signed, signer });
    const now = new Date();
    const updatedAt = changed.length > 0 ? now : undefined;
    const view = { ...before, policy: after, updatedAt: updatedAt ?? before.updatedAt };
    const row = { policyId: locked.policyId, policy: after, updatedAt };
    const submitted = await submitPolicy(tx, scope, agent, row, next, standing.follows);
    await announce(tx, ctx, agent, { id: locked.policyId, before: locked.policy, after, changed, ...next }, now);
    return { view, operation: submitted };
  };
  const { view, operation } = await unavailableWhileSignerChanges(
    inTurn(policyTurn(chainId, agent), () =>
      optimisticRead(
        () => readStanding(chainId, agent),
        (read) => db().transaction((tx) => change(tx, read)),
      ),
    ),
  );
  if (operation) broadcast(operation);
  return view;
}

/** Reports whether a change sets every field, so that the previous content of the rows doesn't matter. */
export function isComplete(patch: Partial<SpendPolicy>): boolean {
  // The type of DENY_ALL forces every rule to be in it.
  return (Object.keys(DENY_ALL) as (keyof SpendPolicy)[]).every((rule) => patch[rule] !== undefined);
}

async function signChange(
  tx: Tx,
  ctx: Context,
  scope: ChainScope,
  party: LedgerParty,
  { locked, standing, after, resolved, signed, signer }: PolicyChange,
): Promise<SigningOfPolicy> {
  const { policyVersion } = standing;
  const paused = locked.status !== "active";
  if (signed || ctx.actor === "session") {
    if (!signed) throw notSigned("Sign the change: with your wallet when it lets the agent spend more.");
    refuseWhileGuarding(standing, signer);
    const isLooser =
      standing.inForce === "no" || loosens(locked.policy, after) || reachesMore(locked.resolved, signed.resolved);
    return acceptPolicy(scope, party, { policy: after, paused, policyVersion, isLooser }, signed, signer);
  }
  if (!party.owner) throw new Error("an agent has an owner");
  refuseWhileGuarding(standing, "paymentKey");
  const setting = { salt: newPolicySalt(), version: policyVersion + 1n, resolved };
  const next = { policy: after, paused, setting };
  return { document: await signPolicy(ctx, scope, party, party.owner.record, next, tx), setting, byContract: false };
}

/** Reports whether recipients resolve to an address that they did not resolve to before. */
function reachesMore(before: PolicySetting["resolved"], after: SignedPolicy["resolved"]): boolean {
  return before !== "anyone" && after.some((address) => !before.some((known) => isAddressEqual(known, address)));
}

function viewOf({ policyId, policy, policyUpdatedAt }: LockedPolicy): PolicyView {
  return { id: policyId, policy, updatedAt: policyUpdatedAt };
}

interface Change {
  id: string;
  before: SpendPolicy;
  after: SpendPolicy;
  changed: (keyof SpendPolicyResource)[];
  /** The document that was signed. */
  document: AuthorityDocumentOf<"set_policy">;
}

async function announce(tx: Tx, ctx: Context, agent: ContextAccount, change: Change, now: Date): Promise<void> {
  const { chainId } = ctx;
  const { id, before, after, changed, document } = change;
  if (changed.length > 0) {
    const payload = { agent: `@${agent.handle}`, policy_id: id, changed, updated_at: isoTime(now) };
    await appendEvents(tx, [{ chainId, type: "agent.policy.updated", subject: agent, payload }], now);
  }
  const of = (policy: SpendPolicy) => {
    const resource = toSpendPolicyResource(policy);
    return Object.fromEntries(changed.map((field) => [field, resource[field]]));
  };
  await appendAudit(
    tx,
    {
      rootId: agent.rootId,
      chainId,
      actor: actorOf(ctx),
      action: "agent.policy.updated",
      target: agent.id,
      before: of(before),
      after: { ...of(after), set_policy: auditOf(document) },
    },
    now,
  );
}
