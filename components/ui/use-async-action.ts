"use client";

import { useState } from "react";
import { useErrorWords } from "./error-words";
import { useToast } from "./toast";

/** The work that a form or button starts: whether it is running, and its error. */
interface AsyncAction {
  busy: boolean;
  /** The error's message for the person. */
  error?: string;
  /** Whether it may have been done nevertheless. */
  isUnknown?: boolean;
  /** The form field that was refused. */
  param?: string;
  /** The error itself, for callers that offer a remedy. */
  thrown?: unknown;
  /** Resolves once the work has succeeded or failed. */
  run(work: () => Promise<unknown>): Promise<void>;
  /** Forgets the error. */
  reset(): void;
}

/**
 * Runs work after a click, one piece at a time. Use it for everything except money (`useMoneyMutation`). If the person
 * cancelled by themselves, that is not an error.
 *
 * @param options.failed title of a toast that reports a failure, if there is no place to show `error`; where the
 *   outcome is unknown, the toast has another one
 * @param options.leaves whether the control disappears after success; it stays busy until then
 */
export function useAsyncAction({ failed, leaves = false }: { failed?: string; leaves?: boolean } = {}): AsyncAction {
  const wordsOf = useErrorWords();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Pick<AsyncAction, "error" | "isUnknown" | "param" | "thrown">>();
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
        const { message, param, isUnknown, gaveUp } = wordsOf(thrown);
        if (gaveUp) return;
        setFailure({ error: message, isUnknown, param, thrown });
        if (failed) toast.failure(thrown, failed);
      }
    },
    reset: () => setFailure(undefined),
  };
}
