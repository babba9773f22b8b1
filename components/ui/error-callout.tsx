import type { ReactNode } from "react";
import { Callout } from "./callout";
import { errorTitle } from "./error-title";

/**
 * Says why something was not done, or that it is unknown whether it was done. Announced when it appears.
 *
 * @param failed the title that says that it was not done
 */
export function ErrorCallout({
  isUnknown = false,
  failed,
  children,
}: {
  isUnknown: boolean | undefined;
  failed?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Callout alert tone={isUnknown ? "warning" : "danger"} title={errorTitle({ isUnknown }, failed)}>
      {children}
    </Callout>
  );
}
