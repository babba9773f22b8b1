import { eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { spendPolicies } from "@/db/schema/agents";
import { documentOf } from "@/lib/agents/policy-in-force";
import { policyOfRow, settingOfRow } from "@/lib/agents/policy-row";
import { treeOf } from "@/lib/agents/tree-of";
import { assetBySymbol } from "@/lib/base/assets";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { publicClient } from "@/lib/chain/clients";
import { documentCalldata } from "@/lib/chain/document-calldata";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import type { AvailableOpening } from "@/lib/ledger/crypto/commitments";
import { commitmentToHex, hexToCommitment } from "@/lib/ledger/crypto/field";
import { encryptTo, HPKE_OVERHEAD } from "@/lib/ledger/crypto/hpke";
import { NO_LIMIT, type PolicyOpening, policyCommitment } from "@/lib/ledger/crypto/policy-commitment";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { SPEND_MODE, type SpendMode } from "@/lib/ledger/crypto/terms";
import { decryptAvailableState } from "@/lib/ledger/encrypted/available-state";
import { PAYER_COPY_LENGTH } from "@/lib/ledger/encrypted/payer-copy";
import { dayWindow } from "@/lib/ledger/policy/day-window";
import { policyCommitmentSalt } from "@/lib/ledger/policy/policy-salts";
import { NO_RECIPIENT_PROOF, type RecipientProof } from "@/lib/ledger/policy/recipients-tree";
import type { SignedPayment, SignedSpend, SignedSpendPublic } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { completePlan, makePlan, type Plan } from "@/lib/ledger/prepare/plan";
import { planFund } from "@/lib/ledger/prepare/plan-fund";
import { planMakeAvailable } from "@/lib/ledger/prepare/plan-make-available";
import { planSpend } from "@/lib/ledger/prepare/plan-spend";
import { planSpendPublic } from "@/lib/ledger/prepare/plan-spend-public";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import type { Prove } from "@/lib/ledger/prepare/witness";
import { processProver } from "@/lib/prover/process-prover";
import { Agent } from "@/test/accounts/agent";
import type { Owner } from "@/test/accounts/owner";

/** Whom an attacker pays. `viewingKey` is X from the ledger. */
export interface Payee {
  address: Address;
  viewingKey: Uint8Array;
}

/** How an attacker pays from an available balance under a policy. */
export interface LimitedPayment {
  to: Payee;
  amount: bigint;
  mode: SpendMode;
  /** The day it claims; today if left out. */
  day?: bigint;
  /** Whether to pay this address in public instead of creating a note. */
  isPublic?: boolean;
  /** The X that the payer's copy is encrypted for. With another than the owner's, the owner can't decrypt the copy. */
  copyFor?: Uint8Array;
}

const prove: Prove = async (circuit, input) => (await processProver()).prove(circuit, input);
const DAY = 86_400n;

/**
 * An available balance in an attacker's hands, with its secret, its newest opening and everything that the service's
 * rows contain about its policy. Payments are created with the ledger library only, so the service has no chance to
 * refuse them.
 */
export class StolenAvailableBalance {
  private constructor(
    readonly holder: Owner | Agent,
    readonly asset: Address,
    private opening: AvailableOpening,
  ) {}

  /** A policy set by the attacker, which the rows do not contain. */
  known?: PolicyOpening;

  static async of(holder: Owner | Agent): Promise<StolenAvailableBalance> {
    const { chainId } = holder instanceof Agent ? holder.owner : holder;
    return new StolenAvailableBalance(holder, assetBySymbol(chainId).address, await holder.decryptAvailable());
  }

  get scope(): Scope {
    return this.holder.scope;
  }

  get available(): AvailableOpening {
    return this.opening;
  }

  private read<T>(
    functionName: "policyOf" | "policyCommitmentOf" | "availableOf" | "account",
    ...more: Address[]
  ): Promise<T> {
    const args = [this.holder.address, ...more];
    const call = { address: this.scope.ledger, abi: ledgerAbi, functionName, args } as never;
    return publicClient(this.scope.chainId as 46630).readContract(call) as Promise<T>;
  }

  /** Returns the newest version of the holder's policy on the ledger. */
  async policyVersion(): Promise<bigint> {
    return (await this.read<readonly [bigint, Hex, Hex]>("policyOf"))[0];
  }

  /** Returns the policy and the proof of a recipient from the rows, or null if the rows have none. */
  private async policy(to: Address): Promise<{ opening: PolicyOpening; recipient: RecipientProof } | null> {
    if (this.known) return { opening: this.known, recipient: NO_RECIPIENT_PROOF };
    const mine = eq(spendPolicies.holderId, this.holder.account.id);
    const [row] = await db().select().from(spendPolicies).where(mine);
    if (!row) return null;
    const setting = settingOfRow(row);
    const rules = { policy: policyOfRow(row), version: setting.version };
    const document = documentOf(this.scope as never, this.holder, rules, false);
    const limits = document.assets.find(({ asset }) => asset === this.asset);
    if (!limits?.allowed) return null;
    const opening = { ...limits, salt: policyCommitmentSalt(setting.salt, document, this.asset) };
    return { opening, recipient: treeOf(setting, document).proofOf(to) ?? NO_RECIPIENT_PROOF };
  }

  /** Returns the holder's nonce on the ledger. */
  async nonce(): Promise<bigint> {
    return (await this.read<{ nonce: bigint }>("account")).nonce;
  }

  /** Returns the day of the chain's newest block, in UTC. */
  async today(): Promise<bigint> {
    return (await this.now()) / DAY;
  }

  private async now(): Promise<bigint> {
    return (await publicClient(this.scope.chainId as 46630).getBlock()).timestamp;
  }

  private async common({ to, amount, copyFor }: Pick<LimitedPayment, "to" | "amount" | "copyFor">) {
    return {
      scope: this.scope,
      account: this.holder.address,
      asset: this.asset,
      available: this.opening,
      secret: this.holder.secret,
      payerViewingKey: copyFor ?? this.holder.viewing.publicKey,
      policyVersion: await this.policyVersion(),
      to: to.address,
      recipientViewingKey: to.viewingKey,
      amount,
    };
  }

  private async plan(payment: LimitedPayment, opening: PolicyOpening) {
    const { mode } = payment;
    const now = await this.now();
    const day = mode === SPEND_MODE.wallet ? 0n : (payment.day ?? now / DAY);
    const soon = now + 600n;
    // The library plans no payment that expires outside its day. An attacker signs one anyway.
    const { from, until } = dayWindow(day);
    const inDay = mode === SPEND_MODE.wallet || (from <= soon && soon < until);
    const limited = { terms: { mode, day }, policy: opening, policyCommitment: policyCommitment(opening) };
    const request = { ...(await this.common(payment)), ...limited, deadline: inDay ? soon : until - 1n };
    const plan: Plan<SignedSpend | SignedSpendPublic> = payment.isPublic
      ? await planSpendPublic(request)
      : await planSpend(request);
    return inDay ? plan : this.changed(plan, { deadline: soon.toString() });
  }

  private changed<D extends SignedPayment>({ draft, input }: Plan<D>, change: Partial<D>, witness = {}): Plan<D> {
    const { ctx: _, ...rest } = input;
    return makePlan<D>(this.scope, { ...draft, ...change }, { ...rest, ...witness });
  }

  private async call(plan: Plan<SignedPayment>, signer: Hex, recipient: RecipientProof): Promise<Hex> {
    const document = await completePlan(plan, prove, keySigner(signer));
    return documentCalldata(document, recipient);
  }

  /** Returns a signed call with a payment within the policy's amounts. */
  async spend(payment: LimitedPayment, signer: Hex): Promise<Hex> {
    const policy = await this.policy(payment.to.address);
    const opening = policy?.opening ?? NO_RULES;
    return this.call(await this.plan(payment, opening), signer, policy?.recipient ?? NO_RECIPIENT_PROOF);
  }

  /**
   * Returns such a payment without its signature, as a client with a home key sends it, and what is signed of it.
   *
   * @param invented under a policy that the attacker made up
   */
  async unsigned(payment: LimitedPayment, { invented = false } = {}): Promise<{ document: object; digest: Hex }> {
    const policy = invented ? null : await this.policy(payment.to.address);
    const plan = await this.plan(payment, policy?.opening ?? NO_RULES);
    const { draft, call, input } = this.changed(plan, { deadline: String((await this.now()) + 240n) });
    const { proof } = await prove(call.circuit, input);
    return { document: { ...draft, proof }, digest: call.digest };
  }

  /** Sends such a payment, and keeps the opening after it. */
  async spendAndFollow(payment: LimitedPayment, signer: Hex, send: (data: Hex) => Promise<string>): Promise<string> {
    const policy = await this.policy(payment.to.address);
    const plan = await this.plan(payment, policy?.opening ?? NO_RULES);
    const outcome = await send(await this.call(plan, signer, policy?.recipient ?? NO_RECIPIENT_PROOF));
    if (outcome === "accepted") this.follow(plan.draft);
    return outcome;
  }

  /**
   * Returns a signed call with a payment that exceeds the policy's amounts, under a policy that the attacker made up.
   */
  async spendUnderInvented(payment: LimitedPayment, signer: Hex): Promise<Hex> {
    const policy = await this.policy(payment.to.address);
    return this.call(await this.plan(payment, NO_RULES), signer, policy?.recipient ?? NO_RECIPIENT_PROOF);
  }

  /** Returns whether the prover can prove the same payment under the true policy commitment. */
  async hasProof(payment: LimitedPayment): Promise<boolean> {
    const policy = await this.policy(payment.to.address);
    if (!policy) return false;
    const plan = await this.plan(payment, NO_RULES);
    const commitment = policyCommitment(policy.opening);
    const { perPayment, daily, threshold, salt } = policy.opening;
    const limits = { perPayment, daily, threshold, policySalt: salt, policy: commitment };
    const honest = this.changed(plan, { policy_commitment: commitmentToHex(commitment) }, limits);
    return prove(honest.call.circuit, honest.input).then(
      () => true,
      () => false,
    );
  }

  /** Returns a signed call with a payment by `transfer`, which opens no policy. */
  async transfer(payment: Pick<LimitedPayment, "to" | "amount" | "copyFor">, signer: Hex): Promise<Hex> {
    return this.call(await this.planTransfer(payment), signer, NO_RECIPIENT_PROOF);
  }

  async transferAndFollow(
    payment: Pick<LimitedPayment, "to" | "amount" | "copyFor">,
    signer: Hex,
    send: (data: Hex) => Promise<string>,
  ): Promise<string> {
    const plan = await this.planTransfer(payment);
    const outcome = await send(await this.call(plan, signer, NO_RECIPIENT_PROOF));
    if (outcome === "accepted") this.follow(plan.draft);
    return outcome;
  }

  /** Returns a signed transfer from an available balance that claims to hold this many units more than it does. */
  async inflated(payment: Pick<LimitedPayment, "to" | "amount">, more: bigint, signer: Hex): Promise<Hex> {
    const truth = this.opening;
    try {
      this.opening = { ...truth, limit: truth.limit + more };
      return await this.transfer(payment, signer);
    } finally {
      this.opening = truth;
    }
  }

  /** Returns a signed call that makes all deposited money available. */
  async makeAvailable(deposited: bigint, nonce: bigint, signer: Hex): Promise<Hex> {
    const { scope, asset, opening: available, holder } = this;
    const plan = await planMakeAvailable({
      scope,
      account: holder.address,
      asset,
      available,
      notes: [],
      deposited,
      newLimit: available.limit + deposited,
      nonce,
      deadline: (await this.now()) + 600n,
      payerViewingKey: holder.viewing.publicKey,
      secret: holder.secret,
    });
    return documentCalldata(await completePlan(plan, prove, keySigner(signer)));
  }

  /**
   * Returns a signed call that moves units to another available balance of the same owner. `receivesFor` is the X that
   * the receiver's copy is encrypted for.
   */
  async fund(to: StolenAvailableBalance, amount: bigint, signer: Hex, receivesFor?: Uint8Array): Promise<Hex> {
    const plan = await this.planFund(to, amount);
    if (!receivesFor) return this.call(plan, signer, NO_RECIPIENT_PROOF);
    const nothing = new Uint8Array(PAYER_COPY_LENGTH - HPKE_OVERHEAD);
    const to_ciphertext = toHex(await encryptTo(receivesFor, new Uint8Array(), nothing));
    return this.call(this.changed(plan, { to_ciphertext }), signer, NO_RECIPIENT_PROOF);
  }

  async fundAndFollow(
    to: StolenAvailableBalance,
    amount: bigint,
    signer: Hex,
    send: (data: Hex) => Promise<string>,
  ): Promise<string> {
    const plan = await this.planFund(to, amount);
    const outcome = await send(await this.call(plan, signer, NO_RECIPIENT_PROOF));
    if (outcome === "accepted") {
      this.follow(plan.draft);
      to.follow({ new_available: plan.draft.to_new_available, next_state: plan.draft.to_next_state });
    }
    return outcome;
  }

  private async planFund(to: StolenAvailableBalance, amount: bigint) {
    const payee = { address: to.holder.address, viewingKey: this.holder.viewing.publicKey };
    const request = { ...(await this.common({ to: payee, amount })), deadline: (await this.now()) + 600n };
    return planFund({ ...request, toAvailable: to.opening, toSecret: to.holder.secret });
  }

  private async planTransfer(payment: Pick<LimitedPayment, "to" | "amount" | "copyFor">) {
    const available = { ...this.opening, window: { spent: 0n, day: 0n } };
    const deadline = (await this.now()) + 600n;
    return planTransfer({ ...(await this.common(payment)), available, deadline });
  }

  private follow({
    new_available: commitment,
    next_state: state,
  }: Pick<SignedPayment, "new_available" | "next_state">): void {
    const ref = {
      scope: this.scope,
      account: this.holder.address,
      asset: this.asset,
      commitment: hexToCommitment(commitment),
    };
    this.opening = decryptAvailableState(this.holder.secret, ref, fromHex(state.encrypted));
  }
}

/** The policy that an attacker would like to have. */
const NO_RULES: PolicyOpening = { perPayment: NO_LIMIT, daily: NO_LIMIT, threshold: NO_LIMIT, salt: 7n };
