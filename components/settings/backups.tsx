"use client";

import { useQueryClient } from "@tanstack/react-query";
import {
  Check,
  ChevronRight,
  Download,
  FlaskConical,
  KeyRound,
  MoreHorizontal,
  Plus,
  Trash2,
  Wallet,
  X,
} from "lucide-react";
import { useState } from "react";
import type { Hex } from "viem";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import { Address } from "@/components/ui/address";
import { Badge } from "@/components/ui/badge";
import { Button, buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Menu } from "@/components/ui/menu";
import { saveFile } from "@/components/ui/save-file";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import type { Network } from "@/lib/base/network";
import type { Backup } from "@/sdk/account/backups";
import { AddBackupDialog } from "./add-backup-dialog";
import type { BackupToTest } from "./backup-to-test";
import { TestBackupDialog } from "./test-backup-dialog";

const CAN = [
  "Read the whole history of the account and its agents.",
  "Spend the available balances, yours and your agents'.",
];

const CANNOT = [
  "Sign in here as you, or see this page.",
  "Make received money available, or withdraw money that is not available.",
  "Change the account's keys on the ledger, or replace your wallet.",
];

/** What a downloaded backup needs besides its ciphertext, to be decrypted anywhere. */
interface BackupOrigin {
  network: Network;
  chain_id: number;
  ledger: string;
  domain_salt: string;
  /** The owner's address. */
  account: string;
}

/** A row: a backup, or the copy that enrollment stored on the ledger. */
interface Row extends BackupToTest {
  key: string;
  backup?: Backup;
  /** Whether the account's own wallet decrypts it, so that unlocking tests it. */
  own?: boolean;
}

/** The most backups that the service keeps. */
const MOST = 5;

/** The encrypted copies of the account key: those on the ledger and those the service keeps. */
export function Backups({
  initial,
  origin,
  onLedger,
  encryptedAccountKey,
}: {
  initial: { backups: Backup[] };
  origin: BackupOrigin;
  /** What decrypts the copy that enrollment stored on the ledger. */
  onLedger: readonly ("wallet" | "recovery_code")[];
  encryptedAccountKey: Hex | null;
}) {
  const toast = useToast();
  const { data } = useResource("/api/backups", { initial });
  const [adding, setAdding] = useState(false);
  const [testing, setTesting] = useState<BackupToTest>();
  const [deleting, setDeleting] = useState<Backup>();
  const backups = data?.backups ?? [];
  const rows: Row[] = [
    ...onLedger.map((kind) => ({
      key: kind,
      kind,
      label: kind === "wallet" ? "Your wallet" : "Recovery code of your first visit",
      encrypted: encryptedAccountKey ?? "0x",
      address: kind === "wallet" ? origin.account : null,
      own: kind === "wallet",
    })),
    ...backups.map((backup) => ({ ...backup, key: backup.backup_id, backup })),
  ];
  const download = ({ backup_id, kind, label, address, encrypted, created_at }: Backup) => {
    const file = { format: "halcyon-backup/1", ...origin, kind, opened_by: address, label, encrypted, created_at };
    saveFile(`halcyon-${origin.network}-${backup_id}.json`, "application/json", `${JSON.stringify(file, null, 2)}\n`);
    toast.success("Backup saved", "The file is encrypted: it is useless without its recovery code or wallet.");
  };
  const columns: Column<Row>[] = [
    {
      name: "Copy",
      heading: true,
      cell: ({ kind, label }) => (
        <span className="flex items-center gap-3">
          {kind === "wallet" ? (
            <Wallet size={16} aria-hidden="true" className="shrink-0 text-muted" />
          ) : (
            <KeyRound size={16} aria-hidden="true" className="shrink-0 text-muted" />
          )}
          <span className="wrap-anywhere font-medium">{label}</span>
        </span>
      ),
    },
    {
      name: "Opens with",
      cell: ({ address }) =>
        address ? <Address value={address} /> : <span className="text-muted">A recovery code</span>,
    },
    {
      name: "Kept",
      cell: ({ backup }) =>
        backup ? (
          <span className="text-muted">
            Since <Time value={backup.created_at} />
          </span>
        ) : (
          <Badge>On the ledger</Badge>
        ),
    },
    {
      name: "Actions",
      align: "end",
      cell: (row) =>
        row.own ? (
          <span className="text-muted text-xs">Decrypted at every unlock</span>
        ) : (
          <Menu
            trigger={
              <button
                type="button"
                aria-label={`Actions for ${row.label}`}
                className={buttonClass("ghost", "small", "-mr-2 w-8 px-0! pointer-coarse:w-11")}
              >
                <MoreHorizontal size={16} aria-hidden="true" />
              </button>
            }
            actions={[
              {
                label: "Test",
                icon: <FlaskConical size={15} aria-hidden="true" />,
                onSelect: () => setTesting(row),
              },
              ...(row.backup ? kept(row.backup) : []),
            ]}
          />
        ),
    },
  ];
  const kept = (backup: Backup) => [
    { label: "Download", icon: <Download size={15} aria-hidden="true" />, onSelect: () => download(backup) },
    {
      label: "Delete",
      icon: <Trash2 size={15} aria-hidden="true" />,
      danger: true,
      onSelect: () => setDeleting(backup),
    },
  ];
  return (
    <Card
      id="backups"
      flush
      title="Backups of your key"
      description="Everything in your account derives from one key, created on your device. These are its encrypted copies. The service stores them and can't decrypt any."
      action={
        <Button
          data-early
          tone="primary"
          size="small"
          icon={<Plus size={15} aria-hidden="true" />}
          disabled={backups.length >= MOST}
          onClick={() => setAdding(true)}
        >
          Add backup
        </Button>
      }
    >
      <Table label="Backups" columns={columns} rows={rows} rowKey={({ key }) => key} />
      <BackupScope full={backups.length >= MOST} />
      <AddBackupDialog open={adding} onClose={() => setAdding(false)} onAdded={setTesting} />
      <TestBackupDialog tested={testing} onClose={() => setTesting(undefined)} />
      <DeleteBackupDialog deleted={deleting} onClose={() => setDeleting(undefined)} />
    </Card>
  );
}

/** Explains what a backup can restore (docs/protocol.md section 3). */
function BackupScope({ full }: { full: boolean }) {
  return (
    <div className="border-line border-t px-4 py-4 text-sm sm:px-5">
      {full && (
        <p className="mb-3 text-muted">You have as many backups as an account may have; delete one to add another.</p>
      )}
      <details className="group">
        <summary className="inline-flex cursor-pointer select-none items-center gap-1 rounded-md text-muted hover:text-ink pointer-coarse:py-3">
          <ChevronRight size={14} aria-hidden="true" className="transition-transform group-open:rotate-90" />
          What can someone with a copy do?
        </summary>
        <div className="mt-3 grid gap-5 sm:grid-cols-2">
          <div>
            <h3 className="font-medium">Anyone who opens a copy can</h3>
            <ul className="mt-1.5 grid gap-1.5 text-muted">
              {CAN.map((text) => (
                <li key={text} className="flex gap-2">
                  <Check size={14} aria-hidden="true" className="mt-1 shrink-0 text-success" />
                  <span className="text-pretty">{text}</span>
                </li>
              ))}
            </ul>
          </div>
          <div>
            <h3 className="font-medium">They cannot</h3>
            <ul className="mt-1.5 grid gap-1.5 text-muted">
              {CANNOT.map((text) => (
                <li key={text} className="flex gap-2">
                  <X size={14} aria-hidden="true" className="mt-1 shrink-0 text-danger" />
                  <span className="text-pretty">{text}</span>
                </li>
              ))}
            </ul>
          </div>
        </div>
        <p className="mt-4 max-w-prose text-pretty text-muted">
          A code or a second wallet also unlocks here, should your own no longer sign as it did.{" "}
          <a
            href="/docs/recovery#recover-without-your-wallet"
            className="text-accent underline underline-offset-2"
            target="_blank"
            rel="noreferrer"
          >
            Without your wallet
          </a>
          , a downloaded copy can still withdraw the available balances. No backup replaces the wallet: keep its seed
          phrase too, and store a code as carefully as the money.
        </p>
      </details>
    </div>
  );
}

/** Deletes the service's copy after a confirmation. */
function DeleteBackupDialog({ deleted, onClose }: { deleted: Backup | undefined; onClose: () => void }) {
  const network = useNetwork();
  const client = useQueryClient();
  const toast = useToast();
  // Keeps the name while the dialog closes.
  const [shown, setShown] = useState(deleted);
  if (deleted && deleted !== shown) setShown(deleted);
  const remove = async () => {
    if (!deleted) return;
    await api(network).delete(`/api/backups/${deleted.backup_id}`);
    await client.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/backups") });
    toast.success("Backup deleted", `${deleted.label} is no longer kept here.`);
  };
  return (
    <ConfirmDialog
      open={deleted !== undefined}
      onClose={onClose}
      title={`Delete ${shown?.label ?? "backup"}?`}
      keep="Keep backup"
      confirm="Delete backup"
      onConfirm={remove}
    >
      <p>
        The copy kept here is deleted. Files you have downloaded can still be decrypted with their recovery code or
        wallet, and so can the copy on the ledger.
      </p>
    </ConfirmDialog>
  );
}
