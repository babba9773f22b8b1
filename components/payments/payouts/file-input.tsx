"use client";

import { FileUp } from "lucide-react";
import { type DragEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { classNames } from "@/components/ui/class-names";
import { Field, TextArea } from "@/components/ui/field";

const EXAMPLE = "to,amount,asset,memo,reference\n@ada,25.00,USDG,November,wages-11-ada";

/** Takes a payout's file by drop, file dialog or paste. The file is read in this browser and not uploaded. */
export function FileInput({
  busy,
  error,
  onContent,
}: {
  busy: boolean;
  error: string | undefined;
  /** Gets a file's bytes, or the text that was pasted. */
  onContent: (content: Uint8Array | string) => void;
}) {
  const id = useId();
  const [over, setOver] = useState(false);
  const [pasted, setPasted] = useState("");
  const take = async (file: File | undefined) => {
    if (file) onContent(new Uint8Array(await file.arrayBuffer()));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <div className="grid max-w-2xl gap-5">
      {error && (
        <Callout tone="danger" title="This file can't be paid">
          {error}
        </Callout>
      )}
      <Card
        title="File"
        description={
          <>
            CSV or JSON, up to 5,000 rows. Only the columns <code className="font-mono text-xs">to</code> and{" "}
            <code className="font-mono text-xs">amount</code> are required.
          </>
        }
      >
        <label
          htmlFor={id}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
          className={classNames(
            "grid cursor-pointer justify-items-center gap-2 rounded-lg border border-dashed px-4 py-10 text-center text-sm focus-within:outline-2 focus-within:outline-accent",
            over ? "border-accent bg-sunken" : "border-line-strong hover:bg-sunken/50",
          )}
        >
          <FileUp size={20} aria-hidden="true" className="text-muted" />
          <span className="font-medium">{busy ? "Checking the file…" : "Choose a file or drop it here"}</span>
          <span className="text-muted text-xs">It is read in this browser.</span>
          <input
            id={id}
            type="file"
            accept=".csv,.tsv,.txt,.json,text/csv,application/json"
            className="sr-only"
            disabled={busy}
            onChange={(event) => {
              void take(event.target.files?.[0]);
              event.target.value = "";
            }}
          />
        </label>
      </Card>
      <Card title="Or paste it">
        <div className="grid gap-3">
          <Field label="Rows" hint="The first line names the columns.">
            {(control) => (
              <TextArea
                {...control}
                rows={6}
                className="font-mono sm:text-xs!"
                placeholder={EXAMPLE}
                value={pasted}
                onChange={(event) => setPasted(event.target.value)}
              />
            )}
          </Field>
          <div>
            <Button busy={busy} disabled={pasted.trim() === ""} onClick={() => onContent(pasted)}>
              Check rows
            </Button>
          </div>
        </div>
      </Card>
    </div>
  );
}
