import { Call } from "./call";
import { CallAborted } from "./call-aborted";
import type { CallLimits, CallOptions } from "./call-options";
import { HalcyonError } from "./errors";

/** The longest delay that timers support. */
const LONGEST_MS = 2 ** 31 - 1;

function refuse(param: keyof CallOptions, message: string): never {
  throw new HalcyonError("invalid_request", `${param} ${message}`, { param });
}

function milliseconds(param: "timeout" | "waitTimeout", value: unknown): void {
  if (value === undefined || (typeof value === "number" && value > 0 && value <= LONGEST_MS)) return;
  refuse(param, "is a number of milliseconds greater than 0.");
}

/**
 * Checks the options of a call.
 *
 * @throws HalcyonError `invalid_request` naming the invalid option
 */
function checkCallOptions(options: CallOptions): void {
  if (typeof options !== "object" || options === null) {
    throw new HalcyonError("invalid_request", "Pass the options of a call as an object.", { param: "options" });
  }
  const { timeout, waitTimeout, maxRetries, signal, onResponse, idempotencyKey } = options;
  milliseconds("timeout", timeout);
  milliseconds("waitTimeout", waitTimeout);
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0)) {
    refuse("maxRetries", "is a whole number, 0 or more.");
  }
  if (signal !== undefined && typeof signal?.addEventListener !== "function") refuse("signal", "is an AbortSignal.");
  if (onResponse !== undefined && typeof onResponse !== "function") refuse("onResponse", "is a function.");
  if (idempotencyKey !== undefined && !/^[\x20-\x7e]{1,255}$/.test(String(idempotencyKey))) {
    refuse("idempotencyKey", "is a text of 1 to 255 printable ASCII characters.");
  }
}

/**
 * The callbacks to run when a signal aborts. Each signal gets only one listener, because Node warns at the eleventh.
 */
const followers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal aborts.
 *
 * @returns a function that removes the callback
 */
function follow(signal: AbortSignal, onAbort: () => void): () => void {
  const known = followers.get(signal);
  const all = known ?? new Set();
  if (!known) {
    followers.set(signal, all);
    signal.addEventListener("abort", () => all.forEach((each) => void each()), { once: true });
  }
  all.add(onAbort);
  return () => void all.delete(onAbort);
}

/** A call that the signals of its caller and its client can abort. */
export class AbortableCall extends Call {
  private readonly ends: AbortSignal | undefined;

  /** @throws HalcyonError `invalid_request` naming the invalid option */
  constructor(limits: CallLimits = {}, client?: Call) {
    checkCallOptions(limits);
    super(limits, client);
    const before = client?.signal;
    const signals = [before, limits.signal].filter((signal) => signal !== undefined);
    this.ends = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  }

  override get signal(): AbortSignal | undefined {
    return this.ends;
  }

  override get aborted(): boolean {
    return this.signal?.aborted === true;
  }

  override throwIfAborted(): void {
    if (this.aborted) throw new CallAborted(this.signal?.reason);
  }

  override async whileWanted<T>(work: Promise<T>, onAbort: () => void = () => {}): Promise<T> {
    const { signal } = this;
    if (!signal) return work;
    let abort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => {
        reject(new CallAborted(signal.reason, true));
        onAbort();
      };
    });
    const unfollow = follow(signal, () => abort());
    if (signal.aborted) abort();
    try {
      return await Promise.race([work, aborted]);
    } finally {
      unfollow();
    }
  }
}
