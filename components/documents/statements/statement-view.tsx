"use client";

import { shortened } from "@/components/ui/address";
import { Amount, assetOfAll } from "@/components/ui/amount";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { useCount } from "@/components/ui/count";
import { type Column, Table } from "@/components/ui/table";
import { exactTime, useReader, writtenTime } from "@/components/ui/time";
import {
  MOVEMENT_WORDS,
  type Statement,
  type StatementAsset,
  type StatementRow,
} from "@/lib/payments/statements/statement";

/** How many rows to show. Files contain all of them. */
const SHOWN = 50;

function Balance({ value, asset }: { value: string | null; asset: string }) {
  return value === null ? <span className="text-muted">Not known</span> : <Amount value={value} asset={asset} />;
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="mt-1 font-medium text-[15px]">{children}</dd>
    </div>
  );
}

function AssetFigures({ asset, opening, paid_in, paid_out, closing }: StatementAsset) {
  return (
    <dl className="grid grid-cols-2 gap-4 border-line border-t px-4 py-4 first:border-t-0 sm:px-5 lg:grid-cols-4">
      <Figure name="Opening balance">
        <Balance value={opening} asset={asset} />
      </Figure>
      <Figure name="Paid in">
        <Amount value={paid_in} asset={asset} sign="+" />
      </Figure>
      <Figure name="Paid out">
        <Amount value={paid_out} asset={asset} sign="−" />
      </Figure>
      <Figure name="Closing balance">
        <Balance value={closing} asset={asset} />
      </Figure>
    </dl>
  );
}

function columnsOf({ time_zone: zone, accounts, rows }: Statement, locale: string): Column<StatementRow>[] {
  const only = assetOfAll(rows);
  const unit = only === undefined ? "" : `, ${only}`;
  const aligned = only !== undefined;
  return [
    {
      name: "Movement",
      heading: true,
      cell: ({ type, counterparty, counterparty_address: address, account }) => (
        <span className="min-w-0">
          <span className="block truncate font-medium">
            {counterparty ??
              (address ? <span className="font-mono text-[13px]">{shortened(address)}</span> : null) ??
              MOVEMENT_WORDS[type]}
          </span>
          <span className="block truncate text-muted text-xs">
            {[...(address ? [MOVEMENT_WORDS[type]] : []), ...(accounts.length > 1 ? [account] : [])].join(" · ")}
          </span>
        </span>
      ),
    },
    {
      name: "When",
      cell: ({ time }) => (
        <time
          dateTime={time}
          title={exactTime(new Date(time), locale)}
          className="whitespace-nowrap text-muted tabular-nums"
        >
          {writtenTime(new Date(time), "minute", zone, locale)}
        </time>
      ),
    },
    {
      name: "Reference",
      cell: ({ reference, memo }) => <span className="wrap-anywhere text-muted">{reference ?? memo ?? "–"}</span>,
    },
    {
      name: `Amount${unit}`,
      align: "end",
      cell: ({ paid_in, paid_out, asset }) => (
        <Amount value={paid_in ?? paid_out} asset={asset} sign={paid_in === null ? "−" : "+"} aligned={aligned} />
      ),
    },
    {
      name: `Balance${unit}`,
      align: "end",
      cell: ({ balance, asset }) =>
        balance === null ? (
          <span className="text-muted">–</span>
        ) : (
          <Amount value={balance} asset={asset} aligned={aligned} />
        ),
    },
  ];
}

/** Shows a statement: problems first, then totals, then the newest rows. */
export function StatementView({ statement, actions }: { statement: Statement; actions: React.ReactNode }) {
  const { assets, rows, problems, adds_up: addsUp, to, block_time: newest } = statement;
  const { locale } = useReader();
  const count = useCount();
  const shown = rows.slice(-SHOWN).reverse();
  return (
    <div className="grid gap-4">
      {problems.length > 0 && (
        <Callout
          tone={addsUp ? "info" : "danger"}
          title={addsUp ? "Note" : "This statement does not add up with the chain. Don't rely on it."}
        >
          <ul className="grid gap-1">
            {problems.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Callout>
      )}
      <Card
        flush
        title={addsUp ? "Adds up with the chain" : "Balances"}
        description={`Available, received and deposited together${newest < to ? ", up to now: the period is not over" : ""}.`}
        action={<div className="flex flex-wrap gap-2">{actions}</div>}
      >
        {assets.length === 0 ? (
          <p className="border-line border-t px-5 py-8 text-center text-muted text-sm">
            No balances and no movements in this period.
          </p>
        ) : (
          <div className="border-line border-t">
            {assets.map((asset) => (
              <AssetFigures key={asset.asset} {...asset} />
            ))}
          </div>
        )}
      </Card>
      {rows.length > 0 && (
        <Card
          flush
          title="Movements"
          description={
            rows.length > SHOWN ? `The newest ${SHOWN} of ${count(rows.length)}. The files have all.` : undefined
          }
        >
          <Table
            label="Movements"
            columns={columnsOf(statement, locale)}
            rows={shown}
            rowKey={({ tx_hash, log_index, account }) => `${tx_hash}.${log_index}.${account}`}
          />
        </Card>
      )}
    </div>
  );
}
