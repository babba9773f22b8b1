"use client";

import { ChartColumn, MoreHorizontal, Trash2 } from "lucide-react";
import { shortName } from "@/components/ui/agent-name";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { Count } from "@/components/ui/count";
import { Menu } from "@/components/ui/menu";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { useDecrypted, useVault } from "@/components/vault/vault-provider";
import type { ListedKey } from "@/sdk/api/api-types";
import { accessOf } from "./key-access";

/** Until a key ends within this time, the day is enough. */
const SOON_MS = 2 * 86_400_000;

function Standing({ entry }: { entry: ListedKey }) {
  if (entry.revoked_at) {
    return (
      <span className="text-muted xl:whitespace-nowrap">
        Revoked <Time value={entry.revoked_at} day />
      </span>
    );
  }
  if (!entry.expires_at) return <span className="text-muted xl:whitespace-nowrap">Does not expire</span>;
  // Only for display: the server's clock decides.
  const left = new Date(entry.expires_at).getTime() - Date.now();
  if (left <= 0) return <Badge tone="warning">Expired</Badge>;
  const isSoon = left < SOON_MS;
  return (
    <span className={isSoon ? "text-warning" : "text-muted xl:whitespace-nowrap"}>
      Until <Time value={entry.expires_at} day={!isSoon} deadline={isSoon} />
    </span>
  );
}

/** What payments with a key have moved, summed in this browser. */
function Moved({ entry }: { entry: ListedKey }) {
  const { reads } = useVault();
  const { data, error } = useDecrypted("moved", { key: entry.key_id }, { enabled: entry.requests > 0 });
  if (entry.requests === 0) return <span className="text-faint">None</span>;
  if (error) return <span className="text-muted">unknown</span>;
  return (
    <span className="inline-flex items-baseline gap-1">
      {data?.more && <span className="text-muted text-xs">over</span>}
      <Amount value={data?.amount} asset="USDG" encrypted={!reads} aligned />
    </span>
  );
}

/** API keys by name. Their text is never shown. */
export function KeyTable({
  keys,
  ofOne = false,
  onRevoke,
  onChart,
}: {
  keys: ListedKey[];
  /** Whether all keys have the same payer, so that its column can be left out. */
  ofOne?: boolean;
  onRevoke?: (entry: ListedKey) => void;
  onChart: (entry: ListedKey) => void;
}) {
  const columns: Column<ListedKey>[] = [
    {
      name: "Key",
      heading: true,
      cell: (entry) => (
        <span className="block min-w-0">
          <span className="block truncate font-medium sm:max-w-28 md:max-w-36 lg:max-w-32 xl:max-w-48">
            {entry.label}
          </span>
          <span className="block whitespace-nowrap font-mono text-muted text-xs">
            {entry.prefix}…{entry.last_four}
          </span>
          <span className="block text-muted text-xs">
            {accessOf(entry)}
            {entry.kind === "blind" && " · Blind, pays with its home key"}
          </span>
        </span>
      ),
    },
    ...(ofOne
      ? []
      : [
          {
            name: "Pays from",
            cell: ({ agent }: ListedKey) =>
              agent ? (
                <span className="block truncate sm:max-w-16 md:max-w-28 xl:max-w-44" title={agent}>
                  {shortName(agent)}
                </span>
              ) : (
                <span className="text-muted">Account</span>
              ),
          },
        ]),
    {
      name: "Last used",
      cell: ({ last_used_at }) =>
        last_used_at ? (
          <Time value={last_used_at} className="xl:whitespace-nowrap" />
        ) : (
          <span className="text-faint">Never</span>
        ),
    },
    {
      // A key's menu shows them by day.
      name: "Requests",
      align: "end",
      wide: true,
      cell: ({ requests }) => <Count value={requests} className="tabular-nums" />,
    },
    { name: "USDG moved", align: "end", cell: (entry) => <Moved entry={entry} /> },
    { name: "Validity", cell: (entry) => <Standing entry={entry} /> },
    {
      name: "Actions",
      align: "end",
      cell: (entry) => (
        <Menu
          trigger={
            <button
              type="button"
              aria-label={`Actions for ${entry.label}`}
              className={buttonClass("ghost", "small", "-mr-2 w-8 px-0! pointer-coarse:w-11")}
            >
              <MoreHorizontal size={16} aria-hidden="true" />
            </button>
          }
          actions={[
            {
              label: "Requests per day",
              icon: <ChartColumn size={15} aria-hidden="true" />,
              onSelect: () => onChart(entry),
            },
            ...(onRevoke
              ? [
                  {
                    label: "Revoke key",
                    icon: <Trash2 size={15} aria-hidden="true" />,
                    danger: true,
                    onSelect: () => onRevoke(entry),
                  },
                ]
              : []),
          ]}
        />
      ),
    },
  ];
  return <Table label="API keys" columns={columns} rows={keys} rowKey={({ key_id }) => key_id} />;
}
