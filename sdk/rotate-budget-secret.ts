import { type Address, type Hex, isAddressEqual } from "viem";
import { openAgentWallet, sealAgentWallet } from "@/lib/ledger/agent-wallet";
import { openBudgetState, sealBudgetState } from "@/lib/ledger/budget-state";
import { fromHex, toHex } from "@/lib/ledger/bytes";
import { signRequestOf } from "@/lib/ledger/enrollment";
import { UnsealFailed } from "@/lib/ledger/errors";
import { hexToWord } from "@/lib/ledger/field";
import { openHeld, sealHeld } from "@/lib/ledger/held";
import { deriveAgentSecret, deriveHeldKey } from "@/lib/ledger/keys";
import { lowerCase } from "@/lib/ledger/next-state";
import type { Scope } from "@/lib/ledger/scope";
import { allocateOnce, allocationSettled } from "./allocate";
import type { Operation, SealedUnderSecret } from "./api-types";
import type { Context } from "./context";
import { ApiCallError, HalcyonError } from "./errors";
import { readView } from "./funds";
import { listKeys, revokeKey } from "./keys";
import type { Asset } from "./network-info";
import { confirmed, poll } from "./operation";
import { partyAt } from "./party";
import { SPENDER_UNTIL, unlock, type Vault } from "./vault";

/** What a rotation did. */
export interface RotatedBudgetSecret {
  /** Version of the budget secret from now on. */
  secret_version: number;
  /** The transaction that made the new spender the only one. */
  tx_hash: Hex;
  /** API keys of the account and its agents that have ended: make new ones. */
  keys_ended: number;
  /** Budgets of the account and its agents that have a fresh salt. */
  budgets: number;
  /** Held payments that were sealed anew. */
  held: number;
}

const TRIES = 5;

/** One side of a rotation: the secret of the account, or of one of its agents. */
function secretsOf(context: Context, scope: Scope, { secret }: Vault): (address: Address) => Uint8Array {
  const isOwn = (address: Address) => isAddressEqual(address, context.wallet.address);
  return (address) => (isOwn(address) ? secret : deriveAgentSecret(secret, address, scope));
}

/** All that is sealed under the secret, once nothing of the account is under way any more. */
async function settledState(context: Context): Promise<SealedUnderSecret> {
  const session = await context.session();
  return poll("What the account has under way", async () => {
    const sealed = await session.get<SealedUnderSecret>("/api/budget-secret");
    return sealed.pending === 0 ? sealed : undefined;
  });
}

async function assetAt(context: Context, address: Address): Promise<Asset> {
  const { assets } = await context.info();
  const asset = assets.find((candidate) => isAddressEqual(candidate.address, address));
  if (asset) return asset;
  throw new HalcyonError("unavailable", `The service does not describe the asset ${address}.`);
}

/** What the owner changed alone has no state yet, or one of an earlier secret. */
async function completeState(context: Context): Promise<SealedUnderSecret> {
  const sealed = await settledState(context);
  for (const { account, asset } of sealed.budgets) {
    await readView(context, await partyAt(context, account), await assetAt(context, asset));
  }
  return settledState(context);
}

/** Everything of `state` under the next secret. A held payment that does not open stays as it is, named with null. */
async function sealAnew(context: Context, scope: Scope, state: SealedUnderSecret, old: Vault, next: Vault) {
  const [before, after] = [secretsOf(context, scope, old), secretsOf(context, scope, next)];
  const budgets = state.budgets.map(({ account, asset, word, sealed }) => {
    if (sealed === null) throw new HalcyonError("reseal_required", "A budget was changed meanwhile. Try again.");
    const place = { scope, account, asset, commitment: hexToWord(word) };
    const fresh = sealBudgetState(after(account), place, openBudgetState(before(account), place, fromHex(sealed)));
    return { account, asset, word, sealed: toHex(fresh.sealed), flag: toHex(fresh.flag) };
  });
  const agents = state.agents.map(({ account_id, public_key, wallet }) => {
    const place = { scope, agent: lowerCase(public_key) };
    const key = openAgentWallet(before(place.agent), place, fromHex(wallet));
    return { account_id, wallet: toHex(sealAgentWallet(after(place.agent), place, key)) };
  });
  const [heldBefore, heldAfter] = [deriveHeldKey(old.secret, scope), deriveHeldKey(next.secret, scope)];
  const held = await Promise.all(
    state.held.map(async ({ transaction_id, agent, asset, sealed }) => {
      const place = { id: transaction_id, agent, asset };
      try {
        const text = await openHeld(heldBefore.secret, before(agent), scope, place, fromHex(sealed));
        return { transaction_id, sealed: toHex(await sealHeld(heldAfter.publicKey, after(agent), scope, text)) };
      } catch (error) {
        if (error instanceof UnsealFailed) return { transaction_id, sealed: null };
        throw error;
      }
    }),
  );
  return { secret_version: next.secretVersion, budgets, agents, held };
}

/** The keys that follow from the next version of the secret. One more signature of the wallet. */
async function nextVault(context: Context, scope: Scope, version: number): Promise<Vault> {
  const [{ sealed_root }, chain] = await Promise.all([context.account(), context.chain()]);
  const registered = await chain.viewingKey(context.wallet.address);
  if (sealed_root && registered) return unlock(context.wallet, scope, sealed_root, registered, version);
  throw new HalcyonError("not_found", `This wallet is not enrolled on the ${context.network} network. Run signup.`);
}

/** Hands in what is sealed anew with the new spender, until nothing has come in between. */
async function exchange(context: Context, scope: Scope, old: Vault, next: Vault) {
  const [session, chain] = await Promise.all([context.session(), context.chain()]);
  const account = lowerCase(context.wallet.address);
  for (let attempt = 1; ; attempt++) {
    const sealed = await sealAnew(context, scope, await completeState(context), old, next);
    const [{ nonce }, deadline] = await Promise.all([chain.account(account), chain.deadline()]);
    const spender = lowerCase(next.spender.address);
    const message = { account, spender, spenderUntil: SPENDER_UNTIL, nonce, deadline };
    const body = {
      ...sealed,
      spender,
      spender_until: SPENDER_UNTIL.toString(),
      deadline: deadline.toString(),
      signature: await context.signer()(signRequestOf(scope, "SetSpender", message)),
    };
    try {
      return { sealed, operation: await session.post<Operation>("/api/budget-secret", body) };
    } catch (error) {
      const outdated = error instanceof ApiCallError && error.code === "budget_changed";
      if (!outdated || attempt === TRIES) throw error;
    }
  }
}

/**
 * Replaces the budget secret, after a server that served your keys may have been taken over: whoever learnt the old one can
 * no longer sign payments or open budgets. Ends every API key of the account and its agents first, waits for what is under
 * way, makes the new spender the only one on the ledger, seals everything anew, and gives each budget a fresh salt. Run it
 * again after an interruption. Other clients of the account unlock again afterwards. Needs the wallet.
 *
 * @example
 * await halcyon.rotateBudgetSecret();
 * // { secret_version: 2, tx_hash: "0x…", keys_ended: 3, budgets: 2, held: 0 }
 * @throws HalcyonError `unavailable` when the new spender did not settle: run it again
 */
export async function rotateBudgetSecret(context: Context): Promise<RotatedBudgetSecret> {
  const [scope, old, { keys }] = await Promise.all([context.scope(), context.vault(), listKeys(context)]);
  const active = keys.filter(({ revoked_at }) => revoked_at === null);
  for (const { key_id } of active) await revokeKey(context, key_id);
  const next = await nextVault(context, scope, old.secretVersion + 1);
  const { sealed, operation } = await exchange(context, scope, old, next);
  context.keepVault(next);
  const { tx_hash } = await confirmed(context, operation, "The new spender");
  for (const { account, asset: address } of sealed.budgets) {
    const [party, asset] = await Promise.all([partyAt(context, account), assetAt(context, address)]);
    const allocated = await allocateOnce(context, party, asset, ({ budget }) => {
      return { notes: [], credit: 0n, added: 0n, newLimit: budget.limit };
    });
    if (allocated) await allocationSettled(context, allocated);
  }
  return {
    secret_version: next.secretVersion,
    tx_hash,
    keys_ended: active.length,
    budgets: sealed.budgets.length,
    held: sealed.held.filter((one) => one.sealed !== null).length,
  };
}
