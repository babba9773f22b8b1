import type { Hex } from "viem";
import { packWindow } from "@/lib/ledger/crypto/window";
import { applyPatch, DENY_ALL } from "@/lib/policy/spend-policy";
import { ownParty } from "../account/party";
import { patchOfFields } from "../account/patch-of-fields";
import { policyPath, type SessionPolicy } from "../account/session-policy";
import { setPolicyOf } from "../account/set-policy";
import { policySettled, signPolicy } from "../account/sign-policy";
import { HalcyonError } from "../api/errors";
import type { SpendPolicy, SpendPolicyFields } from "../api/resources/agents";
import type { Context } from "../context/context";
import { openBudget, readView } from "../funds/funds";
import { allocateOnce, allocationSettled } from "./allocate";

/** The account's own policy as it is read: what its keys pay without the wallet. */
export type Limits = Omit<SpendPolicy, "policy_id">;

/** What was done to remove the limits. */
export interface LimitsCleared {
  /** The transaction that ended them; null when they had ended, or the service did not name it. */
  tx_hash: Hex | null;
}

async function stored(context: Context): Promise<SessionPolicy | null> {
  try {
    const session = await context.session();
    return await session.get<SessionPolicy>(policyPath(await ownParty(context)));
  } catch (error) {
    if (error instanceof HalcyonError && error.code === "not_found") return null;
    throw error;
  }
}

/** What the account's keys may pay without its wallet; null without such limits. What `limits.get` does. */
export async function getLimits(context: Context): Promise<Limits | null> {
  return stored(context);
}

/**
 * Sets fields of the account's own policy, signed by the wallet: what `limits.set` does. What a first one leaves out denies.
 * It turns the guard on. Returns once the ledger has it.
 */
export async function setLimits(context: Context, fields: SpendPolicyFields): Promise<Limits> {
  const party = await ownParty(context);
  if (await stored(context)) return setPolicyOf(context, party, fields);
  const policy = applyPatch(DENY_ALL, patchOfFields(fields));
  const signed = await signPolicy(context, party, { policy, paused: false, byWallet: true });
  const session = await context.session();
  const limits = await session.call<SessionPolicy>("PATCH", policyPath(party), { json: { ...fields, signed } });
  await policySettled(context, signed);
  return limits;
}

/**
 * Removes the account's own policy, signed by the wallet: what `limits.clear` does. Its keys pay without one again. What was
 * counted under it is dropped by an allocation of nothing, because a payment without a policy opens no such budget.
 */
export async function clearLimits(context: Context): Promise<LimitsCleared> {
  const [party, chain] = [await ownParty(context), await context.chain()];
  let tx_hash: Hex | null = null;
  if ((await chain.account(party.address)).ruled) {
    const now = await stored(context);
    const over = now?.ledger?.policy_version;
    const document = { policy: DENY_ALL, paused: false, resolved: [], ruled: false, byWallet: true, over };
    const signed = await signPolicy(context, party, document);
    const session = await context.session();
    const path = policyPath(party);
    const ended = await session.call<Partial<SessionPolicy> | null>("DELETE", path, { json: { signed } });
    tx_hash = ended?.operation?.tx_hash ?? null;
    await policySettled(context, signed);
  }
  const { assets } = await context.info();
  const scope = await context.scope();
  for (const asset of assets) {
    const view = await readView(context, party, asset);
    if (packWindow(openBudget(scope, party, asset.address, view).window) === 0n) continue;
    const allocated = await allocateOnce(context, party, asset, ({ budget: { limit } }) => {
      return { notes: [], credit: 0n, added: 0n, newLimit: limit, leavesPolicy: true };
    });
    if (allocated) await allocationSettled(context, allocated);
  }
  return { tx_hash };
}
