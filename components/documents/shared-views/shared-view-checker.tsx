"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { takeLinkKey } from "@/components/api/browser/link-key";
import type { CheckableNetwork } from "@/components/documents/receipt/checkable-network";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { Progress } from "@/components/ui/progress";
import { RetryCallout } from "@/components/ui/retry-callout";
import type { DecryptedView } from "./open-and-check";
import { ShownSharedView } from "./shown-shared-view";

const FAILED: DecryptedView = { outcome: "unreachable", reason: "The check did not load. Reload the page." };

/** Opens the view named in the page's address, with the key after its `#`. */
export function SharedViewChecker({ id, networks }: { id: string; networks: readonly CheckableNetwork[] }) {
  const [state, setState] = useState<DecryptedView>();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const newest = useRef(0);
  const open = async () => {
    newest.current += 1;
    const own = newest.current;
    setState(undefined);
    setProgress(undefined);
    const key = takeLinkKey(id) ?? "";
    const { openAndCheck } = await import("./open-and-check");
    const onProgress = (done: number, total: number) => {
      if (own === newest.current) setProgress({ done, total });
    };
    const opened = await openAndCheck(id, key, networks, onProgress).catch(() => FAILED);
    // The address may have changed in the meantime.
    if (own === newest.current) setState(opened);
  };
  const onAddress = useEffectEvent(() => void open());
  useEffect(() => {
    const read = () => onAddress();
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);

  // As high as a view: what is below stays where it is when the view is shown.
  const height = !state || state.outcome === "opened" ? "min-h-[80dvh]" : undefined;
  return (
    <div aria-live="polite" className={height}>
      {!state && (
        <Card>
          <Progress
            label={progress ? "Comparing each payment with the chain" : "Decrypting in your browser"}
            done={progress?.done}
            total={progress?.total}
          />
        </Card>
      )}
      {state?.outcome === "opened" && <ShownSharedView view={state.view} checkable={state.checkable} />}
      {state?.outcome === "refused" && (
        <Callout tone="warning" title="This link shows nothing.">
          {state.reason}
        </Callout>
      )}
      {state?.outcome === "unreachable" && (
        <RetryCallout tone="warning" title="It could not be checked." onRetry={() => void open()}>
          {state.reason} That says nothing about the payments.
        </RetryCallout>
      )}
    </div>
  );
}
