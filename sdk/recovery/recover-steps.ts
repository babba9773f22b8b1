import { type Address, type Hex, isAddressEqual } from "viem";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { documentCalldata } from "@/lib/chain/document-calldata";
import { planAbandon } from "@/lib/ledger/authority/plan-abandon";
import type { AvailableOpening } from "@/lib/ledger/crypto/commitments";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { type AssetHistory, spendableNotes } from "@/lib/ledger/history/account-history";
import type { SignedFund, SignedMakeAvailable, SignedRelease, SignedSpendPublic } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { completePlan, finishPlan, type Plan } from "@/lib/ledger/prepare/plan";
import { planFund } from "@/lib/ledger/prepare/plan-fund";
import { planMakeAvailable } from "@/lib/ledger/prepare/plan-make-available";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import { planSpendPublic } from "@/lib/ledger/prepare/plan-spend-public";
import { walletSigner } from "@/lib/ledger/prepare/signature";
import type { Prove } from "@/lib/ledger/prepare/witness";
import { selectNotes } from "../account/funds/select-notes";
import { HalcyonError } from "../api/errors";
import type { Chain } from "../chain/chain";
import type { Holder } from "../chain/recover-scan";
import type { Wallet } from "../chain/wallet";
import { signDraft } from "../context/sign-draft";
import type { Vault } from "../context/vault/vault";
import { sendFromWallet } from "../payments/funding/deposit";

/** What is needed to withdraw without the service. The wallet pays the gas. */
export interface Recovery {
  chain: Chain;
  scope: Scope;
  wallet: Wallet;
  vault: Vault;
  prove: Prove;
}

/** The account's available balance, into which an agent's money is moved back. Null if it can't be decrypted. */
export interface OwnerAvailableBalance {
  address: Address;
  available: AvailableOpening | null;
}

/** A dummy signature for calls that need none. */
const PLACEHOLDER: Hex = `0x${"01".repeat(64)}1b`;

/** Proves a plan and sends it from the wallet. The sender is the authority, so the ledger needs no signature. */
async function sendDirectly(
  recovery: Pick<Recovery, "chain" | "wallet" | "prove">,
  plan: Plan<SignedMakeAvailable> | Plan<SignedRelease> | Plan<SignedSpendPublic>,
): Promise<Hex> {
  const { chain, wallet, prove } = recovery;
  const proven = await prove(plan.call.circuit, plan.input);
  const document = finishPlan<SignedMakeAvailable | SignedRelease | SignedSpendPublic>(plan, proven, PLACEHOLDER);
  return sendFromWallet(chain, wallet, {
    to: chain.ledger,
    data: documentCalldata({ ...document, signature: "0x" }),
  });
}

/**
 * Proves a plan and sends it from the wallet, which only pays the gas: the payment key's signature is the authority.
 */
async function sendSigned<D extends SignedRelease | SignedFund>(
  { chain, wallet, vault, prove }: Recovery,
  plan: Plan<D>,
): Promise<Hex> {
  const document = await completePlan<D>(plan, prove, keySigner(vault.paymentKey.privateKey));
  return sendFromWallet(chain, wallet, {
    to: chain.ledger,
    // Recovery only funds the account, from its agents.
    data: documentCalldata(document, undefined, document.kind === "fund"),
  });
}

/**
 * Moves the largest notes, up to 8, and the deposited money into the available balance. Returns null when there is
 * nothing to move, or when no note has at least `least` units and so is worth the gas.
 */
export async function makeAvailableMost(
  recovery: Recovery,
  { address: account }: Holder,
  asset: Address,
  held: AssetHistory,
  least: bigint,
): Promise<Hex | null> {
  const { chain, scope, vault } = recovery;
  const { available } = held;
  if (!available) return null;
  const selection = selectNotes(spendableNotes(held), held.deposited, available.limit);
  if (!selection) return null;
  const worth = selection.deposited > 0n || selection.notes.some(({ amount }) => amount >= least);
  if (!worth) return null;
  const plan = await planMakeAvailable({
    scope,
    account,
    asset,
    available,
    notes: selection.notes,
    deposited: selection.deposited,
    newLimit: available.limit + selection.added,
    nonce: (await chain.account(account)).nonce,
    deadline: await chain.deadline(),
    payerViewingKey: vault.viewingKey.publicKey,
    secret: vault.secret,
  });
  return sendDirectly(recovery, plan);
}

/**
 * Pays out a whole available balance. Returns null when it is empty or can't be decrypted. The owner's wallet can pay
 * from a available balance under a policy without its rules. A different wallet can only send what the payment key
 * signs: it moves an agent's money to the account, which then pays it out.
 *
 * @param owner the account, if the wallet is not the account's own
 */
export async function releaseWhole(
  recovery: Recovery,
  { address: account }: Holder,
  asset: Address,
  { available }: AssetHistory,
  { to, owner }: { to: Address; owner?: OwnerAvailableBalance | undefined },
): Promise<Hex | null> {
  const { chain, scope, vault } = recovery;
  if (!available || available.limit === 0n) return null;
  const { limited, policyVersion } = await chain.account(account);
  const request = {
    scope,
    account,
    to,
    asset,
    available,
    amount: available.limit,
    policyVersion,
    deadline: await chain.deadline(),
    payerViewingKey: vault.viewingKey.publicKey,
    secret: vault.secret,
  };
  if (owner && !isAddressEqual(owner.address, account)) {
    if (!owner.available) return null;
    const back = { ...request, to: owner.address, toAvailable: owner.available, toSecret: vault.secret };
    return sendSigned(recovery, await planFund(back));
  }
  if (!limited) {
    const plan = await planRelease(request);
    return owner ? sendSigned(recovery, plan) : sendDirectly(recovery, plan);
  }
  // A policy's rules are not all on chain, so only the account's own wallet, to which they don't apply, can pay.
  if (owner) return null;
  const ofWallet = {
    terms: { mode: SPEND_MODE.wallet, day: 0n },
    policyCommitment: await chain.policyCommitmentOf(account, asset),
  };
  return sendDirectly(recovery, await planSpendPublic({ ...request, ...ofWallet }));
}

/**
 * Sets an available balance that can't be decrypted to zero. The signature names that available balance, so a different
 * one is left alone.
 */
export async function abandonLost(
  { chain, scope, wallet }: Recovery,
  { address: account, history }: Holder,
  asset: Address,
): Promise<Hex | null> {
  const [step] = planAbandon(await chain.party(account), history, await chain.deadline(), [asset]);
  if (!step) return null;
  const sign = walletSigner(wallet.address, (data) => wallet.signTypedData({ ...data, message: { ...data.message } }));
  const document = await signDraft<"abandon">(scope, step.draft, sign);
  return sendFromWallet(chain, wallet, { to: chain.ledger, data: authorityCalldata(document) });
}

/** Throws `unauthorized` when the decrypted key may not, or no longer, spend the account's available balances. */
export async function requirePaymentKeyInForce({ chain, vault }: Recovery, account: Address): Promise<void> {
  const [{ signer, until }, { timestamp }] = await Promise.all([
    chain.account(account),
    chain.client.getBlock({ blockTag: "latest" }),
  ]);
  if (isAddressEqual(signer, vault.paymentKey.address) && until > timestamp) return;
  throw new HalcyonError(
    "unauthorized",
    "This key can no longer spend the account's available balances: it was replaced or has expired. Only the account's own " +
      "wallet can withdraw.",
  );
}
