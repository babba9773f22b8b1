"use client";

import { Choices, FilterFrame } from "@/components/lists/filter-frame";
import { hrefOf } from "@/components/lists/search-params";
import { Field, Input, Select } from "@/components/ui/field";
import { type AuditFilters, readFilters } from "./audit-filters";
import { ACTIONS } from "./audit-wording";

/** Narrows the audit log. Who acted has tabs of its own. */
export function AuditFilterForm({
  path,
  filters,
  problem,
}: {
  path: string;
  filters: AuditFilters;
  /** What is wrong with the target. */
  problem?: string;
}) {
  return (
    <FilterFrame
      path={path}
      current={hrefOf(path, filters)}
      hrefFor={(fields) => hrefOf(path, readFilters(fields))}
      open={problem !== undefined}
    >
      {filters.actor && <input type="hidden" name="actor" value={filters.actor} />}
      <Field label="Action">
        {(control) => (
          <Select {...control} name="action" defaultValue={filters.action ?? ""}>
            <Choices every="All actions" choices={Object.entries(ACTIONS).map(([value, name]) => ({ value, name }))} />
          </Select>
        )}
      </Field>
      <Field label="Target" error={problem}>
        {(control) => (
          <Input
            {...control}
            name="target"
            defaultValue={filters.target}
            placeholder="key_…, acct_…, wh_…"
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="From, UTC">
        {(control) => <Input {...control} type="date" name="from" defaultValue={filters.from} />}
      </Field>
      <Field label="To, UTC">
        {(control) => <Input {...control} type="date" name="to" defaultValue={filters.to} />}
      </Field>
    </FilterFrame>
  );
}
