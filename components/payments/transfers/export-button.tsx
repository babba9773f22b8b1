"use client";

import { Download } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Progress } from "@/components/ui/progress";
import { saveFile } from "@/components/ui/save-file";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { transfersCsv } from "@/sdk/payments/transfers/transfers-csv";

/** Returns how far an export is, in words and numbers: how many transfers there are is known with the first of them. */
export function standingOf(progress: { done: number; total: number } | undefined) {
  if (!progress || progress.done === 0) return { label: "Reading the list", done: progress?.done };
  return { label: "Decrypting", ...progress };
}

/** Exports the filtered transfers to a file, decrypted in this browser. */
export function ExportButton({ query }: { query: Record<string, string | undefined> }) {
  const vault = useVault();
  const toast = useToast();
  const running = useRef<AbortController>(null);
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const action = useAsyncAction({ failed: "Nothing was exported" });

  const exportAll = async () => {
    if (!(await vault.unlock())) return;
    const controller = new AbortController();
    running.current = controller;
    setProgress({ done: 0, total: 0 });
    try {
      const { rows, more } = await vault.run(
        "exportTransfers",
        { query },
        { signal: controller.signal, onProgress: (done, total) => setProgress({ done, total }) },
      );
      saveFile(`transfers-${new Date().toISOString().slice(0, 10)}.csv`, "text/csv", transfersCsv(rows));
      const said = `${rows.length} transfers are in the file, decrypted on this device.`;
      toast.success("Export saved", more ? `${said} There are older ones: narrow the dates to export those.` : said);
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      setProgress(undefined);
    }
  };

  return (
    <>
      <Button icon={<Download size={15} aria-hidden="true" />} onClick={() => action.run(exportAll)}>
        Export CSV
      </Button>
      <Dialog
        open={progress !== undefined}
        onClose={() => {}}
        dismissible={false}
        width="small"
        title="Exporting transfers"
        description="Amounts and memos are decrypted in this browser. Up to the 5,000 newest of the current filters."
        footer={<Button onClick={() => running.current?.abort()}>Cancel</Button>}
      >
        <Progress {...standingOf(progress)} />
      </Dialog>
    </>
  );
}
