import { ArrowDownLeft, ArrowLeftRight, ArrowUpRight, Globe } from "lucide-react";
import { shortened } from "@/components/ui/address";
import { AgentLine, shortName } from "@/components/ui/agent-name";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import { TransferStatusBadge } from "./status-badge";
import { TransferAmount, TransferMemo } from "./use-decrypted-transfer";
import { actingAgent, counterparty, kindInWords, type ListedTransfer } from "./wording";

const HEAD = "whitespace-nowrap px-3 py-2.5 font-medium text-muted text-xs first:pl-5 last:pr-5";
const CELL = "sm:border-line sm:border-t sm:px-3 sm:py-3 sm:align-middle sm:first:pl-5 sm:last:pr-5";

function Mark({ transfer }: { transfer: ListedTransfer }) {
  const Icon =
    transfer.kind === "fund"
      ? ArrowLeftRight
      : transfer.kind === "release"
        ? Globe
        : transfer.direction === "sent"
          ? ArrowUpRight
          : ArrowDownLeft;
  return (
    <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-muted">
      <Icon size={15} aria-hidden="true" />
    </span>
  );
}

function Who({ transfer, href }: { transfer: ListedTransfer; href: string }) {
  const name = counterparty(transfer);
  const agent = actingAgent(transfer);
  return (
    <span className="flex items-center gap-3">
      <Mark transfer={transfer} />
      <span className="min-w-0">
        <Link
          href={href}
          className="block truncate font-medium after:absolute after:inset-0 hover:text-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {name.startsWith("0x") ? (
            <span className="font-mono text-[13px]">{shortened(name)}</span>
          ) : (
            <AgentLine handle={name} />
          )}
        </Link>
        <span className="block truncate text-muted text-xs">
          {kindInWords(transfer)}
          {agent && ` by ${shortName(agent)}`}
        </span>
      </span>
    </span>
  );
}

function Row({
  path,
  transfer,
  aligned,
  dated,
}: {
  path: string;
  transfer: ListedTransfer;
  /** Whether the column's head names the asset. */
  aligned: boolean;
  /** Whether the day stands above as a heading. */
  dated: boolean;
}) {
  return (
    <tr className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 border-line border-t px-4 py-3.5 first:border-t-0 hover:bg-sunken/50 sm:table-row sm:p-0">
      <td className={`${CELL} sm:table-cell row-start-1 min-w-0`}>
        <Who transfer={transfer} href={`${path}/${transfer.transfer_id}`} />
      </td>
      <td
        className={`${CELL} max-sm:col-start-1 max-sm:row-start-2 max-sm:pl-11 max-sm:text-xs sm:hidden md:table-cell`}
      >
        <TransferMemo transfer={transfer} />
      </td>
      <td className={`${CELL} sm:table-cell col-start-2 row-start-3 justify-self-end`}>
        {transfer.status === "confirmed" ? (
          <span className="sr-only">Confirmed</span>
        ) : (
          <TransferStatusBadge status={transfer.status} />
        )}
      </td>
      <td
        className={`${CELL} sm:table-cell col-start-1 row-start-3 self-center pl-11 text-muted max-sm:text-xs sm:whitespace-nowrap`}
      >
        <Time value={transfer.created_at} clock={dated} />
      </td>
      <td className={`${CELL} sm:table-cell col-start-2 row-start-1 self-center text-right`}>
        <TransferAmount transfer={transfer} aligned={aligned} className="font-medium sm:max-lg:whitespace-normal!" />
      </td>
    </tr>
  );
}

/** Transfers, newest first. On a phone each has three lines: who and how much, the memo, time and status. */
export function TransferTable({
  path,
  days,
}: {
  path: string;
  /** Transfers by day, each with a name as its heading. Without names, one plain list. */
  days: readonly { name?: string; transfers: readonly ListedTransfer[] }[];
}) {
  const assets = new Set(days.flatMap(({ transfers }) => transfers.map(({ asset }) => asset)));
  const [only] = assets.size === 1 ? assets : [];
  return (
    <table
      aria-label="Transfers"
      className="group/amounts block w-full table-fixed border-line border-t text-sm sm:table"
    >
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr>
          <th scope="col" className={`${HEAD} text-left`}>
            With
          </th>
          <th scope="col" className={`${HEAD} w-32 text-left max-md:hidden lg:w-52 xl:w-64 min-[1700px]:w-96`}>
            Memo
          </th>
          <th scope="col" className={`${HEAD} w-28 text-left`}>
            Status
          </th>
          <th scope="col" className={`${HEAD} text-left ${days[0]?.name === undefined ? "w-44" : "w-28"}`}>
            Created
          </th>
          <th scope="col" className={`${HEAD} w-40 text-right lg:w-48`}>
            {only === undefined ? "Amount" : `Amount, ${only}`}
          </th>
        </tr>
      </thead>
      {days.map(({ name, transfers }) => (
        <tbody key={name ?? "all"} className="group/day block sm:table-row-group">
          {name !== undefined && (
            <tr className="block border-line border-t bg-sunken/40 group-first-of-type/day:border-t-0 sm:table-row">
              <th
                scope="rowgroup"
                colSpan={5}
                className="block border-line px-4 py-2 text-left font-medium text-muted text-xs sm:table-cell sm:border-t sm:px-5"
              >
                {name}
              </th>
            </tr>
          )}
          {transfers.map((transfer) => (
            <Row
              key={transfer.transfer_id}
              path={path}
              transfer={transfer}
              aligned={only !== undefined}
              dated={name !== undefined}
            />
          ))}
        </tbody>
      ))}
    </table>
  );
}
