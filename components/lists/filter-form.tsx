"use client";

import { ChevronDown, ListFilter } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Options, Select } from "@/components/ui/field";
import { onDemand } from "@/components/ui/on-demand";
import { useReader } from "@/components/ui/time";
import type { FilterField, Filters } from "./filter-field";
import { hrefOf } from "./search-params";

const SavedFiltersPanel = onDemand(() => import("./saved-filters-panel").then((module) => module.SavedFiltersPanel));

function Control({
  field,
  value,
  problem,
  zone,
}: {
  field: FilterField;
  value?: string;
  problem?: string;
  /** Whose days are chosen. */
  zone: string;
}) {
  const { name, label, input } = field;
  return (
    <Field label={input.kind === "day" ? `${label}, ${zone}` : label} error={problem}>
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
            return <Input {...control} type="date" name={name} max="9999-12-31" defaultValue={value} />;
        }
      }}
    </Field>
  );
}

/**
 * Filters a list. A form whose fields are the page's query parameters: without JavaScript the browser submits it, with
 * JavaScript the page updates in place and its address stays short.
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
  /** Filters without a field, such as the value of a tab, are kept. */
  filters: Filters;
  /** What is wrong with the field that is typed. */
  problem?: string;
  /** Whether the form starts open. */
  open: boolean;
}) {
  const router = useRouter();
  // A day that the address names stays of the zone that it names.
  const reader = useReader().zone;
  const zone = filters.from || filters.to ? (filters.zone ?? "UTC") : reader;
  const details = useRef<HTMLDetailsElement>(null);
  const [opened, setDecrypted] = useState(open);
  useEffect(() => {
    // Someone may have opened it before this page's scripts ran, which no event reports afterwards.
    if (details.current?.open) setDecrypted(true);
  }, []);
  const close = () => {
    if (!details.current) return;
    // What had the focus is hidden now.
    details.current.querySelector("summary")?.focus();
    details.current.open = false;
  };
  const apply = (form: HTMLFormElement) => {
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
    if (!values.from && !values.to) delete values.zone;
    router.push(hrefOf(path, values), { scroll: false });
    close();
  };
  const hasDays = fields.some(({ input }) => input.kind === "day");
  const kept = Object.entries(filters).filter(
    ([name]) => name !== "zone" && !fields.some((field) => field.name === name),
  );
  return (
    <details
      ref={details}
      open={open}
      onToggle={(event) => event.currentTarget.open && setDecrypted(true)}
      className="group max-sm:border-line max-sm:border-t"
    >
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
        // A new address remounts the fields with their new values.
        key={hrefOf(path, filters)}
        className="grid items-start gap-4 border-line px-4 pb-4 sm:grid-cols-2 sm:border-t sm:p-5 lg:grid-cols-4"
      >
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {hasDays && zone !== "UTC" && <input type="hidden" name="zone" value={zone} />}
        {fields.map((field) => (
          <Control
            key={field.name}
            field={field}
            zone={zone}
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
      {opened && <SavedFiltersPanel key={path} path={path} filters={filters} onChoose={close} />}
    </details>
  );
}
