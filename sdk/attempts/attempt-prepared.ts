import type { PreparedPayment, PreparedTransferMany } from "@/lib/ledger/prepare/documents";
import type { SealedTransfer } from "../api/api-types";
import type { Context } from "../context/context";
import { underLease } from "../funds/under-lease";
import { Attempt, type AttemptGoal } from "./attempt";
import type { AttemptOptions } from "./attempt-options";
import { listedTransfers, type Settled } from "./check-payment";
import type { PendingDocument } from "./pending-payment";
import { hasLeftNothing, isLost, postAgain } from "./post-again";
import type { Posted } from "./posted";
import { type Intent, refuseEarly } from "./refuse-early";

type Document = PreparedPayment | PreparedTransferMany;

/** A payment, or a batch of them, before its first document. */
export interface PreparedAttempt<D extends Document> {
  goal: AttemptGoal;
  /**
   * Whether the chain knows it under the same name whatever address the service gives for a handle: then it is prepared again
   * over any word.
   */
  isPinned: boolean;
  /** What the service is asked about before the first document leaves. */
  intents: Intent[];
  /** Builds one document. `over` is the budget word it has to replace; the newest when left out. */
  prepare(deadline: bigint, over: bigint | undefined): Promise<D>;
}

const SETTLE_LOOKS = 8;

/** What is kept of a document that is about to leave. */
function entryOf(document: Document): PendingDocument {
  const { old_budget: old_word, new_budget: new_word, deadline } = document;
  const version = "policy_version" in document ? { policy_version: document.policy_version } : {};
  return { old_word, new_word, ...version, deadline: Number(deadline) };
}

/** Until when other payments wait: for what the several signers of a contract wallet may have to sign. */
async function leaseOf(context: Context, { deadline }: Attempt, { kind, party }: AttemptGoal) {
  if (!(await context.isContract())) return undefined;
  const { ruled } = await (await context.chain()).account(party.address);
  return ruled || kind === "fund" ? deadline : undefined;
}

/**
 * Pays once, however often it has to be prepared: every document of a payment makes the same note, or carries the same
 * payment id, and the ledger takes each once. What the service returns decides nothing: a refusal, silence or 503 is looked
 * up on the chain.
 *
 * @param post sends one document to the service
 * @param find what the service lists it as, where it does
 * @throws OutcomeUnknown once a document has left and the chain does not show it; before that, what the first attempt throws
 */
export async function attemptPrepared<D extends Document, T>(
  context: Context,
  { goal, isPinned, intents, prepare }: PreparedAttempt<D>,
  options: AttemptOptions,
  post: (prepared: D, leaseToken: string | undefined) => Promise<T>,
  find: (listed: SealedTransfer[]) => T | null,
): Promise<Posted<T>> {
  const attempt = await Attempt.begin(context, goal, options);
  const done = (response: T | null, seen: Settled | null) => ({ response, seen, pending: attempt.pending });
  const listedNow = async () => find(await listedTransfers(context, attempt.pending));
  const settledNow = async (seen: Settled) => done(await listedNow(), seen);

  async function once(leaseToken: string | undefined): Promise<Posted<T>> {
    let over: bigint | undefined;
    if (attempt.left) {
      // Another process may have been given another address for the handle: then its note is another one, and only the word
      // keeps both from settling.
      const ready = isPinned ? await attempt.look() : await attempt.wordToBuildOn();
      if (typeof ready === "bigint") over = ready;
      else if (ready) return settledNow(ready);
    }
    const [prepared] = await Promise.all([
      prepare(attempt.deadline, over),
      // While the proof is made.
      attempt.sent || Promise.all(intents.map((intent) => refuseEarly(context, intent))),
    ]);
    await attempt.leaving(entryOf(prepared));
    try {
      return done(await postAgain(context.call, () => post(prepared, leaseToken)), null);
    } catch (error) {
      if (hasLeftNothing(error)) attempt.recall();
      const seen = isLost(error) ? await attempt.watch(SETTLE_LOOKS) : await attempt.look();
      if (seen) return settledNow(seen);
      const listed = await listedNow();
      if (listed) return done(listed, null);
      throw error;
    }
  }
  try {
    return await underLease(context, goal.party, goal.asset, once, await leaseOf(context, attempt, goal));
  } catch (error) {
    // The last look: it may have been mined while the last response was on its way.
    const seen = attempt.left ? await attempt.look().catch(() => null) : null;
    if (seen) return settledNow(seen);
    const listed = attempt.sent ? await listedNow() : null;
    if (listed) return done(listed, null);
    throw attempt.verdict(error);
  }
}
