"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { AgentLine } from "@/components/ui/agent-name";
import { classNames } from "@/components/ui/class-names";
import { Progress } from "@/components/ui/progress";
import { RetryCallout } from "@/components/ui/retry-callout";
import { localeOfReader } from "@/components/ui/time";
import { useDecrypted } from "@/components/vault/vault-provider";
import { DayChart } from "./day-chart";
import { daysUntil, flowsOf, monthsUntil, rounded, type Series, seriesOf, sinceOf } from "./spend";

function nameOf(month: string, form: "short" | "long"): string {
  const [year, number] = month.split("-").map(Number);
  const options: Intl.DateTimeFormatOptions =
    form === "short" ? { month: "short" } : { month: "long", year: "numeric" };
  return new Intl.DateTimeFormat(localeOfReader(), options).format(new Date(year ?? 0, (number ?? 1) - 1, 1));
}

/** What each payer has spent this month and in all months shown. */
function Payers({ asset, months, series }: { asset: string; months: readonly string[]; series: readonly Series[] }) {
  const newest = months.length - 1;
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">{`Spending in ${asset} by payer`}</caption>
      <thead>
        <tr className="text-muted text-xs">
          <th scope="col" className="pb-1.5 text-left font-normal">
            Paid by
          </th>
          {months.slice(0, newest).map((month) => (
            <th key={month} scope="col" className="sr-only">
              {nameOf(month, "long")}
            </th>
          ))}
          <th scope="col" className="whitespace-nowrap pb-1.5 pl-3 text-right font-normal">
            This month
          </th>
          <th scope="col" className="whitespace-nowrap pb-1.5 pl-3 text-right font-normal">
            {months.length} months
          </th>
        </tr>
      </thead>
      <tbody>
        {series.map(({ payer, sums, total }) => (
          <tr key={payer} className="border-line border-t">
            <th scope="row" className="max-w-0 w-full py-2 text-left font-normal">
              <span className="block min-w-0" title={payer}>
                <AgentLine handle={payer} />
              </span>
            </th>
            {months.slice(0, newest).map((month, at) => (
              <td key={month} className="sr-only">
                {rounded(sums[at] ?? 0)}
              </td>
            ))}
            <td className="whitespace-nowrap py-2 pl-3 text-right tabular-nums">{rounded(sums[newest] ?? 0)}</td>
            <td className="whitespace-nowrap py-2 pl-3 text-right text-muted tabular-nums">{rounded(total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * Spending of the last months, one asset at a time.
 *
 * @param payer handle of the payer to show; the account and all agents if left out
 */
export function SpendCharts({ payer }: { payer?: string | undefined }) {
  // Fixed when the page opens: a new month needs a new page.
  const [now] = useState(() => new Date());
  const [chosen, setChosen] = useState<string>();
  const { data, error, isFetching, refetch, progress } = useDecrypted("spending", { since: sinceOf(now) });
  if (error && !data) {
    return (
      <RetryCallout title="Your spending could not be computed." busy={isFetching} onRetry={refetch}>
        {messageOf(error)}
      </RetryCallout>
    );
  }
  if (!data) {
    // How many there are is known only at the end.
    const done = progress ? `: ${progress.done}` : "";
    return <Progress label={`Decrypting your payments on this device${done}`} />;
  }
  const months = monthsUntil(now);
  const days = daysUntil(now);
  const spent = payer === undefined ? data.spent : data.spent.filter((of) => of.payer === payer);
  const moved = payer === undefined ? data.days : data.days.filter(({ of }) => of === payer);
  const assets = [...new Set([...spent, ...moved].map(({ asset }) => asset))].sort((a, b) => (a < b ? 1 : -1));
  const asset = chosen && assets.includes(chosen) ? chosen : assets[0];
  if (asset === undefined) {
    return (
      <p className="rounded-lg bg-sunken px-4 py-8 text-center text-muted text-sm">
        No payments in the last {months.length} months.
      </p>
    );
  }
  const series = seriesOf(spent, asset, months);
  const spentIn = (at: number) => series.reduce((sum, { sums }) => sum + (sums.at(at) ?? 0), 0);
  const [before, newest] = [spentIn(-2), spentIn(-1)];
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <p>
          <span className="font-semibold text-2xl tabular-nums tracking-tight">{rounded(newest)}</span>{" "}
          <span className="text-muted text-sm">{asset} spent this month</span>
          <span className="block text-muted text-xs">
            {before > 0
              ? `${rounded(before)} ${asset} in ${nameOf(months.at(-2) ?? "", "long")}`
              : "Nothing the month before"}
          </span>
        </p>
        {assets.length > 1 && (
          <fieldset className="flex rounded-lg bg-sunken p-0.5 text-[13px]">
            <legend className="sr-only">Asset</legend>
            {assets.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === asset}
                onClick={() => setChosen(name)}
                className={classNames(
                  "h-7 rounded-md px-2.5 pointer-coarse:h-10",
                  name === asset ? "bg-raised font-medium shadow-raised" : "text-muted hover:text-ink",
                )}
              >
                {name}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      <DayChart days={days} flows={flowsOf(moved, asset, days)} asset={asset} />
      {series.length > 0 && <Payers asset={asset} months={months} series={series} />}
      {(data.more || data.unreadable > 0) && (
        <p className="text-muted text-xs">
          {data.more && "Your newest 2,000 payments are counted. "}
          {data.unreadable > 0 && `Not counted: ${data.unreadable} that can't be decrypted.`}
        </p>
      )}
    </div>
  );
}
