"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { ApiCallError } from "@/sdk/errors";

/** The work of one step: whether it runs, and what went wrong with it. */
export interface StepWork {
  busy: boolean;
  error?: string;
  /** The field of the form that was refused. */
  param?: string;
  run(work: () => Promise<void>): Promise<void>;
}

/** Runs a step's work and keeps its error in words. That somebody locked, or gave up unlocking, is no error. */
export function useStep(): StepWork {
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
  };
}
