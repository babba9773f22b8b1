"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";

/** Returns the index of the group to ask for, unpredictably. */
const anyGroup = (groups: number) => (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % groups;

/**
 * Shows a recovery code once. Continues when the person has typed one group of it, to confirm that they wrote it down.
 *
 * @param confirm the label of the last button
 * @param other what one can do instead of storing the code
 */
export function RecoveryCodeForm({
  code,
  confirm,
  onConfirmed,
  other,
}: {
  code: string;
  confirm: string;
  onConfirmed: () => void;
  other: ReactNode;
}) {
  const groups = code.split("-");
  const [asked] = useState(() => anyGroup(groups.length));
  const [confirming, setConfirming] = useState(false);
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("group")).trim().toUpperCase();
    if (typed === groups[asked]) onConfirmed();
    else setError(`That is not group ${asked + 1}. Look at what you wrote down, or go back to see the code again.`);
  };
  if (!confirming) {
    return (
      <div className="grid gap-4">
        <p className="max-w-prose text-pretty text-muted">
          Write it down or put it into a password manager. It is shown now and never again.
        </p>
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-sunken px-4 py-3">
          <code className="font-mono text-[15px] tracking-wide">{code}</code>
          <CopyButton value={code} label="recovery code" text="Copy" />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button tone="primary" onClick={() => setConfirming(true)}>
            I have stored it
          </Button>
          {other}
        </div>
      </div>
    );
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field
        label={`Type group ${asked + 1} of ${groups.length}`}
        hint="Four characters, from where you stored the code."
        error={error}
      >
        {(control) => (
          <Input
            {...control}
            name="group"
            required
            maxLength={4}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            className="max-w-32 font-mono uppercase"
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary">
          {confirm}
        </Button>
        <Button tone="ghost" onClick={() => setConfirming(false)}>
          Show the code again
        </Button>
      </div>
    </form>
  );
}
