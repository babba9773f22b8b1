import type { Hex } from "viem";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { packWindow } from "@/lib/ledger/crypto/window";
import { DENY_ALL } from "@/lib/policy/spend-policy";
import { decryptAvailable, readView } from "../../account/funds/funds";
import { ownParty, type Party, partyOf } from "../../account/party";
import { patchOfFields } from "../../account/patch-of-fields";
import { notInForce, policyPath, type SessionPolicy, shownPolicy } from "../../account/session-policy";
import { setPolicyOf, signedRules } from "../../account/set-policy";
import { handOver, policySettled, signPolicy } from "../../account/sign-policy";
import { HalcyonError } from "../../api/errors";
import { partlyDone } from "../../api/partly-done";
import type { SpendPolicyFields } from "../../api/resources/agents";
import type { SpendPolicy } from "../../api/resources/transfers";
import { carriedIn } from "../../chain/carried-in";
import type { Context } from "../../context/context";
import { makeAvailableOnce, makeAvailableSettled } from "./make-available";

/** The account's own policy: what its keys pay without the wallet. */
export type Limits = Omit<SpendPolicy, "policy_id">;

/** The result of removing the limits. */
export interface LimitsCleared {
  /** The transaction that removed them; null when there were none, or when the service did not report it. */
  tx_hash: Hex | null;
}

async function orNone<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof HalcyonError && error.code === "not_found") return null;
    throw error;
  }
}

async function stored(context: Context): Promise<SessionPolicy | null> {
  const session = await context.session();
  return orNone(session.get<SessionPolicy>(policyPath(await ownParty(context))));
}

/**
 * Returns the limits of the account's keys, compared with the ledger, or null if it has none. Implements `limits.get`.
 *
 * @throws HalcyonError `policy_not_in_force` when the ledger has limits and the service shows none
 */
export async function getLimits(context: Context): Promise<Limits | null> {
  const [party, chain] = await Promise.all([ownParty(context), context.chain()]);
  const [shown, { limited }] = await Promise.all([orNone(shownPolicy(context, party)), chain.account(party.address)]);
  if (!shown && limited) throw notInForce();
  return shown;
}

/** Returns an agent's policy, compared with the ledger. Implements `policies.get` with the wallet. */
export async function policyOfAgent(context: Context, agent: string): Promise<SpendPolicy> {
  return shownPolicy(context, await partyOf(context, agent));
}

/**
 * Sets fields of the account's own policy, signed by the wallet. Implements `limits.set`. In a first policy, fields you
 * leave out deny. Turns the guard on. Returns once the ledger has the policy.
 */
export async function setLimits(context: Context, fields: SpendPolicyFields): Promise<Limits> {
  const [party, chain] = await Promise.all([ownParty(context), context.chain()]);
  // A first policy denies what the fields leave out: that there is none, the ledger has to say.
  const { limited } = await chain.account(party.address);
  if (limited || (await stored(context))) return setPolicyOf(context, party, fields);
  const policy = { ...DENY_ALL, ...patchOfFields(fields) };
  const signed = await signPolicy(context, party, { policy, paused: false, byWallet: true });
  const session = await context.session();
  const path = policyPath(party);
  const asked = session.call<SessionPolicy>("PATCH", path, { json: { ...fields, signed } });
  const limits = (await handOver(context, signed, asked)) ?? (await session.get<SessionPolicy>(path));
  await policySettled(context, signed);
  return signedRules(limits, policy);
}

/**
 * Removes the account's own policy, signed by the wallet, so that its keys pay without limits again. Implements
 * `limits.clear`. Then makes an empty move to the available balance to drop the amounts counted under the policy,
 * because a payment without a policy can't use an available balance that contains them.
 *
 * @throws HalcyonError with `mayHaveHappened` when it stopped after removing the limits
 */
export async function clearLimits(context: Context): Promise<LimitsCleared> {
  const [party, chain] = [await ownParty(context), await context.chain()];
  if (!(await chain.account(party.address)).limited) {
    await dropCounters(context, party);
    return { tx_hash: null };
  }
  const now = await stored(context);
  const over = now?.ledger?.policy_version;
  const document = { policy: DENY_ALL, paused: false, resolved: [], limited: false, byWallet: true, over };
  const signed = await signPolicy(context, party, document);
  const session = await context.session();
  const asked = session.call<Partial<SessionPolicy> | null>("DELETE", policyPath(party), { json: { signed } });
  const ended = await handOver(context, signed, asked);
  await policySettled(context, signed);
  try {
    await dropCounters(context, party);
  } catch (error) {
    throw partlyDone(error, "The limits are removed. What was counted under them is still there: repeat this.");
  }
  return { tx_hash: await carriedIn(chain, authorityCalldata(signed.document), ended?.operation?.tx_hash) };
}

/** Drops the amounts that the account's available balances have counted under its policy. */
async function dropCounters(context: Context, party: Party): Promise<void> {
  const [{ assets }, scope] = await Promise.all([context.info(), context.scope()]);
  for (const asset of assets) {
    const view = await readView(context, party, asset);
    if (packWindow(decryptAvailable(scope, party, asset.address, view).window) === 0n) continue;
    const madeAvailable = await makeAvailableOnce(context, party, asset, ({ available: { limit } }) => {
      return { notes: [], deposited: 0n, added: 0n, newLimit: limit, leavesPolicy: true };
    });
    if (madeAvailable) await makeAvailableSettled(context, madeAvailable);
  }
}
