/** A response of the service, as passed to `onResponse`. It contains no secrets. */
export interface ServiceResponse {
  method: string;
  /** Without the query string. */
  path: string;
  status: number;
  /** Identifies the request. Quote it when you ask for help. */
  requestId: string | undefined;
}

/** How long a client or a call waits, and how often it retries. */
export interface CallLimits {
  /**
   * Timeout in milliseconds for one HTTP or RPC request, from its start to the last byte of its response. Default:
   * 80,000, which is more than the 60 seconds after which the service lets a retry take over an idempotency key. Each
   * retry gets the full timeout again.
   */
  timeout?: number | undefined;
  /**
   * Aborts requests, waits and proofs. The call then throws `CallAborted`, or an error that says what is known about a
   * payment.
   */
  signal?: AbortSignal | undefined;
  /**
   * Maximum number of retries for a request that is safe to retry. Default: three after a 500, one after a timeout, and
   * for half a minute while the service restarts.
   */
  maxRetries?: number | undefined;
  /**
   * Milliseconds to wait until a transaction is final on chain. Default: 600,000. A payment that takes longer throws
   * `TransferNotFinal` or `OutcomeUnknown`, with everything you need to look it up later; the payment itself continues.
   */
  waitTimeout?: number | undefined;
  /** Called with each response of the service: for logs, and for the request ids of successful requests. */
  onResponse?: ((response: ServiceResponse) => void) | undefined;
}

/** Options of one call. What you leave out is taken from the client. */
export interface CallOptions extends CallLimits {
  /**
   * Identifies the call to the service: calls with the same key take effect only once, even from different processes. 1
   * to 255 printable ASCII characters. Default: a random key for each call. Only calls that send a POST use it.
   */
  idempotencyKey?: string | undefined;
}
