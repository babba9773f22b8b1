"use client";

import { ChartColumn, MoreHorizontal, Trash2 } from "lucide-react";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { useOpened, useVault } from "@/components/vault/vault-provider";
import type { ListedKey } from "@/sdk/api/api-types";

/** Whether a key has run out. The server's clock decides; this is what is shown. */
function expired({ expires_at }: ListedKey): boolean {
  return expires_at !== null && new Date(expires_at).getTime() <= Date.now();
}

function Standing({ entry }: { entry: ListedKey }) {
  if (entry.revoked_at) {
    return (
      <span className="text-muted">
        Revoked <Time value={entry.revoked_at} />
      </span>
    );
  }
  if (!entry.expires_at) return <span className="text-muted">Does not expire</span>;
  if (expired(entry)) return <Badge tone="warning">Expired</Badge>;
  return (
    <span className="text-muted">
      Until <Time value={entry.expires_at} />
    </span>
  );
}

/** What payments made with a key have moved; summed in this browser. */
function Moved({ entry }: { entry: ListedKey }) {
  const { reads } = useVault();
  const { data, error } = useOpened("moved", { key: entry.key_id }, { enabled: entry.requests > 0 });
  if (entry.requests === 0) return <span className="text-faint">None</span>;
  if (error) return <span className="text-muted">unreadable</span>;
  return (
    <span className="inline-flex items-baseline gap-1">
      {data?.more && <span className="text-muted text-xs">over</span>}
      <Amount value={data?.amount} asset="USDG" sealed={!reads} />
    </span>
  );
}

/** Keys by name, never by their text. */
export function KeyTable({
  keys,
  ofOne = false,
  onRevoke,
  onChart,
}: {
  keys: ListedKey[];
  /** All pay from the same: it need not be said. */
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
          <span className="block truncate font-medium sm:max-w-48">{entry.label}</span>
          <span className="block font-mono text-muted text-xs">
            {entry.prefix}…{entry.last_four}
          </span>
          <span className="block text-muted text-xs">
            {entry.scopes?.join(", ") ?? "everything"}
            {entry.allowed_ips && ", from listed addresses"}
          </span>
        </span>
      ),
    },
    ...(ofOne
      ? []
      : [
          {
            name: "Pays from",
            cell: ({ agent }: ListedKey) => agent ?? <span className="text-muted">Account</span>,
          },
        ]),
    {
      name: "Last used",
      cell: ({ last_used_at }) =>
        last_used_at ? <Time value={last_used_at} /> : <span className="text-faint">Never</span>,
    },
    {
      name: "Requests",
      align: "end",
      cell: ({ requests }) => <span className="tabular-nums">{requests.toLocaleString("en")}</span>,
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
