import type { ReactNode } from "react";
import { Button } from "./button";
import { ErrorCallout } from "./error-callout";

/** The end of a dialog's form: the error and the submit button. */
export function FormEnd({
  error,
  isUnknown,
  busy,
  verb,
  children,
}: {
  error?: string;
  /** Whether it may have been done nevertheless. */
  isUnknown: boolean | undefined;
  busy: boolean;
  /** The label of the button. */
  verb: string;
  /** Buttons before it. */
  children?: ReactNode;
}) {
  return (
    <>
      {error && <ErrorCallout isUnknown={isUnknown}>{error}</ErrorCallout>}
      <div className="flex justify-end gap-2">
        {children}
        <Button type="submit" tone="primary" busy={busy}>
          {verb}
        </Button>
      </div>
    </>
  );
}
