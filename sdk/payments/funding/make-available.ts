import type { Hex } from "viem";
import { type Decimals, formatAmount, parseAmount } from "@/lib/base/money";
import { InsufficientFunds } from "@/lib/ledger/crypto/errors";
import { paymentSeed } from "@/lib/ledger/crypto/payment-seed";
import { NO_WINDOW } from "@/lib/ledger/crypto/window";
import { completePlan } from "@/lib/ledger/prepare/plan";
import { planMakeAvailable } from "@/lib/ledger/prepare/plan-make-available";
import { decryptFunds, type Funds } from "../../account/funds/funds";
import { underLock } from "../../account/funds/under-lock";
import { type Party, partyOf, tagOf } from "../../account/party";
import type { CallOptions } from "../../api/call-options";
import { ApiCallError, HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import type { Operation } from "../../api/resources/transfers";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Context } from "../../context/context";
import { Attempt } from "../attempts/attempt";
import type { AttemptOptions } from "../attempts/attempt-options";
import { checkBeforeProving } from "../attempts/check-before-proving";
import type { EarlierPayment } from "../attempts/earlier-attempt";
import { OutcomeUnknown } from "../attempts/outcome-unknown";
import { callersKey, type PendingPayment, roundKey, roundOf } from "../attempts/pending-payment";
import { hasLeftNothing, isLost, postAgain } from "../attempts/post-again";
import { caughtUp, settledOnChain } from "../attempts/settle";
import { goalAfter, type MakeAvailableGoal, type MakeAvailableStep, makeAvailableStep } from "./make-available-step";
import { pastMakeAvailable } from "./past-make-available";

const SETTLE_LOOKS = 8;
const RETRY_PAUSE_MS = 250;

/** What to make available, and for whom. */
export interface MakeAvailableInput {
  /** Decimal string: how much to add. Default: everything deposited and received. */
  amount?: string | undefined;
  /** Decimal string: the available balance afterwards, which may be lower than now or `0`. Use instead of `amount`. */
  available?: string | undefined;
  /** Default: `USDG`. */
  asset?: string | undefined;
  /** Handle of an agent of the account: makes available what the agent received. */
  agent?: string | undefined;
}

/** Options for making money available. */
export interface MakeAvailableOptions extends CallOptions, AttemptOptions {}

/** The result of making money available. */
export interface MakeAvailableResult {
  tx_hashes: Hex[];
  /** Number of received payments that were used. */
  notes: number;
  /**
   * Decimal string: how much the available balance grew. Null when part of it was made earlier and can't be decrypted.
   */
  amount: string | null;
}

function goalOf({ amount, available }: MakeAvailableInput, decimals: Decimals): MakeAvailableGoal {
  if (available === undefined) return { add: amount === undefined ? undefined : parseAmount(amount, decimals) };
  if (amount === undefined) return { available: available === "0" ? 0n : parseAmount(available, decimals) };
  throw new HalcyonError("invalid_request", "Say how much to add or what the available balance becomes, not both.");
}

function refuseShortage(funds: Funds, goal: MakeAvailableGoal): void {
  const wanted = "available" in goal ? goal.available - funds.available.limit : (goal.add ?? 0n);
  const total = funds.notes.reduce((sum, note) => sum + note.amount, funds.deposited);
  // Each round makes room for more notes, unless none of those read can be used.
  if (total >= wanted || (funds.view.has_more && funds.notes.length > 0)) return;
  throw toHalcyonError(new InsufficientFunds());
}

/** The result of one move to the available balance. */
export interface MadeAvailable {
  /** The service's response; null when only the chain shows the move to the available balance. */
  operation: Operation | null;
  pending: PendingPayment;
  /**
   * Its inputs, and the available balance it started from; null if an earlier attempt made the move to the available
   * balance.
   */
  step: MakeAvailableStep | null;
  before: bigint;
}

/**
 * Limits a retry to the goal of the first try: the available balance never ends above it, whatever happened in between.
 */
function within(step: MakeAvailableStep, target: bigint | undefined, now: bigint): MakeAvailableStep {
  if (target === undefined || step.newLimit <= target) return step;
  if (target > now) return { ...step, newLimit: target, added: target - now };
  throw new HalcyonError(
    "available_balance_changed",
    "Another client raised the available balance. Check it and try again.",
  );
}

/**
 * Makes one move to the available balance of up to 8 notes and the deposited money. Returns null when there is nothing
 * to make available. All its tries carry the nonce that the chain had at the first try, so at most one of them settles.
 * Uses another nonce only after the chain has shown that a different move to the available balance used the first.
 *
 * @throws OutcomeUnknown when one was sent and the chain does not show it
 */
export async function makeAvailableOnce(
  context: Context,
  party: Party,
  asset: Asset,
  choose: (funds: Funds) => MakeAvailableStep | null,
  options: AttemptOptions = {},
): Promise<MadeAvailable | null> {
  const [session, scope, vault, chain] = await Promise.all([
    context.session(),
    context.scope(),
    context.vault(),
    context.chain(),
  ]);
  const id = options.idempotencyKey ?? options.pending?.id ?? crypto.randomUUID();
  const seed = paymentSeed(vault.seedKey, scope, party.address, id);
  const tag = tagOf(scope, party, id);
  const fits = ({ event }: EarlierPayment) => event.eventName === "MadeAvailable";
  const goal = { id, kind: "make_available" as const, party, asset, seed, tag, names: {}, fits };
  const attempt = await Attempt.begin(context, goal, options);
  let target: bigint | undefined;
  const outcome = (operation: Operation | null, step: MakeAvailableStep | null = null, before = 0n): MadeAvailable => ({
    operation,
    pending: attempt.pending,
    step,
    before,
  });

  async function once(lockToken: string | undefined): Promise<MadeAvailable | null> {
    // Read the nonce first: a move to the available balance that settles later uses up the nonce and so voids what is
    // signed with it.
    const { nonce } = await chain.account(party.address);
    if (attempt.left && (await attempt.look())) return outcome(null);
    const funds = await decryptFunds(context, party, asset);
    const chosen = choose(funds);
    if (!chosen) return null;
    const step = within(chosen, target, funds.available.limit);
    target ??= step.newLimit;
    const plan = await planMakeAvailable({
      scope,
      account: party.address,
      asset: asset.address,
      available: funds.available,
      notes: step.notes,
      deposited: step.deposited,
      newLimit: step.newLimit,
      nonce,
      deadline: attempt.deadline,
      payerViewingKey: vault.viewingKey.publicKey,
      secret: party.secret,
      ...(step.leavesPolicy && { window: NO_WINDOW }),
      seed,
      tag,
    });
    const prove = await context.prover();
    if (!attempt.sent) await checkBeforeProving(context, { act: "make_available", payer: party, asset });
    const document = await completePlan(plan, prove, context.signer());
    const body = { client_signed: document, ...(lockToken && { lock_token: lockToken }) };
    const { old_available: old_commitment, new_available: new_commitment } = document;
    await attempt.leaving({ old_commitment, new_commitment, deadline: Number(attempt.deadline) });
    try {
      const operation = await postAgain(context.call, () =>
        session.post<Operation>("/api/make-available", body, party.query),
      );
      return outcome(operation, step, funds.available.limit);
    } catch (error) {
      if (hasLeftNothing(error)) attempt.recall();
      if (isLost(error) ? await attempt.watch(SETTLE_LOOKS) : await attempt.look()) {
        return outcome(null, step, funds.available.limit);
      }
      if (error instanceof ApiCallError && error.code === "available_balance_changed")
        await context.call.pause(RETRY_PAUSE_MS);
      throw error;
    }
  }
  try {
    const until = (await context.isContract()) ? attempt.deadline : undefined;
    const madeAvailable = await underLock(context, party, asset, once, until);
    if (madeAvailable || !attempt.sent) return madeAvailable;
    throw attempt.unknown();
  } catch (error) {
    if (attempt.left && (await attempt.look().catch(() => null))) return outcome(null);
    throw attempt.verdict(error);
  }
}

/** Waits until a move to the available balance is final on chain and the service has seen it. */
export async function makeAvailableSettled(context: Context, { operation, pending }: MadeAvailable): Promise<Hex> {
  const { tx_hash } = await settledOnChain(context, pending);
  if (operation) {
    const session = await context.session();
    await caughtUp(context, () => session.get<Operation>(`/api/operations/${operation.operation_id}`));
  }
  return tx_hash;
}

/**
 * Awaits a part of one round. If earlier rounds succeeded, money has moved, so no error may say that nothing did.
 *
 * @param previous the round before; undefined for the first round
 * @throws OutcomeUnknown of the round before, with the error as its cause; in the first round, what `work` throws
 */
async function afterRounds<T>(previous: PendingPayment | undefined, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!previous || error instanceof OutcomeUnknown) throw error;
    throw new OutcomeUnknown(previous, toHalcyonError(error), "part");
  }
}

/**
 * Moves deposited money and received notes into the available balance. Implements `balances.makeAvailable`. Repeats
 * when more than 8 notes are needed. Whatever is left over comes back as a note, and so does the excess over a lower
 * `available`.
 */
export async function makeAvailable(
  context: Context,
  input: MakeAvailableInput & MakeAvailableOptions = {},
): Promise<MakeAvailableResult> {
  const [asset, party] = await Promise.all([context.asset(input.asset), partyOf(context, input.agent)]);
  let goal = goalOf(input, asset.decimals);
  const result: MakeAvailableResult = { tx_hashes: [], notes: 0, amount: "0" };
  let added = 0n;
  const { pending } = input;
  const given = pending?.id ?? input.idempotencyKey;
  // One key for all rounds, even without a key from the caller, so that a retry with it recognizes the rounds already
  // made.
  const callKey = given === undefined ? crypto.randomUUID() : callersKey(given);
  // Nothing was ever sent under a new random key, so don't search the chain for it.
  const onPending = input.onPending ?? (given === undefined ? () => {} : undefined);
  const pendingRound = pending ? roundOf(pending.id) : 1;
  let previous: PendingPayment | undefined;
  for (let round = 1; ; round++) {
    const now = goal;
    // Each round is a move to the available balance of its own, with a key derived from the caller's.
    const key = roundKey(callKey, round);
    // Rounds before the one in the caller's record were made: look them up instead of making them again.
    const isOver = round < pendingRound;
    const options = isOver
      ? { idempotencyKey: key }
      : { idempotencyKey: key, onPending, pending: pending?.id === key ? pending : undefined };
    const choose = (funds: Funds) => {
      if (isOver) return null;
      refuseShortage(funds, now);
      return makeAvailableStep(funds, now);
    };
    const madeAvailable = await afterRounds(previous, makeAvailableOnce(context, party, asset, choose, options));
    if (isOver && !madeAvailable) {
      // The round is too old to be found, so the rest of the goal is unknown: add nothing to it.
      goal = { add: 0n };
      result.amount = null;
      continue;
    }
    if (!madeAvailable) return result;
    const tx_hash = await afterRounds(previous, makeAvailableSettled(context, madeAvailable));
    previous = madeAvailable.pending;
    result.tx_hashes.push(tx_hash);
    // A round that an earlier process made counts toward the goal too.
    const done = madeAvailable.step
      ? { notes: madeAvailable.step.notes.length, before: madeAvailable.before, added: madeAvailable.step.added }
      : await afterRounds(previous, pastMakeAvailable(context, party, asset, tx_hash));
    if (!done) return { ...result, amount: null };
    result.notes += done.notes;
    added += done.added;
    if (result.amount !== null) result.amount = formatAmount(added, asset.decimals);
    goal = goalAfter(goal, done);
  }
}
