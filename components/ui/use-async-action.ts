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
  /** The error itself, for who has a remedy. */
  thrown?: unknown;
  /** Resolves when it has ended, either way. */
  run(work: () => Promise<unknown>): Promise<void>;
  /** Forgets the error. */
  reset(): void;
}

/**
 * The one way to run work after a click, but for money (`useMoneyMutation`): one piece of work at a time. What the person
 * gave up themselves is no error.
 *
 * @param options.failed title of a toast that tells of a failure, where there is no place for `error`
 */
export function useAsyncAction({ failed }: { failed?: string } = {}): AsyncAction {
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
      } catch (thrown) {
        const { message, param, gaveUp } = wordsOf(thrown);
        if (gaveUp) return;
        setFailure({ error: message, param, thrown });
        if (failed) toast.failure(thrown, failed);
      } finally {
        setBusy(false);
      }
    },
    reset: () => setFailure(undefined),
  };
}
