"use client";

import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { saveFile } from "@/components/ui/save-file";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { dateIn } from "@/lib/payments/statements/period";
import type { Statement } from "@/lib/payments/statements/statement";
import { STATEMENT_TYPES, statementText, TEXT_FORMATS } from "@/lib/payments/statements/statement-text";

/** Saves a statement as files. They are created in this browser and sent nowhere. */
export function StatementFiles({ statement }: { statement: Statement }) {
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
