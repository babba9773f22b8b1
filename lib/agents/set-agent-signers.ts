import { and, asc, eq, inArray, ne } from "drizzle-orm";
import { type Address, isAddressEqual, zeroAddress } from "viem";
import { db, type Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents } from "@/db/schema/agents";
import { revokeAgentKeys } from "@/lib/accounts/keys/revoke-agent-keys";
import { requireSecretVersion } from "@/lib/accounts/secret-version";
import type { SessionContext } from "@/lib/base/context/context";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { broadcast } from "@/lib/chain/broadcast";
import { isByContract } from "@/lib/chain/is-by-contract";
import { requireDeadline } from "@/lib/chain/operations/require-deadline";
import { type SubmittedOperation, submitOperation } from "@/lib/chain/operations/submit-operation";
import { optimisticRead, ReadAgain } from "@/lib/chain/optimistic-read";
import { readRecord } from "@/lib/chain/registry";
import { refuseRelayer } from "@/lib/chain/relayer";
import { type ChainScope, scopeOf } from "@/lib/chain/scope-of";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import { appendEvents, type NewEvent } from "@/lib/events/append-events";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { agentEvent } from "./agent-event";
import { type PolicyRead, readPolicy, stillPending } from "./pending-policy";
import { lockHeldOf, rejectHeldOf } from "./reject-held";
import { requireOwner } from "./require-owner";
import type { AgentSignersInput } from "./schema";
import { addLayer } from "./wallet-layer";

/** One of the account's agents, and its new signer. */
interface NewSigner {
  id: string;
  agent: Address;
  /** Without @. */
  handle: string;
  signer: Address;
  /** Null if the agent ends. */
  wallet: AgentSignersInput["wallets"][number]["wallet"] | null;
}

/**
 * Relays the ledger's `setAgentSigner`. Agents get new signing keys, which the client encrypts under the account's
 * current secret. An agent whose new signer is zero ends instead, with all of its API keys, and its payments that wait for
 * approval are rejected. An ended agent that gets a key comes back paused. Whatever the old keys signed that is not on the ledger yet becomes void.
 *
 * @throws ApiError `not_agent_owner`; `invalid_request` if the ledger would refuse it, or the encrypted keys don't
 *   match the new signers; `available_balance_changed` for an old `secret_version` or if a policy is under way;
 *   `rate_limited`
 */
export async function setAgentSigners(ctx: SessionContext, input: AgentSignersInput): Promise<SubmittedOperation> {
  requireOwner(ctx);
  const { chainId, account } = ctx;
  const { document } = input;
  const deadline = requireDeadline(document.deadline, "document.deadline");
  if (!isAddressEqual(document.owner, account.address)) {
    throw new ApiError("invalid_request", "Sign for agents of your own account.", { param: "document.owner" });
  }
  refuseRelayer(chainId, document.signers, "document.signers");
  const scope = await scopeOf(chainId);
  const data = authorityCalldata(document);
  if (!(await wouldSucceed(chainId, scope.ledger, data))) {
    const message =
      "The ledger refuses this: sign SetAgentSigner with the owner's wallet, over the agents' current policy versions. " +
      "The payment key only ends agents.";
    throw new ApiError("invalid_request", message, { param: "document.signature" });
  }
  const paymentKey = await readRecord(chainId, account.address);
  const keys = [account.address, ...(paymentKey ? [paymentKey.signer] : [])];
  const byContract = await isByContract(scope, document, keys);
  const set = async (tx: Tx, reads: readonly PolicyRead[]) => {
    const ends = document.agents.filter((_, at) => isAddressEqual(document.signers[at] ?? zeroAddress, zeroAddress));
    const named = ends.length > 0 ? await ownAgents(tx, ctx, ends) : [];
    await lockHeldOf(
      tx,
      chainId,
      named.map(({ id }) => id),
    );
    if (input.wallets.length > 0) await requireSecretVersion(tx, ctx, input.secret_version);
    const signers = await signersOf(tx, ctx, input);
    for (const one of signers) await requireNothingBefore(tx, reads, one, document);
    const changed: NewEvent[] = [];
    for (const one of signers) changed.push(...(await writeSigner(tx, scope, ctx, one, input.secret_version)));
    const call = { kind: "set_agent_signer", account: account.address, target: scope.ledger, data } as const;
    const submitted = await submitOperation(tx, { chainId, ...call, byContract, deadline });
    const now = submitted.createdAt;
    await appendEvents(tx, changed, now);
    const ended = signers.flatMap(({ id, wallet }) => (wallet === null ? [id] : []));
    const keys = await revokeAgentKeys(tx, chainId, ended, now);
    await rejectHeldOf(tx, chainId, ended, actorOf(ctx));
    await audit(tx, ctx, signers, document, keys, now);
    return submitted;
  };
  const operation = await optimisticRead(
    () => readPolicies(ctx, document),
    (reads) => db().transaction((tx) => set(tx, reads)),
  );
  broadcast(operation);
  return operation;
}

/** Reads the policies of the named agents that the service has. */
async function readPolicies(
  ctx: SessionContext,
  { agents: named }: AuthorityDocumentOf<"set_agent_signer">,
): Promise<PolicyRead[]> {
  const rootAddress = ctx.account.address;
  const own = await ownAgents(db(), ctx, named);
  return Promise.all(own.map(({ id, agent }) => readPolicy(ctx.chainId, { id, address: agent, rootAddress })));
}

function ownAgents(at: Pick<Tx, "select">, { chainId, account }: SessionContext, named: readonly Address[]) {
  return at
    .select({ id: accounts.id, agent: accounts.address, handle: accounts.handle })
    .from(accounts)
    .innerJoin(agents, eq(agents.accountId, accounts.id))
    .where(and(eq(accounts.ownerId, account.id), eq(accounts.chainId, chainId), inArray(accounts.address, [...named])))
    .orderBy(asc(accounts.id));
}

/**
 * Returns the named agents that the service has, locked, after payments under way. Agents it doesn't have were enrolled
 * by the owner without the service.
 */
async function signersOf(tx: Tx, ctx: SessionContext, input: AgentSignersInput): Promise<NewSigner[]> {
  const { agents: named, signers } = input.document;
  const own = await ownAgents(tx, ctx, named).for("update", { of: agents });
  const walletOf = new Map(input.wallets.map(({ agent, wallet }) => [agent, wallet]));
  return own.map(({ id, agent, handle }) => {
    const signer = signers[named.indexOf(agent)] ?? zeroAddress;
    const wallet = walletOf.get(agent) ?? null;
    if ((wallet === null) === isAddressEqual(signer, zeroAddress)) return { id, agent, handle, signer, wallet };
    const message = "Send the encrypted key of each new signer, and none for an agent that ends.";
    throw new ApiError("invalid_request", message, { param: "wallets" });
  });
}

/**
 * Checks that nothing else is under way that raises an agent's policy version. It would void the signature, and the
 * agent would not end.
 */
async function requireNothingBefore(
  tx: Tx,
  reads: readonly PolicyRead[],
  { id, agent }: NewSigner,
  { agents: named, policy_versions }: AuthorityDocumentOf<"set_agent_signer">,
): Promise<void> {
  const read = reads.find(({ holder }) => holder.id === id);
  // Registered in the meantime.
  if (!read) throw new ReadAgain();
  const { policyVersion } = await stillPending(tx, read);
  if (policyVersion === BigInt(policy_versions[named.indexOf(agent)] ?? 0)) return;
  throw new ApiError(
    "available_balance_changed",
    "The agent's policy is on its way to the ledger. Sign again in a few seconds.",
    {
      param: "document.policy_versions",
    },
  );
}

/** Stores an agent's new key or status. Returns the event of the change of status, if there is one. */
async function writeSigner(
  tx: Tx,
  scope: ChainScope,
  { chainId, account }: SessionContext,
  { id, agent, handle, wallet: inner }: NewSigner,
  version: number,
): Promise<NewEvent[]> {
  const isThis = eq(agents.accountId, id);
  if (inner !== null) {
    const wallet = toHex(addLayer(env().serverPepper, { scope, agent }, fromHex(inner)));
    await tx.update(agents).set({ wallet, secretVersion: version }).where(isThis);
  }
  const [status, changes] =
    inner === null
      ? (["ended", ne(agents.status, "ended")] as const)
      : (["paused", eq(agents.status, "ended")] as const);
  const changed = await tx
    .update(agents)
    .set({ status })
    .where(and(isThis, changes))
    .returning({ id: agents.accountId });
  return changed.map(() => agentEvent(chainId, `agent.${status}`, { id, handle, rootId: account.id }));
}

async function audit(
  tx: Tx,
  ctx: SessionContext,
  signers: readonly NewSigner[],
  { signature }: AuthorityDocumentOf<"set_agent_signer">,
  keys: readonly string[],
  now: Date,
): Promise<void> {
  const { chainId, account } = ctx;
  for (const { id, signer, wallet } of signers) {
    const action = wallet === null ? "agent.ended" : "agent.key_replaced";
    const entry = { rootId: account.id, chainId, actor: actorOf(ctx), action, target: id };
    const after = { signer, signature, ...(wallet === null && { keys }) };
    await appendAudit(tx, { ...entry, after }, now);
  }
}
