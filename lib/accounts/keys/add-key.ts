import { and, eq, ne, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { accountNetworks, accounts } from "@/db/schema/accounts";
import { agents, spendPolicies } from "@/db/schema/agents";
import { apiKeys } from "@/db/schema/keys";
import { schedules } from "@/db/schema/schedules";
import type { ApiKeyRecord } from "@/lib/accounts/keys/api-key";
import type { CreateKeyInput } from "@/lib/accounts/keys/schema";
import { requireRoom } from "@/lib/accounts/require-room";
import { secretRotated } from "@/lib/accounts/secret-version";
import { isoTime } from "@/lib/base/clock";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { needsSecret } from "@/lib/base/key-scopes";
import { appendEvents } from "@/lib/events/append-events";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { rulesForPlainKeys } from "@/lib/policy/plain-rules";
import { accessPlace, addWrapLayer, type WrapLabel, wrapPlace } from "./wrap-layer";

/** Options of a key that is the access token of a connection. */
interface TokenOptions {
  /** The address where the token is valid. */
  audience: string;
}

/**
 * Stores a key that the client created, with its event and audit entry, in the caller's transaction. Used for
 * `createKey`, and for the access token of a connection, which is a key that is valid at one address only.
 *
 * @param scope `scopeOf` the context's network
 * @throws ApiError the same as `createKey`
 */
export async function addKey(
  tx: Tx,
  ctx: SessionContext,
  scope: Scope,
  input: CreateKeyInput,
  now: Date,
  token?: TokenOptions,
): Promise<ApiKeyRecord> {
  const refuse = (param: string, message: string) => new ApiError("invalid_request", message, { param });
  if (input.prefix !== `hc_${ctx.network}_`) throw refuse("prefix", "The key's prefix is of the other network.");
  if (input.expires_at && input.expires_at <= now) throw refuse("expires_at", "The expiry lies in the past.");
  const { account, chainId } = ctx;
  const agent = account.type === "agent" ? account : null;
  // `setStrict` locks this row, so it must exist.
  await tx.insert(accountNetworks).values({ accountId: account.rootId, chainId }).onConflictDoNothing();
  // Strict mode and the secret's version are the owner's, for agents too.
  const [settings] = await tx
    .select({ strict: accountNetworks.strict, version: accountNetworks.secretVersion })
    .from(accountNetworks)
    .where(and(eq(accountNetworks.accountId, account.rootId), eq(accountNetworks.chainId, chainId)))
    .for("share");
  if (agent) await requireRunning(tx, agent.id);
  const { strict, version } = settings ?? { strict: false, version: 1 };
  if (input.secret_version !== version) {
    throw secretRotated();
  }
  const scopes = input.scopes ?? null;
  const { blind } = input;
  const pays = !strict && needsSecret(scopes);
  if (blind) {
    requireMayBeBlind(input, pays);
    await requireBlindPolicy(tx, ctx);
  }
  const wraps = pays && !blind;
  if (wraps !== Boolean(input.wrap)) {
    const rule = strict
      ? "This account requires client-signed payments: a key wraps no secret."
      : `A ${blind ? "blind key" : "key with these scopes"} wraps no secret.`;
    throw refuse("wrap", wraps ? "Send the wrapped account secret." : rule);
  }
  if (input.schedule !== undefined) await requireSchedule(tx, ctx, input.schedule);
  await requireRoom(
    tx,
    "keys",
    account.rootId,
    chainId,
    sql`select count(*)::int as count from api_keys where account_id = ${account.rootId} and chain_id = ${chainId}
      and revoked_at is null and (expires_at is null or expires_at > ${now.toISOString()})`,
  );
  const { schedule } = input;
  const ref = { scope, holder: account.address, version, schedule };
  const hash = fromHex(input.key_hash);
  const layered = (label: WrapLabel, inner: `0x${string}`) => addWrapLayer(wrapPlace(label, hash, ref), inner);
  const [row] = await tx
    .insert(apiKeys)
    .values({
      id: newId("key"),
      accountId: account.rootId,
      agentId: agent?.id ?? null,
      chainId,
      hash: input.key_hash,
      prefix: input.prefix,
      lastFour: input.last_four,
      label: input.label,
      wrap: input.wrap ? layered("wrap", input.wrap) : null,
      flagWrap: layered("flag wrap", input.flag_wrap),
      ...(blind && {
        requestKey: blind.request_key,
        accessWrap: addWrapLayer(
          accessPlace(hash, { ...ref, requestKey: fromHex(blind.request_key) }),
          blind.access_wrap,
        ),
        homeWrap: blind.home_wrap,
      }),
      secretVersion: version,
      scopes,
      allowedIps: input.allowed_ips ?? null,
      scheduleId: schedule ?? null,
      audience: token?.audience ?? null,
      createdAt: now,
      expiresAt: input.expires_at ?? null,
    })
    .onConflictDoNothing({ target: apiKeys.hash })
    .returning();
  if (!row) throw refuse("key_hash", "A key with this hash exists. Generate a fresh key.");
  const agentHandle = agent?.handle ?? null;
  const kind = blind ? ("blind" as const) : ("plain" as const);
  const after = {
    kind,
    label: row.label,
    agent: agentHandle && `@${agentHandle}`,
    prefix: row.prefix,
    last_four: row.lastFour,
    expires_at: row.expiresAt && isoTime(row.expiresAt),
    scopes: row.scopes,
    allowed_ips: row.allowedIps,
    schedule: row.scheduleId,
    ...(token && { audience: token.audience }),
  };
  const entry = {
    rootId: account.rootId,
    chainId,
    actor: actorOf(ctx),
    action: "key.created",
    target: row.id,
    after,
  };
  const event = { chainId, type: "key.created", subject: account, payload: { key_id: row.id } } as const;
  await appendEvents(tx, [event], now);
  await appendAudit(tx, entry, now);
  return { ...row, kind, agentHandle, requests: 0 };
}

/**
 * Refuses a blind key where no client could pay with it.
 *
 * @param pays whether a key of this account with these scopes pays at all
 * @throws ApiError `invalid_request` naming `blind`
 */
function requireMayBeBlind({ schedule }: CreateKeyInput, pays: boolean): void {
  const because = (reason: string) => new ApiError("invalid_request", reason, { param: "blind" });
  if (!pays) throw because("A key that signs nothing is plain: the service could read no amount with it.");
  if (schedule !== undefined) throw because("A key for one schedule is plain: the service pays its runs by itself.");
}

/**
 * Refuses a blind key whose payments are under a rule that the service decides by amounts. Keeps the policy from getting
 * such a rule until the transaction ends: a change of policy locks the agent, or the account, against this.
 *
 * @throws ApiError `invalid_policy` naming the rule
 */
async function requireBlindPolicy(tx: Tx, { account, chainId }: SessionContext): Promise<void> {
  if (account.type !== "agent") {
    await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account.id)).for("share");
  }
  const mine = and(eq(spendPolicies.holderId, account.id), eq(spendPolicies.chainId, chainId));
  const [policy] = await tx.select().from(spendPolicies).where(mine);
  const [rule] = policy ? rulesForPlainKeys(policy) : [];
  if (!rule) return;
  throw new ApiError(
    "invalid_policy",
    `This key's policy has ${rule}, which the service decides by amounts. It sees none of a blind key: create a plain key, or remove the rule.`,
    { param: rule },
  );
}

/**
 * Checks that the agent has not ended, and keeps it from ending until the transaction ends: ending an agent revokes its
 * keys, and must not miss a new one.
 */
async function requireRunning(tx: Tx, agentId: string): Promise<void> {
  const [agent] = await tx
    .select({ status: agents.status })
    .from(agents)
    .where(eq(agents.accountId, agentId))
    .for("share");
  if (agent?.status !== "ended") return;
  throw new ApiError(
    "policy_not_in_force",
    "This agent has ended for good, and an API key of it could do nothing. Create another agent.",
  );
}

/**
 * Checks that a schedule is the account's and has not ended.
 *
 * @throws ApiError `not_found` naming `schedule`
 */
async function requireSchedule(tx: Tx, { account, chainId }: SessionContext, scheduleId: string): Promise<void> {
  const [found] = await tx
    .select({ id: schedules.id })
    .from(schedules)
    .where(
      and(
        eq(schedules.id, scheduleId),
        eq(schedules.accountId, account.id),
        eq(schedules.chainId, chainId),
        ne(schedules.status, "ended"),
      ),
    );
  if (!found) throw new ApiError("not_found", "There is no such schedule.", { param: "schedule" });
}
