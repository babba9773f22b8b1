"use client";

import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";

/** Shows the link of a new proof. */
export function FundsLink({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <div className="grid gap-4">
      <Field label="Proof link">
        {(control) => (
          <Input
            {...control}
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
            className="font-mono sm:text-xs!"
          />
        )}
      </Field>
      <p className="text-pretty text-muted text-sm">
        It can't be taken back; it ends when it expires. What follows # is never sent to a server, ours included.{" "}
        <a href={url} target="_blank" rel="noreferrer" className="text-accent underline underline-offset-4">
          See what others see
        </a>
        .
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Done</Button>
        <CopyButton value={url} label="proof link" text="Copy link" tone="primary" size="medium" />
      </div>
    </div>
  );
}
