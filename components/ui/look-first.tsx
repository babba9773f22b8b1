"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { buttonClass } from "./button";
import { ErrorCallout } from "./error-callout";
import { Link } from "./link";

/**
 * The end of a form that may have created something, in place of its button: the way to the list of what exists. Takes
 * the focus, because the pressed button is gone.
 *
 * @param look the link's label
 * @param children what else can be done
 */
export function LookFirst({
  error,
  href,
  look,
  children,
}: {
  error: ReactNode;
  href: string;
  look: string;
  children: ReactNode;
}) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => link.current?.focus(), []);
  return (
    <ErrorCallout isUnknown>
      <div>{error}</div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Link ref={link} href={href} className={buttonClass("secondary", "small")}>
          {look}
        </Link>
        {children}
      </div>
    </ErrorCallout>
  );
}
