"use client";

import { useState } from "react";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { Creation } from "./create-once";

/**
 * Creates what a form asks for, as the same one however often it is submitted while it is unknown whether it exists.
 * The control stays busy after success, until the page leaves.
 *
 * @param steps.encrypt encrypts what the form asks for, and stores nothing
 * @param steps.store stores it; safe to repeat with the same argument
 * @param steps.onStored runs once it is stored
 */
export function useCreation<I, S, O>(steps: {
  encrypt: (input: I) => Promise<S>;
  store: (encrypted: S) => Promise<O>;
  onStored: (stored: O) => void;
}) {
  const { run, ...action } = useAsyncAction({ leaves: true });
  const [creation] = useState(() => new Creation<I, S>());
  const [isOther, setOther] = useState(false);
  return {
    ...action,
    /** Whether the form contains something else than what may exist already. Then it was not sent. */
    isOther,
    create: (input: I) => {
      const other = creation.isOther(input);
      setOther(other);
      if (!other)
        void run(async () => steps.onStored(await creation.create(input, () => steps.encrypt(input), steps.store)));
    },
    /** Called when the person says that what may exist does not. */
    forget: () => creation.forget(),
  };
}
