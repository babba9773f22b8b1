import type { CallLimits, ServiceResponse } from "./call-options";
import type { HalcyonError } from "./errors";

const TIMEOUT_MS = 80_000;
const WAIT_TIMEOUT_MS = 600_000;

/** One call's limits: bounds its requests and waits. Its defaults are the client's. `AbortableCall` ends by a signal too. */
export class Call {
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** Milliseconds for something to become final. */
  readonly waitTimeout: number;
  readonly maxRetries: number | undefined;
  private readonly onResponse: CallLimits["onResponse"];

  constructor(limits: Omit<CallLimits, "signal"> = {}, client?: Call) {
    this.timeout = limits.timeout ?? client?.timeout ?? TIMEOUT_MS;
    this.waitTimeout = limits.waitTimeout ?? client?.waitTimeout ?? WAIT_TIMEOUT_MS;
    this.maxRetries = limits.maxRetries ?? client?.maxRetries;
    this.onResponse = limits.onResponse ?? client?.onResponse;
  }

  /** What ends the call from outside. */
  get signal(): AbortSignal | undefined {
    return undefined;
  }

  get aborted(): boolean {
    return false;
  }

  /** @throws CallAborted when the call was aborted before this */
  throwIfAborted(): void {}

  /**
   * Runs a request: ended by its timeout or by the call's signal, also when it ignores the signal it is given.
   *
   * @param timedOut the error of a timeout
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

  /** What is waited for, or CallAborted as soon as the call is; `work` itself may go on. */
  whileWanted<T>(work: Promise<T>, _onAbort?: () => void): Promise<T> {
    return work;
  }

  /** Waits so many milliseconds. */
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

  /** Notifies the caller of a response. What their function throws is theirs alone. */
  responded(response: ServiceResponse): void {
    try {
      this.onResponse?.(response);
    } catch {
      // A log that fails must not fail a payment.
    }
  }
}
