"use client";

import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";

/** A page that failed: what to do. Details are in the server's log, not here. */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  return (
    <Callout
      tone="danger"
      title="This page could not be shown."
      action={
        <Button size="small" onClick={reset}>
          Try again
        </Button>
      }
    >
      Nothing was changed. Try again; if it stays like this, check the service's status at /readyz.
    </Callout>
  );
}
