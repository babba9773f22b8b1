import { type Address, type Hex, isAddressEqual } from "viem";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { hasSignerAt } from "@/lib/ledger/authority/ledger-record";
import { planRotation, type RotatingParty } from "@/lib/ledger/authority/plan-rotation";
import { toHex } from "@/lib/ledger/crypto/bytes";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { type AgentKeys, newAgentKeys, newSignerOf, replaceSigners } from "../../account/agent-signers";
import { listAgents } from "../../account/agents";
import { listKeys } from "../../account/keys";
import type { OwnAccount } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import type { Operation } from "../../api/resources/transfers";
import { toHalcyonError } from "../../api/to-halcyon-error";
import {
  findAgents,
  findEncryptedAccountKey,
  findPaymentKeys,
  type Holder,
  readOn,
  unread,
} from "../../chain/recover-scan";
import type { Context } from "../../context/context";
import { ledgerKey } from "../../context/pins";
import { type Carried, relayOrSend } from "../../context/relay-or-send";
import { signDraft } from "../../context/sign-draft";
import {
  decryptOwnAccountKey,
  lastVersionOf,
  needsRecoveryCode,
  paymentKeyUntilFrom,
  type Vault,
  vaultOf,
} from "../../context/vault/vault";
import { encryptAgain, encryptPayoutsAgain } from "./encrypt-again";
import { type AvailableName, type AvailableToResalt, type Rotating, resaltHolder } from "./resalt";

/** The result of a rotation. */
export interface RotatedAccountSecret {
  /** The new version of the account secret. */
  secret_version: number;
  /** The transaction that replaced the payment key; null when the service did not report it. */
  tx_hash: Hex | null;
  /** Who sent that transaction: the service, or the wallet because the service did not. */
  by: "service" | "wallet";
  /** Number of API keys of the account and its agents that were revoked: create new ones. */
  keys_ended: number;
  /** Number of agents that sign with a new key. */
  agents_rekeyed: number;
  /** Number of available balances of the account and its agents that have a new salt. */
  available_balances: number;
  /** Number of payments awaiting approval that were encrypted again. */
  held: number;
  /** Available balances that can't be decrypted. `security.abandonBalance` gives them up. */
  lost?: AvailableName[];
  /**
   * Payments awaiting approval that can't be decrypted, so no one can approve them. `approvals.reject` rejects them.
   */
  held_unreadable?: string[];
  /** Number of schedules that were encrypted again; not set when there are none. */
  schedules?: number;
  /** Schedules that can't be decrypted: end them, and create new ones. */
  schedules_unreadable?: string[];
  /** Agents of yours on the ledger that the service did not list. The wallet renewed the salts of their balances. */
  agents_left_out?: Address[];
  /** What failed while everything else continued. Run the rotation again to retry. */
  unfinished?: { what: string; reason: string }[];
}

const TRIES = 5;

/** Everything a rotation needs, read and checked before anything is revoked. */
interface Prepared {
  scope: Scope;
  rotating: Rotating;
  holders: Holder[];
  /** The service's id of each agent; null when the service does not respond. */
  agents: Map<string, string> | null;
  keys: number;
  /** The service's view of the account; null when the service does not respond. */
  account: OwnAccount | null;
  /** Every payment key that the ledger has had for the account. */
  paymentKeys: readonly Address[];
}

/**
 * Reads the account's keys and agents from the chain, and decrypts all available balances. Works without the service.
 */
async function prepare(context: Context, code?: string): Promise<Prepared> {
  const [scope, chain] = await Promise.all([context.scope(), context.chain()]);
  const { address } = context.wallet;
  const record = await chain.account(address);
  const from = record.enrolledBlock;
  const encrypted = await findEncryptedAccountKey(chain, address, from);
  const recoveryCode = code ?? context.recoveryCode;
  if (recoveryCode === undefined && (await context.isContract())) throw needsRecoveryCode();
  const accountKey = await decryptOwnAccountKey(context.wallet, scope, encrypted, recoveryCode);
  const [account, listed, keys] = await Promise.all([
    context.account().catch(() => null),
    listAgents(context).catch(() => null),
    listKeys(context).catch(() => null),
  ]);
  const paymentKeys = await findPaymentKeys(chain, address, from);
  const used = lastVersionOf(accountKey, scope, paymentKeys);
  const seen = await context.pins.secretVersionSeen(ledgerKey(scope), address);
  const last = Math.max(account?.secret_version ?? 0, used, seen);
  const vaults = new Map<number, Vault>();
  const versions = (version: number) => {
    const vault = vaults.get(version) ?? vaultOf(accountKey, scope, version);
    vaults.set(version, vault);
    return vault;
  };
  const next = versions(last + 1);
  if (toHex(next.viewingKey.publicKey) !== record.viewingKey.toLowerCase()) {
    throw new HalcyonError(
      "internal",
      "The encrypted account key has another viewing key than the ledger's. Ask for help.",
    );
  }
  const addresses = [address, ...(await findAgents(chain, address, from))].map(lowerCase);
  const holders = addresses.map((each) => unread(each, from));
  await Promise.all([
    ...holders.map((holder) => readOn(chain, scope, next.viewingKey.secret, holder)),
    context.prover(),
    // What is needed after the payment key is replaced.
    context.info(),
  ]);
  return {
    scope,
    rotating: { scope, versions, next },
    holders,
    agents: listed && new Map(listed.agents.map(({ public_key, account_id }) => [lowerCase(public_key), account_id])),
    keys: keys?.keys.filter(({ revoked_at }) => revoked_at === null).length ?? 0,
    account,
    paymentKeys,
  };
}

interface Rotation {
  secret_version: number;
  keys_ended: number;
  operation: Operation | null;
}

/** Returns the owner and its agents in the chain's current state, each with its holdings. */
async function partiesNow(context: Context, holders: readonly Holder[]): Promise<[RotatingParty, RotatingParty[]]> {
  const chain = await context.chain();
  const parties = await Promise.all(
    holders.map(async ({ address, history }) => ({ address, history, record: await chain.account(address) })),
  );
  const [owner, ...agents] = parties;
  if (!owner) throw new RangeError("a rotation has an owner");
  return [owner, agents];
}

/**
 * Makes the next payment key the only one, through the service or with the wallet. Until this succeeds, nothing is
 * revoked.
 */
async function replacePaymentKey(context: Context, { scope, rotating, holders }: Prepared, keys: AgentKeys) {
  const [session, chain] = await Promise.all([context.session(), context.chain()]);
  const account = lowerCase(context.wallet.address);
  let taken: Rotation | null = null;
  for (let attempt = 1; ; attempt++) {
    const { next } = rotating;
    const [owner, agents] = await partiesNow(context, holders);
    const plan = planRotation(owner, agents, {
      paymentKey: next.paymentKey.address,
      paymentKeyUntil: paymentKeyUntilFrom(),
      signerOf: (agent) => newSignerOf(keys, agent),
      now: await chain.now(),
      deadline: await chain.deadline(),
    });
    const document = await signDraft<"set_payment_key">(scope, plan.setPaymentKey, context.signer());
    const post = async () => {
      taken = await session.post<Rotation>("/api/account-secret", { secret_version: next.secretVersion, document });
      if (taken.operation) return taken.operation;
      throw new HalcyonError("unavailable", "The service did not send the new payment key.");
    };
    const { nonce } = owner.record;
    const isDone = async () => isAddressEqual((await chain.account(account)).signer, next.paymentKey.address);
    try {
      const carried = await relayOrSend(context, {
        what: "The new payment key",
        data: authorityCalldata(document),
        deadline: document.deadline,
        relay: post,
        isDone,
        isVoid: async () => (await chain.account(account)).nonce !== nonce && !(await isDone()),
      });
      // Notify the service of a payment key that the wallet registered: it then revokes API keys and accepts what is
      // encrypted again.
      if (!taken) await post().catch(() => {});
      return { carried, taken: taken as Rotation | null, agents };
    } catch (error) {
      const moved = (await chain.account(account)).nonce !== nonce;
      if (!moved || attempt === TRIES) throw error;
      // The service may have used this version already, so try with the next one.
      rotating.next = rotating.versions(next.secretVersion + 1);
    }
  }
}

/** Gives every agent that has not ended a new key. Returns how many, or what failed. */
async function replaceAgentKeys(
  context: Context,
  next: Vault,
  agents: readonly RotatingParty[],
  keys: AgentKeys,
  cooperates: boolean,
): Promise<{ rekeyed: number; unfinished: NonNullable<RotatedAccountSecret["unfinished"]> }> {
  const chain = await context.chain();
  const now = await chain.now();
  const active = agents.filter(({ record }) => hasSignerAt(record, now));
  if (active.length === 0) return { rekeyed: 0, unfinished: [] };
  try {
    await replaceSigners(context, next, active, keys, cooperates);
    return { rekeyed: active.length, unfinished: [] };
  } catch (error) {
    return { rekeyed: 0, unfinished: [{ what: "new keys of your agents", reason: toHalcyonError(error).message }] };
  }
}

/** Renews the salt of every available balance, all holders in parallel. */
async function resaltAll(context: Context, prepared: Prepared, cooperates: boolean, result: RotatedAccountSecret) {
  const { holders, agents, rotating } = prepared;
  const [own] = holders;
  const queryOf = (holder: Holder): AvailableToResalt["query"] => {
    if (!cooperates) return null;
    if (holder === own) return {};
    const id = agents?.get(holder.address);
    return id === undefined ? null : { agent: id };
  };
  const all = await Promise.all(holders.map((holder) => resaltHolder(context, rotating, holder, queryOf(holder))));
  result.available_balances = all.reduce((sum, { renewed }) => sum + renewed, 0);
  const lost = all.flatMap((one) => one.lost);
  if (lost.length > 0) result.lost = lost;
  return all.flatMap(({ unfinished }) => unfinished);
}

/**
 * Replaces the account secret, after an attacker may have taken over a server with your keys: someone who learned the
 * old secret can't sign payments or decrypt available balances any more. First reads everything from the chain. Then
 * makes the new payment key the only one, through the service or, if it does not send it, with the wallet's own
 * transaction. This revokes every API key of the account and its agents. Then gives every agent a new key and every
 * available balance a new salt, in parallel, and encrypts payments awaiting approval again, page by page. What can't be
 * decrypted is listed in the result and stops nothing. After an interruption, run it again. Other clients of the
 * account must unlock again afterwards. Needs the wallet.
 *
 * @param onStep called after each of its steps: reading, the new payment key, keys and balances
 * @param recoveryCode decrypts the account's key instead of the wallet; a contract wallet needs it
 * @example
 * await halcyon.security.rotateAccountSecret();
 * // { secret_version: 2, tx_hash: "0x…", by: "service", keys_ended: 3, agents_rekeyed: 1, available balances: 2, held:
 * 0 }
 * @throws HalcyonError `unavailable` when the service does not send the new payment key and the wallet can't pay for
 * gas. Nothing has changed then, except that the API keys are revoked if the service accepted the request
 */
export async function rotateAccountSecret(
  context: Context,
  onStep?: (done: number) => void,
  recoveryCode?: string,
): Promise<RotatedAccountSecret> {
  const prepared = await prepare(context, recoveryCode);
  onStep?.(1);
  const keys = newAgentKeys(prepared.holders.slice(1).map(({ address }) => address));
  const { carried, taken, agents } = await replacePaymentKey(context, prepared, keys);
  onStep?.(2);
  const { next } = prepared.rotating;
  context.keepVault({ ...next, replaced: prepared.paymentKeys });
  await context.pins.checkSecretVersion(ledgerKey(prepared.scope), context.wallet.address, next.secretVersion);
  const result: RotatedAccountSecret = {
    secret_version: next.secretVersion,
    tx_hash: carried.tx_hash,
    by: carried.by satisfies Carried["by"],
    keys_ended: taken ? Math.max(taken.keys_ended, prepared.keys) : 0,
    agents_rekeyed: 0,
    available_balances: 0,
    held: 0,
  };
  const [{ rekeyed, unfinished }, unsalted] = await Promise.all([
    replaceAgentKeys(context, next, agents, keys, taken !== null),
    resaltAll(context, prepared, taken !== null, result),
  ]);
  onStep?.(3);
  result.agents_rekeyed = rekeyed;
  unfinished.push(...unsalted);
  const leftOut = prepared.holders.slice(1).filter(({ address }) => !prepared.agents?.has(address));
  if (prepared.agents && leftOut.length > 0) result.agents_left_out = leftOut.map(({ address }) => address);
  if (taken) {
    try {
      const { held, heldUnread, schedules, schedulesUnread } = await encryptAgain(context, prepared.rotating);
      result.held = held;
      if (schedules > 0) result.schedules = schedules;
      if (schedulesUnread.length > 0) result.schedules_unreadable = schedulesUnread;
      if (heldUnread.length > 0) result.held_unreadable = heldUnread;
    } catch (error) {
      unfinished.push({ what: "payments awaiting approval", reason: toHalcyonError(error).message });
    }
    try {
      await encryptPayoutsAgain(context, prepared.rotating);
    } catch (error) {
      unfinished.push({ what: "payouts", reason: toHalcyonError(error).message });
    }
  } else {
    const reason =
      "The service did not take part: its API keys can't pay, and it lacks the new keys of your agents. Run this again.";
    unfinished.push({ what: "API keys, keys of agents and payments awaiting approval", reason });
  }
  if (unfinished.length > 0) result.unfinished = unfinished;
  return result;
}
