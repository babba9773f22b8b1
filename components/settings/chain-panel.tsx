"use client";

import { LinkIcon, ShieldAlert, ShieldCheck } from "lucide-react";
import { useRef } from "react";
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
      ? "What this browser noted at its last check is no longer kept, so it could not compare. It keeps its note."
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
            ? "It still matches what this browser noted at its last check."
            : "The log starts after what this browser noted at its last check, so it could not compare. It keeps its note."}
      </>
    );
  }
  return (
    <>
      Verified {entries(verified)} back to <Time value={oldest.created_at} />
      {extent === "filtered" ? ". With entries left out, only neighbors are compared with each other." : "."}
    </>
  );
}

/** Shows whether the hash chain is intact, as this browser found by itself. */
export function ChainPanel({
  report,
  busy,
  onCheckAll,
  onBeginAgain,
}: {
  report: ChainReport | null;
  busy: boolean;
  onCheckAll: () => void;
  /** Gives up the note that could not be compared. */
  onBeginAgain: () => void;
}) {
  const section = useRef<HTMLElement>(null);
  const broken = report !== null && report.broken.length > 0;
  const whole = report?.extent === "whole";
  const uncompared = report?.note === "left";
  const Icon = broken ? ShieldAlert : report && !uncompared ? ShieldCheck : LinkIcon;
  return (
    <section
      ref={section}
      tabIndex={-1}
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
              ? "The kept part of the log is consistent."
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
        {uncompared && !broken && (
          <p className="mt-2 text-pretty text-muted">
            If your operator says that earlier entries have left, you can give the note up and compare from here on.
          </p>
        )}
      </div>
      {uncompared && !broken && (
        <Button
          size="small"
          disabled={busy}
          onClick={() => {
            // The button goes away: the focus stays at what it was about.
            section.current?.focus();
            onBeginAgain();
          }}
        >
          Compare from here on
        </Button>
      )}
      <Button size="small" busy={busy} onClick={onCheckAll}>
        {busy ? "Checking" : whole ? "Check again" : "Verify whole log"}
      </Button>
    </section>
  );
}
