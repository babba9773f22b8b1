/** A response of the service, as `onResponse` gets it. Nothing of it is secret. */
export interface ServiceResponse {
  method: string;
  /** Without query. */
  path: string;
  status: number;
  /** Identifies the request: quote it when you ask for help. */
  requestId: string | undefined;
}

/** How long a client or a call waits, and how often it tries. */
export interface CallLimits {
  /**
   * Milliseconds for one HTTP request or RPC request, from its start to the last byte of its response: 80,000 when left out,
   * which is more than the 60 seconds after which the service lets a retry take over an idempotency key. Each retry has as
   * long again.
   */
  timeout?: number | undefined;
  /** Ends requests, waits and proofs when it is aborted: the call throws `CallAborted`, or what else it knows of a payment. */
  signal?: AbortSignal | undefined;
  /**
   * How often a request that may be repeated is, at most. When left out: three times after a 500, once after a timeout, and for
   * half a minute while the service restarts.
   */
  maxRetries?: number | undefined;
  /**
   * Milliseconds to wait until what was sent is final on chain: 600,000 when left out. A payment that takes longer throws
   * `TransferNotFinal` or `OutcomeUnknown` with all that looking again takes; it goes on without you.
   */
  waitTimeout?: number | undefined;
  /** Called with each response of the service: for logs, and for the request ids of successes. */
  onResponse?: ((response: ServiceResponse) => void) | undefined;
}

/** How one call is made; what is left out is as the client's. */
export interface CallOptions extends CallLimits {
  /**
   * Names the call to the service: with the same key, it never happens twice, also from another process. 1 to 255 printable
   * ASCII characters; a random one for each call when left out. Only calls that send a POST use it.
   */
  idempotencyKey?: string | undefined;
}
