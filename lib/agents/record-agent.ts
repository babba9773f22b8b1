import { and, eq, sql } from "drizzle-orm";
import { type Address, encodeFunctionData, type Hex } from "viem";
import { db, type Tx } from "@/db/client";
import { accounts, ledgerAccounts } from "@/db/schema/accounts";
import { agents, spendPolicies } from "@/db/schema/agents";
import { requireRoom } from "@/lib/accounts/require-room";
import { requireSecretVersion } from "@/lib/accounts/secret-version";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { broadcast } from "@/lib/chain/broadcast";
import { submitOperation } from "@/lib/chain/operations/submit-operation";
import { type RegistryRecord, readRecord } from "@/lib/chain/registry";
import { scopeOf } from "@/lib/chain/scope-of";
import { appendEvents } from "@/lib/events/append-events";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { NO_END } from "@/lib/ledger/authority/authority-limits";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { DENY_ALL, toSpendPolicyResource } from "@/lib/policy/spend-policy";
import type { SigningOfPolicy } from "./accept-policy";
import { agentEvent } from "./agent-event";
import type { AgentView } from "./agent-resource";
import { auditOf } from "./audit-of";
import { rowOfPolicy, rowOfSetting } from "./policy-row";
import type { NewAgent } from "./schema";
import { submitPolicy } from "./submit-policy";
import { addLayer } from "./wallet-layer";

/**
 * An agent's wallet, and the ledger's `EnrollAgent` signed by the agent and by the owner's wallet or payment key.
 */
export interface Registration {
  /** Lower case. */
  address: Address;
  /** Its private key, encrypted by `encryptAgentWallet`. */
  wallet: Hex;
  /** Unix seconds. */
  deadline: bigint;
  ownerSignature: Hex;
  agentSignature: Hex;
  /** Version of the account secret from which the agent's secret is derived. */
  secretVersion: number;
  first: FirstPolicy;
}

/** An agent's first policy, version 1. */
export interface FirstPolicy extends Omit<SigningOfPolicy, "document"> {
  /**
   * Signed by the owner over version 0. Null if it waits for the wallet of a guarded owner; until then the agent can't
   * pay.
   */
  document: AuthorityDocumentOf<"set_policy"> | null;
}

/** Returns the ledger call that enrolls an agent. */
export function enrollAgentCall(owner: Address, registration: Omit<Registration, "first">): Hex {
  const { address, deadline, ownerSignature, agentSignature } = registration;
  const args = [address, owner, deadline, ownerSignature, agentSignature] as const;
  return encodeFunctionData({ abi: ledgerAbi, functionName: "enrollAgent", args });
}

/**
 * Returns the ledger record of an owner who wants to create an agent.
 *
 * @throws ApiError `invalid_request` before the owner is enrolled
 */
export async function ownerRecord({ chainId, account }: Context): Promise<RegistryRecord> {
  const record = await readRecord(chainId, account.address);
  if (record) return record;
  throw new ApiError("invalid_request", "Enroll your account on this network first: agents belong to enrolled owners.");
}

/**
 * Stores an agent with its policy, and relays its enrollment and then, through the same relayer, its `setPolicy`, all
 * in one transaction. Until both are final, the agent counts as enrolled for payments that follow them.
 *
 * @throws ApiError `handle_taken`, `invalid_request` if the wallet is in use or the account has too many agents,
 *   `available_balance_changed` if the account secret has been rotated in the meantime, `rate_limited`
 */
export async function recordAgent(
  ctx: Context,
  { name, spend_policy: policy = DENY_ALL, ...said }: NewAgent,
  owner: RegistryRecord,
  registration: Registration,
  beforeCommit: BeforeCommit<AgentView>,
): Promise<AgentView> {
  const { chainId, account } = ctx;
  const scope = await scopeOf(chainId);
  const { address, secretVersion } = registration;
  const view: AgentView = {
    id: newId("account"),
    handle: `${account.handle}/${name}`,
    address,
    status: "active",
    policyId: newId("policy"),
    ...said,
  };
  const wallet = toHex(addLayer(env().serverPepper, { scope, agent: address }, fromHex(registration.wallet)));
  const operations = await db().transaction(async (tx) => {
    const now = new Date();
    await requireSecretVersion(tx, ctx, secretVersion);
    await requireRoom(
      tx,
      "agents",
      account.id,
      chainId,
      // An agent whose enrollment failed has no ledger record and does not count.
      sql`select count(*)::int as count
        from accounts a join ledger_accounts l on l.chain_id = a.chain_id and l.address = a.address
        where a.owner_id = ${account.id} and a.chain_id = ${chainId}`,
    );
    await insertAccount(tx, ctx, view, owner, now);
    await tx
      .insert(agents)
      .values({ ...said, accountId: view.id, chainId, status: view.status, wallet, secretVersion });
    const { setting, document, byContract } = registration.first;
    await tx.insert(spendPolicies).values({
      id: view.policyId,
      holderId: view.id,
      chainId,
      ...rowOfPolicy(policy),
      ...rowOfSetting({ ...setting, setBy: null }),
      updatedAt: now,
    });
    const enrollment = await submitOperation(tx, {
      chainId,
      kind: "enroll_agent",
      account: address,
      quotaOf: account.address,
      after: owner.pending ? account.address : undefined,
      target: scope.ledger,
      data: enrollAgentCall(account.address, registration),
      deadline: new Date(Number(registration.deadline) * 1000),
    });
    const holder = { id: view.id, address, rootAddress: account.address };
    const row = { policyId: view.policyId, policy };
    const setPolicy =
      document && (await submitPolicy(tx, scope, holder, row, { document, setting, byContract }, [enrollment.id]));
    const after = {
      handle: `@${view.handle}`,
      public_key: address,
      ...toSpendPolicyResource(policy),
      set_policy: document && auditOf(document),
    };
    await appendEvents(tx, [agentEvent(chainId, "agent.created", { ...view, rootId: account.id })], now);
    await appendAudit(
      tx,
      { rootId: account.id, chainId, actor: actorOf(ctx), action: "agent.created", target: view.id, after },
      now,
    );
    await beforeCommit(tx, view);
    return setPolicy ? [enrollment, setPolicy] : [enrollment];
  });
  for (const operation of operations) broadcast(operation);
  return view;
}

/**
 * Stores the account and a preliminary ledger record until the chain confirms it. An agent receives with its owner's
 * viewing key.
 */
async function insertAccount(
  tx: Tx,
  { chainId, account: owner }: Context,
  { id, handle, address }: AgentView,
  { viewingKey }: RegistryRecord,
  now: Date,
): Promise<void> {
  const [created] = await tx
    .insert(accounts)
    .values({ id, handle, address, type: "agent", ownerId: owner.id, chainId, createdAt: now })
    .onConflictDoNothing()
    .returning({ id: accounts.id });
  if (!created) {
    const [taken] = await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.handle, handle), eq(accounts.chainId, chainId)));
    if (!taken) throw walletInUse();
    throw new ApiError("handle_taken", "You have an agent with this name. Choose another one.", { param: "name" });
  }
  const [record] = await tx
    .insert(ledgerAccounts)
    .values({
      chainId,
      address,
      viewingKey,
      signer: address,
      until: NO_END,
      owner: owner.address,
      limited: true,
    })
    .onConflictDoNothing()
    .returning({ address: ledgerAccounts.address });
  if (!record) throw walletInUse();
}

function walletInUse(): ApiError {
  return new ApiError("invalid_request", "This wallet has an account. Generate a fresh one for the agent.", {
    param: "registration.address",
  });
}
