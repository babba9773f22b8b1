"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { ApiCallError } from "@/sdk/errors";

/** The work that a form or a button starts: whether it runs, and what went wrong with it. */
export interface AsyncAction {
  busy: boolean;
  /** In words for the person. */
  error?: string;
  /** The field of the form that was refused. */
  param?: string;
  /** Resolves when it has ended, either way. */
  run(work: () => Promise<unknown>): Promise<void>;
  /** Forgets the error. */
  reset(): void;
}

/** Runs one piece of work at a time. That somebody locked, or gave up unlocking, is no error. */
export function useAsyncAction(): AsyncAction {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ error: string; param?: string }>();
  return {
    busy,
    ...failure,
    run: async (work) => {
      setBusy(true);
      setFailure(undefined);
      try {
        await work();
      } catch (thrown) {
        const gaveUp = thrown instanceof Error && thrown.name === "VaultLocked";
        if (!gaveUp) {
          setFailure({ error: messageOf(thrown), param: thrown instanceof ApiCallError ? thrown.param : undefined });
        }
      } finally {
        setBusy(false);
      }
    },
    reset: () => setFailure(undefined),
  };
}
