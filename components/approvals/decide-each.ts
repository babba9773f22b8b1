/** Where one payment of several stands that are decided together. */
export type RowState<O> =
  /** Nothing was sent for it. */
  | { at: "ready" }
  | { at: "running" }
  | { at: "done"; output: O }
  /** Its request has left, and what became of it is not known yet. */
  | { at: "unknown" }
  /** For certain: it was not decided by this. */
  | { at: "refused"; error: Error };

/**
 * Decides payments one after the other, each by its own request: one that fails fails alone.
 *
 * @param options.isOpen after an error: whether this one may have been decided all the same
 * @param options.ends whether an error says that none of the others can be decided now either: they stay `ready`
 * @param options.isStopped asked before each one
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
