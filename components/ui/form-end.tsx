import type { ReactNode } from "react";
import { Button } from "./button";
import { Callout } from "./callout";

/** The end of a dialog's form: what went wrong, and the button that sends it. */
export function FormEnd({
  error,
  busy,
  verb,
  children,
}: {
  error?: string;
  busy: boolean;
  /** What the button says. */
  verb: string;
  /** Buttons before it. */
  children?: ReactNode;
}) {
  return (
    <>
      {error && <Callout tone="danger">{error}</Callout>}
      <div className="flex justify-end gap-2">
        {children}
        <Button type="submit" tone="primary" busy={busy}>
          {verb}
        </Button>
      </div>
    </>
  );
}
