import type { Choice } from "@/components/ui/field";

/** One filter of a list, as data from which its form field and its label are built. */
export interface FilterField {
  /** The name of the query parameter. */
  name: string;
  label: string;
  /** Label before the value among the active filters. Leave out if the value speaks for itself. */
  said?: string;
  input:
    | { kind: "choice"; every: string; choices: readonly Choice[] }
    | { kind: "text"; hint: string }
    | { kind: "day" };
}

/** The active filters of a list: values by field name. */
export type Filters = Partial<Record<string, string>>;

/** Fields for a range of days of the reader's zone, both included. The form adds which zone that is. */
export const DAYS: readonly FilterField[] = [
  { name: "from", label: "From", said: "From", input: { kind: "day" } },
  { name: "to", label: "To", said: "Until", input: { kind: "day" } },
];

/** Returns choices whose labels are their values. */
export function choicesOf(values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, name: value }));
}

/** Returns a filter in words, such as "Until 2026-11-21 in UTC". */
export function filterInWords({ name, input, said }: FilterField, filters: Filters): string {
  const value = filters[name];
  const chosen = input.kind === "choice" ? input.choices.find((choice) => choice.value === value) : undefined;
  const zone = input.kind === "day" ? `in ${filters.zone ?? "UTC"}` : undefined;
  return [said, chosen?.name ?? value, zone].filter(Boolean).join(" ");
}
