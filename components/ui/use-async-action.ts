"use client";

import { useState } from "react";
import { useErrorWords } from "./error-words";
import { useToast } from "./toast";

/** The work that a form or a button starts: whether it runs, and what went wrong with it. */
export interface AsyncAction {
  busy: boolean;
  /** In words for the person. */
  error?: string;
  /** The field of the form that was refused. */
  param?: string;
  /** The error itself, for callers that have a remedy. */
  thrown?: unknown;
  /** Resolves when it has ended, either way. */
  run(work: () => Promise<unknown>): Promise<void>;
  /** Forgets the error. */
  reset(): void;
}

/**
 * The one way to run work after a click, but for money (`useMoneyMutation`): one piece of work at a time. What the
 * person gave up themselves is no error.
 *
 * @param options.failed title of a toast that reports a failure, where there is no place for `error`
 * @param options.leaves the control goes after success: it stays busy until then
 */
export function useAsyncAction({ failed, leaves = false }: { failed?: string; leaves?: boolean } = {}): AsyncAction {
  const wordsOf = useErrorWords();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ error: string; param?: string; thrown: unknown }>();
  return {
    busy,
    ...failure,
    run: async (work) => {
      setBusy(true);
      setFailure(undefined);
      try {
        await work();
        if (!leaves) setBusy(false);
      } catch (thrown) {
        setBusy(false);
        const { message, param, gaveUp } = wordsOf(thrown);
        if (gaveUp) return;
        setFailure({ error: message, param, thrown });
        if (failed) toast.failure(thrown, failed);
      }
    },
    reset: () => setFailure(undefined),
  };
}
