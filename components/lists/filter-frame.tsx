"use client";

import { ChevronDown, ListFilter } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useRef } from "react";
import { Button } from "@/components/ui/button";

/** A choice of a select. */
export interface Choice {
  value: string;
  name: string;
}

/** The options of a select that may leave the choice open. */
export function Choices({ every, choices }: { every: string; choices: readonly Choice[] }): ReactNode {
  return (
    <>
      <option value="">{every}</option>
      {choices.map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </>
  );
}

/**
 * Narrows a list. A form whose fields are the page's parameters: without JavaScript the browser sends it itself, with
 * JavaScript the page changes in place and its address stays short.
 */
export function FilterFrame({
  path,
  current,
  hrefFor,
  open,
  children,
}: {
  path: string;
  /** The address the page has now; another one gives the fields new values. */
  current: string;
  /** The address for what the form says. */
  hrefFor: (fields: Record<string, string>) => string;
  /** Shown at once. */
  open: boolean;
  children: ReactNode;
}) {
  const router = useRouter();
  const details = useRef<HTMLDetailsElement>(null);
  const apply = (form: HTMLFormElement) => {
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    router.push(hrefFor(Object.fromEntries(entries)), { scroll: false });
    if (details.current) details.current.open = false;
  };
  return (
    <details ref={details} open={open} className="group max-sm:border-line max-sm:border-t">
      <summary className="flex min-h-11 list-none items-center gap-2 px-4 text-muted text-sm hover:text-ink sm:absolute sm:top-2.5 sm:right-4 sm:min-h-8 sm:rounded-md sm:px-2.5 sm:hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ListFilter size={15} aria-hidden="true" />
        Filter
        <ChevronDown
          size={14}
          aria-hidden="true"
          className="transition-transform group-open:rotate-180 max-sm:ml-auto"
        />
      </summary>
      <form
        method="get"
        action={path}
        onSubmit={(event) => {
          event.preventDefault();
          apply(event.currentTarget);
        }}
        key={current}
        className="grid gap-4 border-line px-4 pb-4 sm:grid-cols-2 sm:border-t sm:p-5 lg:grid-cols-4"
      >
        {children}
        <div className="flex items-end">
          <Button type="submit" className="w-full lg:w-auto">
            Apply filters
          </Button>
        </div>
      </form>
    </details>
  );
}
