"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ShownOnce } from "@/components/ui/shown-once";
import { Time } from "@/components/ui/time";

/**
 * Shows a signing secret once. The response that contained it exists only in this page's memory.
 *
 * @param previousUntil until when the previous secret signs too
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
  const [stored, setStored] = useState(false);
  return (
    <div className="grid gap-4">
      <ShownOnce
        what="secret"
        label="signing secret"
        value={secret}
        where="where my receiver reads it"
        loss={
          previousUntil ? (
            <>
              The previous secret signs too until <Time value={previousUntil} className="font-medium text-ink" />.
              Update your receiver before then.
            </>
          ) : (
            "Your receiver uses it to verify deliveries. If you lose it, rotate it."
          )
        }
        stored={stored}
        onStored={setStored}
      >
        <p className="text-pretty text-muted text-sm">
          Verify each delivery over its raw body before you read it: with any Standard Webhooks library, or{" "}
          <a
            href="/docs/webhooks#verify-webhook-signatures"
            target="_blank"
            rel="noreferrer"
            className="text-accent underline underline-offset-2"
          >
            the code for TypeScript, Python, Go and Ruby
          </a>
          .
        </p>
      </ShownOnce>
      <div className="flex justify-end">
        <Button tone="primary" disabled={!stored} onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
