"use client";

import { ChevronDown, ListFilter } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Options, Select } from "@/components/ui/field";
import type { FilterField, Filters } from "./filter-field";
import { hrefOf } from "./search-params";

function Control({ field, value, problem }: { field: FilterField; value?: string; problem?: string }) {
  const { name, label, input } = field;
  return (
    <Field label={label} error={problem}>
      {(control) => {
        switch (input.kind) {
          case "choice":
            return (
              <Select {...control} name={name} defaultValue={value ?? ""}>
                <option value="">{input.every}</option>
                <Options choices={input.choices} />
              </Select>
            );
          case "text":
            return (
              <Input
                {...control}
                name={name}
                defaultValue={value}
                placeholder={input.hint}
                autoComplete="off"
                spellCheck={false}
              />
            );
          case "day":
            return <Input {...control} type="date" name={name} defaultValue={value} />;
        }
      }}
    </Field>
  );
}

/**
 * Narrows a list. A form whose fields are the page's parameters: without JavaScript the browser sends it itself, with
 * JavaScript the page changes in place and its address stays short.
 */
export function FilterForm({
  path,
  fields,
  filters,
  problem,
  open,
}: {
  path: string;
  fields: readonly FilterField[];
  /** Those without a field, such as the value of a tab, are kept. */
  filters: Filters;
  /** What is wrong with the typed one of the fields. */
  problem?: string;
  /** Shown at once. */
  open: boolean;
}) {
  const router = useRouter();
  const details = useRef<HTMLDetailsElement>(null);
  const apply = (form: HTMLFormElement) => {
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    router.push(hrefOf(path, Object.fromEntries(entries)), { scroll: false });
    if (details.current) details.current.open = false;
  };
  const kept = Object.entries(filters).filter(([name]) => !fields.some((field) => field.name === name));
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
        // A new address gives the fields new values.
        key={hrefOf(path, filters)}
        className="grid items-start gap-4 border-line px-4 pb-4 sm:grid-cols-2 sm:border-t sm:p-5 lg:grid-cols-4"
      >
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {fields.map((field) => (
          <Control
            key={field.name}
            field={field}
            value={filters[field.name]}
            problem={field.input.kind === "text" && filters[field.name] ? problem : undefined}
          />
        ))}
        <div className="sm:self-end">
          <Button type="submit" className="w-full lg:w-auto">
            Apply filters
          </Button>
        </div>
      </form>
    </details>
  );
}
