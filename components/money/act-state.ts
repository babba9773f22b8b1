import { ApiCallError, HalcyonError } from "@/sdk/api/errors";
import { NothingMoved, OutcomeUnknown } from "@/sdk/attempts/outcome-unknown";

/** What became of an act whose response was lost, once the chain has shown it. */
export interface Outcome {
  made: boolean;
  /** Null where the service names none. */
  transferId: string | null;
}

/**
 * Where an act that moves money stands. Only `form` and `review` have a button that starts one; only `refused` says
 * that nothing happened, and it is there only when that is known.
 */
export type ActState<I, O> =
  | { at: "form"; refused?: Error }
  | { at: "review"; input: I; refused?: Error; cancelled?: true }
  /** `left`: the request is on its way and cannot be called back. */
  | { at: "running"; input: I; reviewed: boolean; left: boolean; cancelling: boolean }
  | { at: "done"; input: I; output: O }
  /** Its response was lost. `says`: the service's last word, which decides nothing. */
  | { at: "unknown"; input: I; reviewed: boolean; looking: boolean; says?: string }
  /** Found to have been made, after its response was lost. */
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

/** The person called it back, or the browser went offline, before anything left. */
export class ActCancelled extends HalcyonError {
  override readonly name = "ActCancelled";
  constructor(readonly why: "person" | "offline") {
    super("unavailable", why === "offline" ? "You are offline. Nothing was prepared." : "You cancelled it.");
  }
}

/** What the ledger has settled: it did not happen, and cannot happen any more. */
export class NotMade extends HalcyonError {
  override readonly name = "NotMade";
  constructor() {
    super("unavailable", "The response was lost, and the ledger shows that it was not carried out. You can try again.");
  }
}

/** The session ended before anything was started. */
export class SignedOut extends HalcyonError {
  override readonly name = "SignedOut";
  constructor() {
    super("unauthorized", "You have been signed out. Sign in and try again.");
  }
}

/**
 * Whether an error leaves no doubt that no money moved. Before a signed document has left, every error does; afterwards
 * only the chain's own word (`NothingMoved`): a service that refuses what it was sent may have submitted it all the
 * same.
 */
export function isCertain(error: unknown, left: boolean): boolean {
  return error instanceof NothingMoved || (!left && !(error instanceof OutcomeUnknown));
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** What a service said that refused, after the document had left: it may be wrong. */
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

/** The next state. What does not fit the present one changes nothing: a late response, a second press. */
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
      // Of one that is looked for it says nothing new.
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
