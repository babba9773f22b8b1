"use client";

import { LinkIcon, ShieldAlert, ShieldCheck } from "lucide-react";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Time } from "@/components/ui/time";
import type { ChainReport } from "./use-chain-check";

const entries = (count: number) => (count === 1 ? "1 entry" : `${count} entries`);

function Verdict({ report }: { report: ChainReport | null }) {
  if (!report) return "Each entry's hash covers the one before it. Your browser recomputes them.";
  const { verified, broken, oldest, extent, note } = report;
  if (broken.length > 0) {
    return (
      <ul className="grid gap-1">
        {broken.slice(0, 5).map(({ id, position, problem }) => (
          <li key={`${position} ${problem}`}>
            Entry {position}
            {id && (
              <>
                {" "}
                <code className="wrap-anywhere font-mono text-xs">{id}</code>
              </>
            )}{" "}
            {problem}.
          </li>
        ))}
        {broken.length > 5 && <li>And {broken.length - 5} more.</li>}
      </ul>
    );
  }
  if (!oldest) {
    return note === "left"
      ? "Nothing is left of what this browser noted at the last check: it could not compare, and keeps its note."
      : "There is nothing to check yet.";
  }
  if (extent === "whole") {
    return (
      <>
        Verified {entries(verified)} back to {oldest.position === 1 ? "the first" : `entry ${oldest.position}`},{" "}
        <Time value={oldest.created_at} />. {oldest.position > 1 && "The operator keeps no earlier ones. "}
        {note === undefined
          ? "This browser has noted the newest; the next check compares."
          : note === "held"
            ? "It still holds what this browser noted at the last check."
            : "The log begins after what this browser noted at the last check: it could not compare, and keeps its note."}
      </>
    );
  }
  return (
    <>
      Verified {entries(verified)} back to <Time value={oldest.created_at} />
      {extent === "filtered" ? ". With entries left out, only neighbours are compared with each other." : "."}
    </>
  );
}

/** Whether the chain of hashes holds, as this browser found out by itself. */
export function ChainPanel({
  report,
  busy,
  onCheckAll,
}: {
  report: ChainReport | null;
  busy: boolean;
  onCheckAll: () => void;
}) {
  const broken = report !== null && report.broken.length > 0;
  const whole = report?.extent === "whole";
  const uncompared = report?.note === "left";
  const Icon = broken ? ShieldAlert : report && !uncompared ? ShieldCheck : LinkIcon;
  return (
    <section
      aria-label="Chain of hashes"
      className={classNames(
        "mb-6 flex flex-wrap items-start gap-x-4 gap-y-3 rounded-xl border px-4 py-3.5 text-sm sm:px-5",
        broken ? "border-danger/40 bg-danger-soft" : "border-line bg-raised shadow-raised",
      )}
    >
      <Icon
        size={18}
        aria-hidden="true"
        className={classNames(
          "mt-0.5 shrink-0",
          broken ? "text-danger" : report && !uncompared ? "text-success" : "text-muted",
        )}
      />
      <div role={broken ? "alert" : "status"} className="min-w-0 flex-1 basis-60">
        <p className="font-medium">
          {broken
            ? "The log was changed after it was written."
            : uncompared
              ? "What is kept of the log fits together."
              : whole
                ? "The whole log is unchanged."
                : report
                  ? "What is shown is unchanged."
                  : "Chained by hashes"}
        </p>
        <div className={classNames("mt-0.5 text-pretty", broken ? "text-ink" : "text-muted")}>
          <Verdict report={report} />
        </div>
        {broken && (
          <p className="mt-2 text-pretty">
            Export the log and keep the file, then ask the operator of this service. Do not rely on that entry or
            earlier ones.
          </p>
        )}
      </div>
      <Button size="small" busy={busy} onClick={onCheckAll}>
        {busy ? "Checking" : whole ? "Check again" : "Verify whole log"}
      </Button>
    </section>
  );
}
