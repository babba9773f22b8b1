import { ArrowRight } from "lucide-react";
import { recipientInWords } from "@/lib/policy/number-words";
import { WORDS } from "@/lib/policy/rules";
import type { PolicyFields } from "@/lib/policy/spend-policy";

function Names({ entries, sign, tone }: { entries: readonly string[]; sign: string; tone: string }) {
  return entries.map((entry) => (
    <span key={entry} className={`wrap-anywhere ${tone}`}>
      <span aria-hidden="true">{sign}</span> {entry === "*" ? "anyone" : recipientInWords(entry)}
      <span className="sr-only">{sign === "+" ? " added" : " removed"}</span>
    </span>
  ));
}

/** For a list, what is added and removed says more than two full lists. */
function RecipientChange({ before, after }: { before: PolicyFields; after: PolicyFields }) {
  const removed = before.allowed_recipients.filter((entry) => !after.allowed_recipients.includes(entry));
  const added = after.allowed_recipients.filter((entry) => !before.allowed_recipients.includes(entry));
  if (removed.length + added.length === 0) return "Same recipients, in another order";
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      <Names entries={added} sign="+" tone="font-medium text-success" />
      <Names entries={removed} sign="−" tone="text-danger" />
    </span>
  );
}

/** Shows what saving would change, field by field. */
export function PolicyDifference({
  before,
  after,
  changes,
}: {
  before: PolicyFields;
  after: PolicyFields;
  changes: readonly (keyof PolicyFields)[];
}) {
  return (
    <dl className="divide-y divide-line rounded-lg border border-line">
      {changes.map((field) => (
        <div key={field} className="grid gap-1 px-3.5 py-2.5 sm:grid-cols-[7rem_minmax(0,1fr)] sm:gap-4">
          <dt className="text-muted text-sm">{WORDS[field].label}</dt>
          <dd className="min-w-0 text-sm tabular-nums">
            {field === "allowed_recipients" ? (
              <RecipientChange before={before} after={after} />
            ) : (
              <span className="flex flex-wrap items-center gap-x-2">
                <span className="text-muted">{WORDS[field].brief(before)}</span>
                <ArrowRight size={13} aria-label="becomes" className="shrink-0 text-faint" />
                <span className="font-medium">{WORDS[field].brief(after)}</span>
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
