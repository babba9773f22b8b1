import { choicesOf, type FilterField } from "@/components/lists/filter-field";
import { oneOf, present, type SearchParams, textOf } from "@/components/lists/search-params";
import type { Choice } from "@/components/ui/field";
import type { ListRequestsQuery } from "@/lib/accounts/request-log/schema";

/** The filters of the log of requests, from the page's address. */
type RequestFilters = Pick<ListRequestsQuery, "method" | "outcome" | "key">;

const METHODS: readonly NonNullable<ListRequestsQuery["method"]>[] = ["GET", "POST", "PATCH", "PUT", "DELETE"];
const OUTCOMES: readonly NonNullable<ListRequestsQuery["outcome"]>[] = ["succeeded", "refused", "failed"];

/** Returns the filter fields of the log. */
export const requestFields = (keys: readonly Choice[]): readonly FilterField[] => [
  {
    name: "outcome",
    label: "Outcome",
    input: {
      kind: "choice",
      every: "All outcomes",
      choices: [
        { value: "succeeded", name: "Succeeded (2xx)" },
        { value: "refused", name: "Refused (4xx)" },
        { value: "failed", name: "Failed (5xx)" },
      ],
    },
  },
  { name: "method", label: "Method", input: { kind: "choice", every: "All methods", choices: choicesOf(METHODS) } },
  { name: "key", label: "Key", input: { kind: "choice", every: "All keys", choices: keys } },
];

/** Reads the filters from the page's query parameters. Invalid ones are ignored. */
export function readRequestFilters(params: SearchParams, keys: readonly Choice[]): RequestFilters {
  const key = textOf(params, "key");
  return present({
    outcome: oneOf(OUTCOMES, textOf(params, "outcome")),
    method: oneOf(METHODS, textOf(params, "method")),
    key: keys.some(({ value }) => value === key) ? key : undefined,
  });
}
