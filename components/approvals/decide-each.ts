/** The state of one payment among several that are decided together. */
export type RowState<O> =
  /** Nothing was sent for it. */
  | { at: "ready" }
  | { at: "running" }
  | { at: "done"; output: O }
  /** Its request was sent, and the outcome is not known yet. */
  | { at: "unknown" }
  /** Definitely not decided by this request. */
  | { at: "refused"; error: Error };

/**
 * Decides payments one after the other, each with its own request, so that one failure does not affect the others.
 *
 * @param options.isOpen returns whether a failed request may have been carried out nevertheless
 * @param options.ends returns whether an error means that the rest can't be decided either; they stay `ready`
 * @param options.isStopped called before each payment
 */
export async function decideEach<P, O>(
  payments: readonly P[],
  decide: (payment: P) => Promise<O>,
  options: {
    onState: (payment: P, state: RowState<O>) => void;
    isOpen: (payment: P, error: unknown) => boolean;
    ends: (error: unknown) => boolean;
    isStopped: () => boolean;
  },
): Promise<void> {
  const { onState, isOpen, ends, isStopped } = options;
  for (const payment of payments) {
    if (isStopped()) return;
    onState(payment, { at: "running" });
    try {
      onState(payment, { at: "done", output: await decide(payment) });
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      onState(payment, isOpen(payment, thrown) ? { at: "unknown" } : { at: "refused", error });
      if (ends(thrown)) return;
    }
  }
}
