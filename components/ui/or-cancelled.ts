/**
 * Resolves with what a promise resolves with, unless the person cancels first: then it rejects with an `AbortError`,
 * and whatever comes later is ignored. For waits that nothing can end, such as those for a wallet.
 */
export function orCancelled<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(signal.reason);
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", cancel));
  });
}
