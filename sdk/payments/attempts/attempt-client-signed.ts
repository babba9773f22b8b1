import type { SignedPayment, SignedTransferMany } from "@/lib/ledger/prepare/documents";
import { underLock } from "../../account/funds/under-lock";
import type { TransferWithCopies } from "../../api/api-types";
import type { Context } from "../../context/context";
import { Attempt, type AttemptGoal } from "./attempt";
import type { AttemptOptions } from "./attempt-options";
import { checkBeforeProving, type Intent } from "./check-before-proving";
import { listedTransfers, type Settled } from "./check-payment";
import type { PendingDocument } from "./pending-payment";
import { hasLeftNothing, isLost, postAgain } from "./post-again";
import type { Posted } from "./posted";

type Document = SignedPayment | SignedTransferMany;

/** A payment, or a batch of payments, before its first document is built. */
export interface ClientSignedAttempt<D extends Document> {
  goal: AttemptGoal;
  /**
   * Whether the payment has the same name on chain whatever address the service returns for a handle. If so, it can be
   * prepared again over any available balance commitment.
   */
  isPinned: boolean;
  /** What to check with the service before the first document is sent. */
  intents: Intent[];
  /**
   * For a payment that depends on earlier ones, such as a refund: compares it with what the chain shows, and throws if
   * it may not be made any more. The document then replaces the commitment that the chain showed just before, so that
   * no payment comes in between, whatever the service hides.
   */
  compare?: (() => Promise<void>) | undefined;
  /** Builds one document. `over` is the available balance commitment to replace; default: the newest. */
  prepare(deadline: bigint, over: bigint | undefined): Promise<D>;
}

const SETTLE_LOOKS = 8;

/** Returns the record to keep of a document before it is sent. */
function entryOf(document: Document): PendingDocument {
  const { old_available: old_commitment, new_available: new_commitment, deadline } = document;
  const version = "policy_version" in document ? { policy_version: document.policy_version } : {};
  return { old_commitment, new_commitment, ...version, deadline: Number(deadline) };
}

/**
 * Returns how long other payments must wait. The signers of a contract wallet may need until the deadline to sign a
 * payment that needs them.
 */
async function lockEndOf(context: Context, { deadline }: Attempt, { kind, party }: AttemptGoal) {
  if (!(await context.isContract())) return undefined;
  const { limited } = await (await context.chain()).account(party.address);
  return limited || kind === "fund" ? deadline : undefined;
}

/**
 * Pays exactly once, however often the payment has to be prepared: all its documents create the same note or carry the
 * same payment id, and the ledger accepts each only once. The service's response never decides the outcome: after an
 * error response, a lost response or a 503, the client looks at the chain.
 *
 * @param post sends one document to the service
 * @param find returns the service's entry for the payment, if the service lists it
 * @throws OutcomeUnknown when a document was sent and the chain does not show it; before anything was sent, what the
 * first attempt throws
 */
export async function attemptClientSigned<D extends Document, T>(
  context: Context,
  { goal, isPinned, intents, compare, prepare }: ClientSignedAttempt<D>,
  options: AttemptOptions,
  post: (signed: D, lockToken: string | undefined) => Promise<T>,
  find: (listed: TransferWithCopies[]) => T | null,
): Promise<Posted<T>> {
  const attempt = await Attempt.begin(context, goal, options);
  const done = (response: T | null, seen: Settled | null) => ({ response, seen, pending: attempt.pending });
  const listedNow = async () => find(await listedTransfers(context, attempt.pending));
  const settledNow = async (seen: Settled) => done(await listedNow(), seen);

  async function once(lockToken: string | undefined): Promise<Posted<T>> {
    let over: bigint | undefined;
    if (attempt.left) {
      // Another process may have resolved the handle to a different address, which gives a different note. Building on
      // the same available balance commitment then keeps both payments from settling.
      const ready = isPinned && !compare ? await attempt.look() : await attempt.commitmentToBuildOn();
      if (typeof ready === "bigint") over = ready;
      else if (ready) return settledNow(ready);
    } else if (compare) {
      // Without the lock nothing keeps other payments from starting, so waiting for them may never end.
      const ready = lockToken === undefined ? await attempt.chainCommitment() : await attempt.commitmentToBuildOn();
      if (typeof ready !== "bigint") return settledNow(ready);
      over = ready;
    }
    await compare?.();
    const [signed] = await Promise.all([
      prepare(attempt.deadline, over),
      // Runs while the proof is being created.
      attempt.sent || Promise.all(intents.map((intent) => checkBeforeProving(context, intent))),
    ]);
    await attempt.leaving(entryOf(signed));
    try {
      return done(await postAgain(context.call, () => post(signed, lockToken)), null);
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
    return await underLock(context, goal.party, goal.asset, once, await lockEndOf(context, attempt, goal));
  } catch (error) {
    // Look once more: the payment may have been mined while the last response was on its way.
    const seen = attempt.left ? await attempt.look().catch(() => null) : null;
    if (seen) return settledNow(seen);
    const listed = attempt.sent ? await listedNow() : null;
    if (listed) return done(listed, null);
    throw attempt.verdict(error);
  }
}
