import { ApiCallError, HalcyonError } from "@/sdk/api/errors";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import { NothingMoved, OutcomeUnknown } from "@/sdk/payments/attempts/outcome-unknown";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";

/** The outcome of an act whose response was lost, as the chain shows it. */
export interface Outcome {
  made: boolean;
  /** Null if the service does not name the transfer. */
  transferId: string | null;
}

/**
 * The state of an act that moves money. Only `form` and `review` have a button that starts it. `refused` is set only if
 * it is certain that nothing happened.
 */
export type ActState<I, O> =
  | { at: "form"; refused?: Error }
  | { at: "review"; input: I; refused?: Error; cancelled?: true }
  /** `left`: a signed document is on its way, so the act can no longer be cancelled. */
  | { at: "running"; input: I; reviewed: boolean; left: boolean; cancelling: boolean }
  | { at: "done"; input: I; output: O }
  /** The response was lost. `says`: the last error message of the service, which proves nothing. */
  | { at: "unknown"; input: I; reviewed: boolean; looking: boolean; says?: string }
  /** The response was lost, but the chain shows that the act was carried out. */
  | { at: "found"; input: I; transferId: string | null };

const NOTHING: Outcome = { made: false, transferId: null };

export type ActEvent<I, O> =
  | { type: "review"; input: I }
  | { type: "back" }
  | { type: "start"; input: I }
  | { type: "left" }
  | { type: "cancel" }
  | { type: "answered"; output: O }
  | { type: "failed"; error: unknown }
  | { type: "look" }
  | { type: "looked"; found: Outcome }
  | { type: "reset" };

/** Thrown if the person cancelled, or the browser went offline, before anything left the browser. */
export class ActCancelled extends HalcyonError {
  override readonly name = "ActCancelled";
  constructor(readonly why: "person" | "offline") {
    super("unavailable", why === "offline" ? "You are offline. Nothing was prepared." : "You cancelled it.");
  }
}

/** Thrown if the ledger has settled that the act did not happen and can't happen any more. */
export class NotMade extends HalcyonError {
  override readonly name = "NotMade";
  constructor() {
    super("unavailable", "The response was lost, and the ledger shows that it was not carried out. You can try again.");
  }
}

/** Thrown if the session ended before anything was started. */
export class SignedOut extends HalcyonError {
  override readonly name = "SignedOut";
  constructor() {
    super("unauthorized", "You have been signed out. Sign in and try again.");
  }
}

/**
 * Returns whether an error proves that no money moved. Before a signed document has left, every error does. After that,
 * only the chain can (`NothingMoved`): a service that reports an error may have submitted the document nevertheless.
 */
export function isCertain(error: unknown, left: boolean): boolean {
  return error instanceof NothingMoved || (!left && !(error instanceof OutcomeUnknown));
}

/**
 * Returns the error of an act. Once a document has left, only the chain shows what became of it: every other error,
 * such as that someone locked the account, says nothing about the document, so its outcome is unknown.
 *
 * @param left what has left and is not known to be accepted
 */
export function errorOnceLeft(error: unknown, left: PendingPayment | undefined): unknown {
  if (error instanceof NothingMoved || error instanceof OutcomeUnknown) return error;
  if (left !== undefined) return new OutcomeUnknown(left, toHalcyonError(error));
  // What was lost only prepared the act: no document has left, so no money moved.
  if (error instanceof HalcyonError) delete error.mayHaveHappened;
  return error;
}

/**
 * Returns whether what the chain has shown of a document settles its act. That a document came to nothing does not while
 * the act is being sent again: another document of it may be about to leave.
 */
export function settlesAct(found: Outcome | undefined, sending: boolean): found is Outcome {
  return found !== undefined && (found.made || !sending);
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Returns the message with which the service refused a document that had left the browser. It may be wrong. */
function wordOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof ApiCallError && cause.status < 500 ? cause.message : undefined;
}

function failed<I, O>(now: ActState<I, O> & { at: "running" }, thrown: unknown): ActState<I, O> {
  const { input, reviewed, left } = now;
  if (!isCertain(thrown, left)) return { at: "unknown", input, reviewed, looking: false, says: wordOf(thrown) };
  const error = asError(thrown);
  if (error instanceof ActCancelled && error.why === "person") {
    return reviewed ? { at: "review", input, cancelled: true } : { at: "form" };
  }
  return reviewed ? { at: "review", input, refused: error } : { at: "form", refused: error };
}

function looked<I, O>({ input, reviewed }: ActState<I, O> & { at: "unknown" }, found: Outcome): ActState<I, O> {
  if (found.made) return { at: "found", input, transferId: found.transferId };
  const refused = new NotMade();
  return reviewed ? { at: "review", input, refused } : { at: "form", refused };
}

/**
 * Returns the next state. Ignores events that don't fit the current state, such as a late response or a second press.
 */
export function actAfter<I, O>(now: ActState<I, O>, event: ActEvent<I, O>): ActState<I, O> {
  switch (event.type) {
    case "reset":
      return now.at === "running" || now.at === "unknown" ? now : { at: "form" };
    case "review":
      return now.at === "form" ? { at: "review", input: event.input } : now;
    case "back":
      return now.at === "review" ? { at: "form" } : now;
    case "start":
      if (now.at !== "form" && now.at !== "review") return now;
      return { at: "running", input: event.input, reviewed: now.at === "review", left: false, cancelling: false };
    case "left":
      return now.at === "running" ? { ...now, left: true } : now;
    case "cancel":
      return now.at === "running" && !now.left ? { ...now, cancelling: true } : now;
    case "answered":
      if (now.at !== "running" && now.at !== "unknown") return now;
      return { at: "done", input: now.input, output: event.output };
    case "failed":
      // A failed check of an open outcome says nothing new.
      if (now.at === "unknown") {
        return event.error instanceof NothingMoved ? looked(now, NOTHING) : { ...now, looking: false };
      }
      return now.at === "running" ? failed(now, event.error) : now;
    case "look":
      return now.at === "unknown" ? { ...now, looking: true } : now;
    case "looked":
      return now.at === "unknown" ? looked(now, event.found) : now;
  }
}
