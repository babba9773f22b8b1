import type { ReactNode } from "react";
import { buttonClass } from "./button";
import { ErrorCallout } from "./error-callout";
import { Link } from "./link";

/**
 * The end of a form that may have created something: the way to the list of what exists. It stands in place of the
 * button, which would create a second one.
 */
export function LookFirst({ error, href, children }: { error: ReactNode; href: string; children: ReactNode }) {
  return (
    <ErrorCallout isUnknown>
      <p>{error}</p>
      <Link href={href} className={buttonClass("secondary", "small", "mt-3")}>
        {children}
      </Link>
    </ErrorCallout>
  );
}
