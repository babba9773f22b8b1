import type { ReactNode } from "react";
import { Button } from "./button";
import { Callout } from "./callout";

/** The end of a dialog's form: the error and the submit button. */
export function FormEnd({
  error,
  busy,
  verb,
  children,
}: {
  error?: string;
  busy: boolean;
  /** The label of the button. */
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
