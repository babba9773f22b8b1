import type { CallLimits, ServiceResponse } from "./call-options";
import type { HalcyonError } from "./errors";

const TIMEOUT_MS = 80_000;
const WAIT_TIMEOUT_MS = 600_000;

/**
 * The limits of one call: bounds its requests and waits. Defaults to the client's limits. `AbortableCall` adds abort
 * signals.
 */
export class Call {
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** Milliseconds to wait until something is final. */
  readonly waitTimeout: number;
  readonly maxRetries: number | undefined;
  private readonly onResponse: CallLimits["onResponse"];

  constructor(limits: Omit<CallLimits, "signal"> = {}, client?: Call) {
    this.timeout = limits.timeout ?? client?.timeout ?? TIMEOUT_MS;
    this.waitTimeout = limits.waitTimeout ?? client?.waitTimeout ?? WAIT_TIMEOUT_MS;
    this.maxRetries = limits.maxRetries ?? client?.maxRetries;
    this.onResponse = limits.onResponse ?? client?.onResponse;
  }

  /** The signal that aborts the call. */
  get signal(): AbortSignal | undefined {
    return undefined;
  }

  get aborted(): boolean {
    return false;
  }

  /** @throws CallAborted when the call has been aborted */
  throwIfAborted(): void {}

  /**
   * Runs a request until its timeout or the call's signal ends it, even if the request ignores the signal it is given.
   *
   * @param timedOut creates the error for a timeout
   */
  async attempt<T>(run: (signal: AbortSignal) => Promise<T>, timedOut: () => HalcyonError): Promise<T> {
    this.throwIfAborted();
    const controller = new AbortController();
    const timer: { id?: ReturnType<typeof setTimeout> } = {};
    const late = new Promise<never>((_, reject) => {
      timer.id = setTimeout(() => {
        reject(timedOut());
        controller.abort();
      }, this.timeout);
    });
    try {
      return await this.whileWanted(Promise.race([run(controller.signal), late]), () => controller.abort());
    } finally {
      clearTimeout(timer.id);
    }
  }

  /** Resolves like `work`, or throws CallAborted as soon as the call is aborted; `work` itself may continue. */
  whileWanted<T>(work: Promise<T>, _onAbort?: () => void): Promise<T> {
    return work;
  }

  /** Waits the given number of milliseconds. */
  async pause(ms: number): Promise<void> {
    this.throwIfAborted();
    const timer: { id?: ReturnType<typeof setTimeout> } = {};
    const over = new Promise<void>((resolve) => {
      timer.id = setTimeout(resolve, ms);
    });
    try {
      await this.whileWanted(over);
    } finally {
      clearTimeout(timer.id);
    }
  }

  /** Passes a response to the caller's `onResponse`. An error that their function throws is ignored. */
  responded(response: ServiceResponse): void {
    try {
      this.onResponse?.(response);
    } catch {
      // A failing log function must not fail a payment.
    }
  }
}
