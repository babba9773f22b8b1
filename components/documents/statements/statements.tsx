"use client";

import { Download, FileSpreadsheet, Share2 } from "lucide-react";
import { useRef, useState, useSyncExternalStore } from "react";
import { ShareDialog } from "@/components/documents/shared-views/share-dialog";
import { SharedViews } from "@/components/documents/shared-views/shared-views";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import type { Choice } from "@/components/ui/field";
import { Progress } from "@/components/ui/progress";
import { saveFile } from "@/components/ui/save-file";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { dateIn } from "@/lib/payments/statements/period";
import type { Statement } from "@/lib/payments/statements/statement";
import { STATEMENT_TYPES, statementText, TEXT_FORMATS } from "@/lib/payments/statements/statement-text";
import { ownTimeZone } from "@/lib/policy/local-time";
import type { ListedSharedView } from "@/sdk/statements/shared-views/shared-view-input";
import type { StatementInput } from "@/sdk/statements/statement-input";
import type { Earnings } from "@/sdk/x402/earnings";
import { readSoldMemo } from "@/sdk/x402/sold-memo";
import { EarningsCard } from "./earnings-card";
import { StatementForm } from "./statement-form";
import { StatementView } from "./statement-view";

const never = () => () => {};

/** Creates statements in this browser. Locking removes them from the screen. */
export function Statements({
  agents,
  assets,
  views,
}: {
  agents: readonly Choice[];
  assets: readonly Choice[];
  views: { shared_views: ListedSharedView[] };
}) {
  const vault = useVault();
  const running = useRef<AbortController>(null);
  // The server does not know the reader's time zone.
  const timeZone = useSyncExternalStore(never, ownTimeZone, () => null);
  const { busy, error, run } = useAsyncAction();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const [created, setCreated] = useState<{ input: StatementInput; statement: Statement; earnings: Earnings | null }>();
  const [sharing, setSharing] = useState(false);
  if (created && vault.status === "locked") setCreated(undefined);

  const ask = (input: StatementInput) =>
    run(async () => {
      if (!(await vault.unlock())) return;
      const controller = new AbortController();
      running.current = controller;
      setCreated(undefined);
      setProgress({ done: 0, total: 0 });
      try {
        const onProgress = (done: number, total: number) => setProgress({ done, total });
        const watched = { signal: controller.signal, onProgress };
        const statement = await vault.run("statement", input, watched);
        const hasSold = statement.rows.some(({ type, memo }) => type === "received" && readSoldMemo(memo) !== null);
        setCreated({ input, statement, earnings: hasSold ? await vault.run("earnings", input, watched) : null });
      } catch (thrown) {
        if (!controller.signal.aborted) throw thrown;
      } finally {
        setProgress(undefined);
      }
    });

  return (
    <div className="grid gap-6">
      <Card>
        <StatementForm agents={agents} assets={assets} timeZone={timeZone} busy={busy} onAsk={ask} />
      </Card>
      {error && (
        <Callout tone="danger" title="No statement was created">
          {error}
        </Callout>
      )}
      {progress && (
        <Card>
          <div className="flex items-end gap-4">
            <div className="flex-1">
              <Progress
                label={progress.total > 0 ? "Decrypting" : "Reading the chain"}
                done={progress.done}
                total={progress.total || undefined}
              />
            </div>
            <Button size="small" onClick={() => running.current?.abort()}>
              Cancel
            </Button>
          </div>
        </Card>
      )}
      {created && (
        <StatementView
          statement={created.statement}
          actions={
            <>
              <StatementFiles statement={created.statement} />
              <Button
                size="small"
                tone="primary"
                icon={<Share2 size={14} aria-hidden="true" />}
                disabled={created.statement.rows.length === 0}
                onClick={() => setSharing(true)}
              >
                Share
              </Button>
            </>
          }
        />
      )}
      {created?.earnings && <EarningsCard earnings={created.earnings} />}
      {!created && !progress && !error && (
        <Card>
          <EmptyState icon={<FileSpreadsheet size={20} />} title="No statement yet">
            Choose a period. Your browser reads its movements from the chain and decrypts them; nothing of it is sent
            anywhere.
          </EmptyState>
        </Card>
      )}
      {created && sharing && <ShareDialog input={created.input} onClose={() => setSharing(false)} />}
      <SharedViews initial={views} />
    </div>
  );
}

/** Saves a statement as files. They are created in this browser and sent nowhere. */
function StatementFiles({ statement }: { statement: Statement }) {
  const action = useAsyncAction({ failed: "Nothing was saved" });
  const { from, to, time_zone: zone, accounts, adds_up: addsUp } = statement;
  const last = dateIn(zone, new Date(new Date(to).getTime() - 1));
  const name = `statement-${(accounts[0]?.name ?? "").replace(/\W+/g, "-").replace(/^-/, "")}-${dateIn(zone, new Date(from))}-${last}`;
  const save = (format: keyof typeof STATEMENT_TYPES) =>
    action.run(async () => {
      const content =
        format === "pdf"
          ? new Uint8Array(await (await import("@/lib/payments/statements/statement-pdf")).statementPdf(statement))
          : statementText(statement, format);
      saveFile(`${name}.${format}`, STATEMENT_TYPES[format], content);
    });
  return (["pdf", ...TEXT_FORMATS] as const).map((format) => (
    <Button
      key={format}
      size="small"
      icon={<Download size={14} aria-hidden="true" />}
      disabled={action.busy || (format === "ofx" && !addsUp)}
      title={format === "ofx" && !addsUp ? "OFX can't express that a statement does not add up" : undefined}
      onClick={() => save(format)}
    >
      {format.toUpperCase()}
    </Button>
  ));
}
