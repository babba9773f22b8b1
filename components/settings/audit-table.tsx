import { ArrowRight } from "lucide-react";
import { Address } from "@/components/ui/address";
import { Badge } from "@/components/ui/badge";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { AuditEntryView } from "@/lib/events/audit/audit-resource";
import type { BrokenEntry } from "@/lib/events/audit/check-entries";
import { ACTORS, actionWords, changesOf, fieldWords } from "./audit-wording";

/** A value, with a moment as every page writes it. */
function Value({ text }: { text: string }) {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? <Time value={text} deadline /> : text;
}

function Changes({ entry }: { entry: AuditEntryView }) {
  const changes = changesOf(entry);
  if (changes.length === 0) return null;
  return (
    <ul
      className={
        entry.before && entry.after ? "mt-1 grid gap-0.5 text-xs" : "mt-1 flex flex-wrap gap-x-3.5 gap-y-0.5 text-xs"
      }
    >
      {changes.map(({ field, before, after }) => (
        <li key={field} className="flex flex-wrap items-baseline gap-x-1.5">
          <span className="text-muted">{fieldWords(field)}</span>
          {before !== undefined && (
            <span className={after === undefined ? "wrap-anywhere" : "wrap-anywhere text-muted line-through"}>
              <Value text={before} />
            </span>
          )}
          {before !== undefined && after !== undefined && (
            <>
              <ArrowRight size={11} aria-hidden="true" className="shrink-0 self-center text-faint" />
              <span className="sr-only">became</span>
            </>
          )}
          {after !== undefined && (
            <span className="wrap-anywhere">
              <Value text={after} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function What({ entry, broken }: { entry: AuditEntryView; broken: BrokenEntry | undefined }) {
  return (
    <div className="min-w-0 max-sm:mb-1">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{actionWords(entry.action)}</span>
        {broken && <Badge tone="danger">{broken.problem}</Badge>}
      </p>
      <Changes entry={entry} />
      <details className="mt-1">
        <summary className="w-fit rounded text-muted text-xs hover:text-ink pointer-coarse:py-2">
          Entry {entry.position}
        </summary>
        <dl className="mt-1.5 grid gap-1 text-xs sm:grid-cols-[5.5rem_minmax(0,1fr)]">
          <Detail name="Action" value={entry.action} />
          <Detail name="Entry" value={entry.id} />
          <Detail name="Target" value={entry.target} />
          <Detail name="Hash" value={entry.hash} />
          <Detail name="Follows" value={entry.previous_hash} />
        </dl>
      </details>
    </div>
  );
}

function Detail({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="wrap-anywhere font-mono">{value}</dd>
    </>
  );
}

function Who({ entry, session }: { entry: AuditEntryView; session: string }) {
  const { type, id, label } = entry.actor;
  const name = type === "session" && id === session ? "You, in this session" : (label ?? ACTORS[type]);
  return (
    <span className="block max-sm:text-right">
      <span className="block">{name}</span>
      <span className="wrap-anywhere block font-mono text-muted text-xs">
        {entry.client_address ?? (type === "system" ? "by itself" : "address unknown")}
      </span>
    </span>
  );
}

/** Entries of the audit log, newest first. */
export function AuditTable({
  entries,
  broken,
  session,
}: {
  entries: readonly AuditEntryView[];
  broken: readonly BrokenEntry[];
  /** Id of this page's session. */
  session: string;
}) {
  const columns: Column<AuditEntryView>[] = [
    {
      name: "What",
      heading: true,
      className: "sm:w-full sm:align-top",
      cell: (entry) => <What entry={entry} broken={broken.find(({ id }) => id === entry.id)} />,
    },
    {
      // On a tablet it stands with the entry's details.
      name: "Target",
      wide: true,
      className: "sm:align-top",
      cell: ({ target }) => <Address value={target} label="target" className="sm:-my-1 whitespace-nowrap text-muted" />,
    },
    { name: "Who", className: "sm:min-w-44 sm:align-top", cell: (entry) => <Who entry={entry} session={session} /> },
    {
      name: "When",
      align: "end",
      className: "sm:align-top sm:whitespace-nowrap",
      cell: ({ created_at }) => <Time value={created_at} seconds className="text-muted" />,
    },
  ];
  return <Table label="Audit log" columns={columns} rows={entries} rowKey={({ id }) => id} />;
}
