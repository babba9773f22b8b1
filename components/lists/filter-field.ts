import type { Choice } from "@/components/ui/field";

/** One thing a list can be narrowed by, as data: its form is drawn from it and its words are made of it. */
export interface FilterField {
  /** The parameter of the page's address. */
  name: string;
  label: string;
  /** Said before the value where the list shows its filters; the value alone says enough without. */
  said?: string;
  input:
    | { kind: "choice"; every: string; choices: readonly Choice[] }
    | { kind: "text"; hint: string }
    | { kind: "day" };
}

/** What a list is narrowed to: values by the names of fields. */
export type Filters = Partial<Record<string, string>>;

/** Days are counted in UTC, both included. */
export const DAYS: readonly FilterField[] = [
  { name: "from", label: "From, UTC", said: "From", input: { kind: "day" } },
  { name: "to", label: "To, UTC", said: "Until", input: { kind: "day" } },
];

/** Choices that are named by their values. */
export function choicesOf(values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, name: value }));
}

/** A filter in words, such as "Until 2026-11-21". */
export function wordsOf({ input, said }: FilterField, value: string): string {
  const chosen = input.kind === "choice" ? input.choices.find((choice) => choice.value === value) : undefined;
  return [said, chosen?.name ?? value].filter(Boolean).join(" ");
}
