import { type Address, type Hex, isAddressEqual } from "viem";
import { type Decimals, parseAmount } from "@/lib/base/money";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { readAvailableCommitment } from "@/lib/ledger/crypto/commitments";
import { blindRequestTag, epochsOn, firstEpochs } from "@/lib/ledger/crypto/epochs";
import { InsufficientAvailableBalance } from "@/lib/ledger/crypto/errors";
import { commitmentToHex, hexToCommitment } from "@/lib/ledger/crypto/field";
import { hkdf } from "@/lib/ledger/crypto/hkdf";
import { paymentIdOf } from "@/lib/ledger/crypto/payment-id-of";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { blindPartBytes, blindPartOf } from "@/lib/ledger/encrypted/blind-state";
import { encryptHeld, heldDigest } from "@/lib/ledger/encrypted/held";
import { chainAllows } from "@/lib/ledger/policy/chain-allows";
import type { SignedDocument, UnsignedPayment } from "@/lib/ledger/prepare/documents";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import type { PublicPaymentRequest } from "@/lib/ledger/prepare/payment-request";
import type { Plan } from "@/lib/ledger/prepare/plan";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import { planSpend } from "@/lib/ledger/prepare/plan-spend";
import { planSpendPublic } from "@/lib/ledger/prepare/plan-spend-public";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { addSpent } from "@/lib/policy/spent";
import { notInForce } from "../../account/session-policy";
import { AvailableBalanceChangedError } from "../../api/api-errors";
import { HalcyonError } from "../../api/errors";
import type { Transfer } from "../../api/resources/transfers";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Context } from "../../context/context";
import { chainOutcome, entryOf, type Settled } from "../attempts/check-payment";
import { OutcomeUnknown } from "../attempts/outcome-unknown";
import { lastDeadline, type PendingPayment } from "../attempts/pending-payment";
import { hasLeftNothing, isLost, postAgain } from "../attempts/post-again";
import type { Posted } from "../attempts/posted";
import { type PaymentAwaitingApproval, readTransfer, type SettledTransfer } from "../attempts/transfer-status";
import { viewingKeyOf } from "../payment";
import { bindingBytes, detailsBody } from "../payment-details";
import { newClientId } from "../payouts/new-payout-id";
import { type Recipient, recipientAt } from "../recipient";
import { type SendCall, settlePosted } from "../send";
import { type BlindBalances, blindBalancesOf } from "./blind-balances";
import { BuildLock } from "./build-lock";
import { askPlan, decryptState, fingerprintOf, type Home, homeAsset, homeOf, NO_POLICY, notBlind } from "./home";
import { approvedMarks, type Marked, marksAhead, unusedMarks } from "./marks";
import { payTogether } from "./pay-together";
import { frozenPlans, type PlanInForce, type PolicyTerms, policyTerms, stillInForce } from "./policy-terms";
import type { WaitingPayment } from "./waiting-payment";

/** How often a payment is built again when another one from the balance came first. */
const TRIES = 5;
const DAY = 86_400n;

/** The received payment that a payment gives back. */
export interface RefundOf {
  refund_of: string;
  /** How many earlier refunds of it this machine has counted. */
  refunds_counted?: number | undefined;
}

/**
 * Pays with a blind key: this machine decrypts the balance, builds the payment and proves it, and the service signs
 * what it can't read. Above the threshold of a policy it encrypts the payment for the owner instead. A request's
 * payment has one note, or payment id, on every machine with the home key, and the ledger takes it once. So a request
 * that is repeated never pays twice, whatever the service says.
 *
 * @throws HalcyonError the errors of a payment by API key; OutcomeUnknown when a document has left and neither the
 * service's response nor the chain shows what became of it; with `mayHappenUntil` when the service has refused one
 */
export async function payBlind(
  context: Context,
  input: SendCall,
  refund?: RefundOf,
): Promise<Posted<Transfer> | { held: PaymentAwaitingApproval }> {
  refuseOthers(input);
  const balances = await blindBalancesOf(context);
  const { asset = "USDG" } = input;
  const id = input.idempotencyKey ?? crypto.randomUUID();
  const asked = { ...input, idempotencyKey: id };
  const alone = () => payInTurn(context, balances, asked, refund);
  if (refund || input.public) return balances.inLine(context.call, asset, alone);
  const waiting = balances.wait(asset, { context, input: asked });
  try {
    return await balances.inLine(context.call, asset, async () => {
      const together = balances.gather(asset, waiting);
      if (together.length > 0) await payTogether(context, balances, asset, together);
      return (await waiting.made) ?? unlessLost(context, waiting, alone);
    });
  } catch (error) {
    balances.leave(asset, waiting);
    // Another payment's turn may be making it while its own call is aborted.
    const paid = await waiting.made;
    if (paid) return paid;
    throw error;
  }
}

/** Pays alone; an error does not say that nothing was paid if a document of the payment is under way. */
async function unlessLost<T>(
  context: Context,
  waiting: WaitingPayment,
  alone: () => Promise<T>,
): Promise<T | Posted<Transfer>> {
  try {
    return await alone();
  } catch (error) {
    const { left, isLost } = waiting;
    if (!left || error instanceof OutcomeUnknown) throw error;
    const seen = await seenNow(context, left);
    if (seen) return { response: null, seen, pending: left };
    throw isLost ? new OutcomeUnknown(left, toHalcyonError(error)) : stillSignable(error, left);
  }
}

/** Returns an error after which the service has a document: it may have refused it, and sign it later. */
function stillSignable(thrown: unknown, left: PendingPayment): unknown {
  const error = thrown instanceof HalcyonError ? thrown : toHalcyonError(thrown);
  const mayHappenUntil = lastDeadline(left)?.toISOString();
  if (mayHappenUntil === undefined || error.mayHappenUntil !== undefined) return error;
  error.message += ` The service could still sign this payment until ${mayHappenUntil}: repeat it with the same idempotency key.`;
  return Object.assign(error, { mayHappenUntil });
}

async function payInTurn(
  context: Context,
  balances: BlindBalances,
  input: SendCall & { idempotencyKey: string },
  refund?: RefundOf,
): Promise<Posted<Transfer> | { held: PaymentAwaitingApproval }> {
  const [home, info] = await Promise.all([homeOf(context), context.info()]);
  const { to, asset = "USDG", idempotencyKey: id } = input;
  const lock = new BuildLock(
    (wish) => askPlan(context, home, { to }, asset, wish),
    () => balances.isContested(asset),
  );
  const plans = frozenPlans(context, home, () => lock.plan());
  let used: PlanInForce | undefined;
  let isWarm = false;
  const buildFrom = async (planned: PlanInForce) => {
    used = planned;
    // An asset that the service does not describe stops a payment before it is made, not after.
    await context.asset(asset);
    return build(context, home, planned, { input, id, finality: info.finality });
  };
  const make = async () => {
    const left = balances.take(asset, to);
    isWarm = left !== undefined;
    const built =
      left &&
      (await stillInForce(context, left)
        .then(buildFrom)
        .catch(() => undefined));
    if (built) return built;
    isWarm = false;
    return buildFrom(await plans());
  };
  let held = false;
  const again = (error: unknown) => {
    if (error instanceof AvailableBalanceChangedError) balances.contest(asset);
    // A name may stand for another address by now, or a change of the policy be on its way to the ledger.
    return isWarm && error instanceof HalcyonError && /^(invalid_request|policy_)/.test(error.code);
  };
  const posted = await postBuilt(context, input, { make, again }, async ({ digest, ...made }) => {
    held = "held" in made;
    const planned = used as PlanInForce;
    const blind = {
      ...made,
      signature: home.sign("/v1/transfers", id, digest),
      fingerprint: fingerprintOf(home, planned.content, id, { ...input, refundOf: refund?.refund_of }),
    };
    const json = {
      to,
      asset,
      confidential: !input.public,
      ...detailsBody(input),
      ...refund,
      blind,
      lock_token: lock.token,
    };
    const headers = { ...context.bearer, "idempotency-key": id };
    const response = await context.http.send("POST", "/v1/transfers", { json, headers });
    if ("document" in made && !response.headers.has("idempotent-replayed")) {
      lock.token = undefined;
      const { new_available: commitment, next_state } = made.document;
      balances.keep(asset, to, planned, { commitment, state: next_state.encrypted });
    }
    return response.body;
  }).finally(() => lock.end());
  // A response does not decide that a payment which has left awaits approval.
  if (held && posted.response) return { held: posted.response as PaymentAwaitingApproval };
  return posted as Posted<Transfer>;
}

/**
 * Builds a document and posts it, and again after another payment from the balance has come first.
 *
 * @param make with `again`, which says of an error that what was built from was too old
 */
export async function postBuilt<T>(
  context: Context,
  { onPending }: Pick<SendCall, "onPending">,
  { make, again = () => false }: { make(): Promise<Built>; again?(error: unknown): boolean },
  post: (made: Made & { digest: Uint8Array }) => Promise<T>,
): Promise<Posted<T>> {
  let left: PendingPayment | undefined;
  for (let attempt = 1; ; attempt++) {
    const built = await make();
    if ("seen" in built) return { response: null, ...built };
    const { pending, ...made } = built;
    if ("document" in made) {
      await onPending?.(pending);
      left = { ...pending, documents: [...(left?.documents ?? []), ...pending.documents] };
    }
    try {
      return { response: await postAgain(context.call, () => post(made)), seen: null, pending: left ?? pending };
    } catch (error) {
      if ((again(error) || error instanceof AvailableBalanceChangedError) && attempt < TRIES) continue;
      if (hasLeftNothing(error) || !left) throw error;
      const seen = await seenNow(context, left);
      if (seen) return { response: null, seen, pending: left };
      throw isLost(error) ? new OutcomeUnknown(left, toHalcyonError(error)) : stillSignable(error, left);
    }
  }
}

/** Pays with a blind key, and waits for the chain. Implements `transfers.create` with a home key. */
export async function sendBlind(context: Context, input: SendCall): Promise<SettledTransfer | PaymentAwaitingApproval> {
  const posted = await payBlind(context, input);
  return "held" in posted ? posted.held : settlePosted(context, input, posted);
}

/**
 * Pays with a blind key, and returns what the service has accepted.
 *
 * @throws OutcomeUnknown also for a payment that the chain shows and the service does not list
 */
export async function acceptedBlind(context: Context, input: SendCall): Promise<Transfer | PaymentAwaitingApproval> {
  const posted = await payBlind(context, input);
  return "held" in posted ? posted.held : listedOf(context, posted);
}

/** Returns what the service has accepted of a payment. */
export async function listedOf(context: Context, { response, seen, pending }: Posted<Transfer>): Promise<Transfer> {
  if (response) return response;
  const entry = seen && (await entryOf(context, pending, seen));
  if (entry) return readTransfer(context, entry.transfer_id, "key");
  throw new OutcomeUnknown(pending);
}

/** Refuses what blind keys don't pay yet, before anything is asked. */
export function refuseOthers({ exact, pending, from }: Pick<SendCall, "exact" | "pending" | "from">): void {
  const what = exact
    ? "pay a seller of the scheme `exact`"
    : from !== undefined
      ? "pay for another account"
      : undefined;
  if (pending) throw new HalcyonError("invalid_request", "Repeat the call with its idempotencyKey instead of pending.");
  if (what !== undefined) throw notBlind(what);
}

interface Building {
  input: SendCall;
  id: string;
  finality: Awaited<ReturnType<Context["info"]>>["finality"];
  /** Of an agent's payment that its owner approves; the agent's client has chosen them. */
  approved?: ApprovedMarks;
}

/** What a payment that awaited approval is known by. */
export interface ApprovedMarks {
  seed: Uint8Array;
  tag: Uint8Array;
}

/** What is sent to the service: a payment, or above the threshold what the owner decides. */
type Made = { document: UnsignedPayment } | { held: { transaction_id: string; encrypted: Hex; note: Hex } };
type Built = (Made & { digest: Uint8Array; pending: PendingPayment }) | { seen: Settled; pending: PendingPayment };

/** Builds the payment over the newest balance; or returns what the chain shows of it already. */
export async function build(
  context: Context,
  home: Home,
  { plan, content, policy }: PlanInForce,
  { input, id, finality, approved }: Building,
): Promise<Built> {
  const { scope } = home;
  const { knowledge, holder: account, viewingKey: payerViewingKey } = content;
  const asset = homeAsset(content, input.asset);
  const amount = parseAmount(input.amount, asset.decimals as Decimals);
  const { meant } = input;
  const chain = await context.chain();
  const kind = input.public ? ("release" as const) : ("transfer" as const);
  const binding = bindingBytes(input.binding, kind);
  const available = decryptState(home, content, asset.address, plan);
  const part = available.blind && blindPartOf(available.blind);
  const before = part?.policy ?? NO_POLICY;
  const mode = approved ? SPEND_MODE.approved : SPEND_MODE.agent;
  // `recipientAt` refuses what is no address.
  const address = input.to.startsWith("0x") ? (input.to as Address) : plan.recipient;
  const finding = recipientAt(context, account, input.to, plan.recipient, { meant });
  const tag = approved?.tag ?? blindRequestTag(knowledge, scope, account, home.keyHash, id);
  const nameOf = (seed: Uint8Array) =>
    kind === "release"
      ? { payment_id: paymentIdOf(seed, scope) }
      : { note: commitmentToHex(noteOf(seed, scope, address, asset.address, amount).commitment) };
  const names = { nameOf, payer: account, to: address, asset };
  // What is held before a balance's first payment has no epoch that a state keeps: it is known by the secret alone.
  const early = { day: 0n, seed: hkdf(knowledge, "held request", scope) };
  const shown = [policy ? early : undefined, part?.epochs.previous, part?.epochs.current];
  const ahead = approved ? undefined : marksAhead(context, { ...names, scope, tag }, shown);
  // Over a node far away, reads that wait for each other take longer than the proof.
  const [to, final, finalCommitment, block, deadline, record, terms] = await Promise.all([
    finding,
    chain.client.getBlock({ blockTag: finality }),
    chain.availableOf(account, asset.address, finality),
    chain.client.getBlockNumber(),
    chain.deadline(),
    chain.account(account),
    policy &&
      finding.then((found) => policyTerms(context, policy, { holder: account, asset, to: found, before, mode })),
  ]);
  if (isAddressEqual(to.owner, account)) {
    throw notBlind("move money to your agents");
  }
  if (record.limited && !policy) throw notInForce();
  const isFinal = readAvailableCommitment(finalCommitment) === hexToCommitment(plan.commitment);
  const day = final.timestamp / DAY;
  const epochs = part ? epochsOn(part.epochs, day, isFinal) : firstEpochs(day);
  const recordOf = (name: Marked["name"]): PendingPayment => ({
    ...{ version: 1, id, kind, chain_id: scope.chainId, ledger: scope.ledger, account },
    ...{ to: lowerCase(to.address), asset: asset.address, ...name },
    ...{ since_block: block.toString(), documents: [] },
  });
  const isHeld = !approved && terms !== null && isOverThreshold(terms, available, amount);
  const { previous, current } = epochs;
  const known = isHeld && !previous ? [current, early] : [terms ? early : undefined, previous, current];
  const marked = approved
    ? await approvedMarks(context, names, approved.seed)
    : await unusedMarks(context, {
        epochs: known,
        ahead: epochs === part?.epochs ? ahead : undefined,
        ...{ scope, tag, ...names },
      });
  if ("paid" in marked) {
    const pending = { ...recordOf(marked.paid), since_block: record.enrolledBlock.toString() };
    const seen = await seenNow(context, pending);
    if (seen) return { seen, pending };
    throw new OutcomeUnknown(pending);
  }
  const { seed, name, epoch } = marked;
  const pending = recordOf(name);
  if (amount > available.limit) {
    // An earlier try of this request may have left the newest balance and not be in a block yet.
    if (part?.tags.some((one) => toHex(one) === toHex(tag))) throw new OutcomeUnknown(pending);
    throw new InsufficientAvailableBalance();
  }
  if (isHeld) {
    const transaction_id = newClientId("txn_");
    const encrypted = toHex(
      await encryptHeld(content.heldPublicKey, knowledge, scope, {
        id: transaction_id,
        agent: account,
        asset: asset.address,
        to: lowerCase(to.address),
        amount,
        seed,
        tag,
        binding,
        memo: input.memo,
        kind,
      }),
    );
    const note = "note" in name ? name.note : name.payment_id;
    return { held: { transaction_id, encrypted, note }, digest: heldDigest(transaction_id, encrypted, note), pending };
  }
  const request = {
    scope,
    account,
    to: to.address,
    asset: asset.address,
    available,
    amount,
    deadline: terms?.deadline ?? deadline,
    payerViewingKey,
    secret: knowledge,
    policyVersion: policy?.taken.version ?? record.policyVersion,
    memo: input.memo,
    seed,
    epoch,
    tag,
    // What the owner approves keeps the epochs and the policy of the agent's own client.
    ...(!approved && { blind: blindPartBytes({ epochs, policy: policy?.taken ?? before, tags: [tag] }) }),
    ...(terms && { counters: addSpent(available.counters, terms.now, amount, terms.counting) }),
  };
  const { draft, call, input: witness } = await planOf(request, to, { kind, binding, terms });
  const { proof } = await (await context.prover())(call.circuit, witness);
  const { old_available: old_commitment, new_available: new_commitment, policy_version } = draft;
  const documents = [{ old_commitment, new_commitment, policy_version, deadline: Number(request.deadline) }];
  return { document: { ...draft, proof }, digest: fromHex(call.digest), pending: { ...pending, documents } };
}

/** Reports whether a payment awaits the owner's approval. */
function isOverThreshold(
  { limited }: PolicyTerms,
  available: PublicPaymentRequest["available"],
  amount: bigint,
): boolean {
  if (amount > available.limit) return false;
  const verdict = chainAllows(available, limited.policy ?? null, limited.terms, amount);
  return !verdict.allowed && verdict.reason === "approval_threshold";
}

type BlindDocument = Extract<SignedDocument, { kind: UnsignedPayment["kind"] }>;

/** Plans the payment for the ledger's function that takes it. */
function planOf(
  request: PublicPaymentRequest,
  to: Recipient,
  {
    kind,
    binding,
    terms,
  }: { kind: "transfer" | "release"; binding: Uint8Array | undefined; terms: PolicyTerms | null },
): Promise<Plan<BlindDocument>> {
  if (kind === "release") {
    const open = { ...request, recipientViewingKey: to.viewingKey ?? undefined };
    return terms ? planSpendPublic({ ...open, ...terms.limited }) : planRelease(open);
  }
  const hidden = { ...request, binding, recipientViewingKey: viewingKeyOf(to) };
  return terms ? planSpend({ ...hidden, ...terms.limited }) : planTransfer(hidden);
}

/** Returns what the chain shows of a payment now; null if nothing, or the chain does not respond. */
async function seenNow(context: Context, pending: PendingPayment): Promise<Settled | null> {
  const shown = await chainOutcome(context, pending).catch(() => null);
  return shown?.outcome === "settled" ? shown : null;
}
