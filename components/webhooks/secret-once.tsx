"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { CopyButton } from "@/components/ui/copy-button";
import { Time } from "@/components/ui/time";

/**
 * A signing secret, once: the answer that held it is in this page's memory and nowhere else.
 *
 * @param previousUntil until then the secret before it signs too
 */
export function SecretOnce({
  secret,
  previousUntil,
  onClose,
}: {
  secret: string;
  previousUntil?: string | null;
  onClose: () => void;
}) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="grid gap-4">
      <Callout tone="warning" title="This is the only time the secret is shown.">
        {previousUntil ? (
          <>
            The secret before it signs too until <Time value={previousUntil} className="font-medium text-ink" /> UTC:
            change your receiver before then.
          </>
        ) : (
          "Your receiver needs it to tell deliveries from anything else. If you lose it, rotate it."
        )}
      </Callout>
      <div className="flex items-start gap-2 rounded-lg border border-line bg-sunken p-3">
        <code className="wrap-anywhere min-w-0 flex-1 font-mono text-[13px]">{secret}</code>
        <CopyButton value={secret} label="signing secret" text="Copy secret" onCopied={() => setCopied(true)} />
      </div>
      <p className="text-pretty text-muted text-sm">
        Verify each delivery over its raw body before you read it: with any Standard Webhooks library, or{" "}
        <a
          href="/docs/webhooks#where-a-delivery-comes-from"
          target="_blank"
          rel="noreferrer"
          className="text-accent underline underline-offset-2"
        >
          the code for TypeScript, Python, Go and Ruby
        </a>
        .
      </p>
      <Checkbox label="I have stored the secret where my receiver reads it." checked={copied} onChange={setCopied} />
      <div className="flex justify-end">
        <Button tone="primary" disabled={!copied} onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
