import type { ReactNode } from "react";
import { AgentLine } from "@/components/ui/agent-name";
import { Amount, type DecryptedAmount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import type { DecryptedFunds, FundsOutput } from "@/components/vault/methods/funds";
import type { Decimals } from "@/lib/base/money";
import { type AssetFacts, isEmpty } from "./asset-facts";
import { DoLink } from "./do-link";
import { holdingOf, isDecrypted, totalsOf } from "./holdings";
import { toUnits } from "./units";

/** The parts of a total, with the colors of their rows. */
const PARTS = {
  available: { fill: "fill-accent", dot: "bg-accent" },
  notes: { fill: "fill-accent/50", dot: "bg-accent/50" },
  deposited: { fill: "fill-faint/60", dot: "bg-faint/60" },
  agents: { fill: "fill-warning/70", dot: "bg-warning/70" },
} as const;

type SharePart = keyof typeof PARTS;

const WIDTH = 1_000;

/** An agent of the account and the address of its page. */
export interface HoldingAgent {
  /** With `@`. */
  handle: string;
  href: string;
}

/** One asset: its total, and the parts it consists of. */
export function AssetCard({
  facts,
  funds,
  encrypted,
  agents,
}: {
  facts: AssetFacts;
  /** Undefined while locked or decrypting. */
  funds: FundsOutput | undefined;
  encrypted: boolean;
  agents: readonly HoldingAgent[];
}) {
  const { symbol, decimals } = facts;
  const holding = holdingOf(funds, symbol);
  const opened = isDecrypted(holding) ? holding : undefined;
  const handles = agents.map(({ handle }) => handle);
  const { held, agentsTotal, total } = totalsOf(funds, facts, handles);
  // True if all of it is public on chain.
  const isPublic = facts.neverMadeAvailable && facts.notes === 0 && agents.length === 0;
  const failed = isDecrypted(holding) ? undefined : holding;
  const show = (value: DecryptedAmount): DecryptedAmount => (failed ? null : value);
  // Once decrypted, agents that hold none of it are left out.
  const shown = funds && agents.length > 0 ? agents.filter(({ handle }) => held(handle) !== "0") : agents;
  return (
    <section
      aria-labelledby={`asset-${symbol}`}
      className="flex flex-col rounded-xl border border-line bg-raised shadow-raised"
    >
      <header className="grid gap-4 p-4 pb-4 sm:p-5 sm:pb-4">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div>
            <h2 id={`asset-${symbol}`} className="text-muted text-sm">
              Total {symbol}
            </h2>
            <p className="mt-1 flex min-h-9 items-center font-semibold text-[1.75rem] leading-9 tracking-tight">
              {isPublic ? (
                <Amount value={facts.deposited} asset={symbol} className="whitespace-normal!" />
              ) : (
                <Amount value={show(total)} asset={symbol} encrypted={encrypted} className="whitespace-normal!" />
              )}
            </p>
          </div>
          {!isEmpty(facts) && (
            <DoLink act="make-available" parameters={{ asset: symbol }} className={buttonClass("secondary", "small")}>
              Make available
              <span className="sr-only"> {symbol}</span>
            </DoLink>
          )}
        </div>
        <ShareBar
          decimals={decimals}
          parts={
            opened && {
              available: opened.available,
              notes: opened.notesTotal,
              deposited: opened.deposited,
              agents: agentsTotal ?? "0",
            }
          }
        />
      </header>
      <dl className="divide-y divide-line border-line border-t text-sm">
        <Row part="available" name="Available" says="You and your API keys can pay from this.">
          {facts.neverMadeAvailable ? (
            <None>None yet</None>
          ) : (
            <Amount value={show(opened?.available)} asset={symbol} encrypted={encrypted} />
          )}
        </Row>
        <Row part="notes" name="Received and returned" says={notesSaid(facts)}>
          {facts.notes === 0 ? (
            <None>None</None>
          ) : (
            <Amount value={show(opened?.notesTotal)} asset={symbol} encrypted={encrypted} />
          )}
        </Row>
        <Row
          part="deposited"
          name="Deposited"
          mark={<Badge>Public</Badge>}
          says="Not yet available. Anyone can see this amount on chain."
        >
          <Amount value={facts.deposited} asset={symbol} />
        </Row>
        {shown.length > 0 && (
          <Row part="agents" name="Agents hold" says="Their available balances, and payments they received.">
            <Amount value={agentsTotal} asset={symbol} encrypted={encrypted} />
          </Row>
        )}
        {shown.map(({ handle, href }) => (
          <div
            key={handle}
            className="relative flex items-center justify-between gap-4 py-2.5 pr-4 pl-9 hover:bg-sunken/50 sm:pr-5 sm:pl-10"
          >
            <dt className="min-w-0">
              <Link
                href={href}
                aria-label={handle}
                className="text-muted after:absolute after:inset-0 hover:text-ink focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
              >
                <AgentLine handle={handle} />
              </Link>
            </dt>
            <dd className="flex h-5.5 items-center">
              <Amount value={funds ? held(handle) : undefined} asset={symbol} encrypted={encrypted} />
            </dd>
          </div>
        ))}
      </dl>
      <Remarks facts={facts} failure={failed?.error.message} opened={opened} />
    </section>
  );
}

function notesSaid({ notes }: AssetFacts): string {
  if (notes === 0) return "Payments you receive arrive here.";
  return "Not yet available: received, or left over by your own moves.";
}

function None({ children }: { children: ReactNode }) {
  return <span className="text-muted">{children}</span>;
}

function Row({
  part,
  name,
  mark,
  says,
  children,
}: {
  part: SharePart;
  name: string;
  mark?: ReactNode;
  says: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-0.5 px-4 py-3 sm:px-5">
      <dt className="flex min-h-5.5 items-center gap-2">
        <span aria-hidden="true" className={classNames("size-2 shrink-0 rounded-full", PARTS[part].dot)} />
        {name} {mark}
      </dt>
      <dd className="flex h-5.5 items-center justify-end font-medium">{children}</dd>
      <dd className="col-span-2 pl-4 text-pretty text-muted text-xs">{says}</dd>
    </div>
  );
}

/** Explains what prevents an amount from being shown or spent, and the remedy. */
function Remarks({
  facts,
  failure,
  opened,
}: {
  facts: AssetFacts;
  failure?: string;
  opened?: Pick<DecryptedFunds, "unreadable" | "more" | "notes">;
}) {
  const remarks: ReactNode[] = [];
  if (failure !== undefined) {
    remarks.push(
      <Callout key="failure" tone="danger" title="This balance can't be decrypted.">
        {failure}{" "}
        <DoLink
          act="abandon"
          parameters={{ asset: facts.symbol }}
          className="font-medium text-ink underline underline-offset-2"
        >
          See what is lost and how to continue
        </DoLink>
      </Callout>,
    );
  } else if (facts.syncRequired && !opened) {
    remarks.push(
      <Callout key="sync" tone="warning" title="Sync this balance to resume payments.">
        It changed on chain outside Halcyon, by a recovery or another client. Unlock, and this browser syncs it from the
        chain. No money is lost.
      </Callout>,
    );
  }
  if (opened && opened.unreadable > 0) {
    remarks.push(
      <Callout key="unreadable" tone="warning">
        {opened.unreadable === 1 ? "1 received payment" : `${opened.unreadable} received payments`} can't be decrypted:
        the sender encrypted the amount incorrectly. It is not counted and can't be spent. Ask the sender to pay again.
      </Callout>,
    );
  }
  if (opened?.more) {
    remarks.push(
      <Callout key="more">
        There are more received payments than are counted here.{" "}
        {opened.notes.length > 0 ? "Make them available to combine them." : "Decrypt again to read on."}
      </Callout>,
    );
  }
  if (remarks.length === 0) return null;
  return <div className="grid gap-3 border-line border-t p-4 sm:p-5">{remarks}</div>;
}

/**
 * A bar that shows the parts of a total; plain while nothing is known or there. Decorative: the rows show the same
 * figures.
 */
function ShareBar({ parts, decimals }: { parts?: Record<SharePart, string>; decimals: Decimals }) {
  const units = (Object.keys(PARTS) as SharePart[]).map((part) => ({
    part,
    units: toUnits(parts?.[part] ?? "0", decimals),
  }));
  const total = units.reduce((sum, share) => sum + share.units, 0n);
  let from = 0;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} 8`}
      preserveAspectRatio="none"
      width="100%"
      height="6"
      className="rounded-full bg-line"
      aria-hidden="true"
    >
      {total > 0n &&
        units.map((share) => {
          const width = Number((share.units * BigInt(WIDTH)) / total);
          const x = from;
          from += width;
          return (
            width > 0 && <rect key={share.part} x={x} width={width} height={8} className={PARTS[share.part].fill} />
          );
        })}
    </svg>
  );
}
