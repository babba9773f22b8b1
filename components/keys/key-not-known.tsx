import type { ReactNode } from "react";
import { ErrorCallout } from "@/components/ui/error-callout";

/**
 * Says that a key may exist whose text is lost, and what to do about it. Nothing here creates another one: that would
 * leave the first behind.
 *
 * @param children leads to the list of keys
 */
export function KeyNotKnown({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ErrorCallout isUnknown>
      <p>
        We don't know yet whether the key was created: the response is not clear. If a key “{label}” that was created
        just now is listed, revoke it: its text is lost. Then create another.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">{children}</div>
    </ErrorCallout>
  );
}
