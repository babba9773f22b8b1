"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { hasPaidAddress, rememberPaid } from "@/components/money/has-paid-address";
import { readersComma } from "@/components/money/typed-amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useCount } from "@/components/ui/count";
import { ErrorCallout } from "@/components/ui/error-callout";
import { FormEnd } from "@/components/ui/form-end";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault, useVaultOwner } from "@/components/vault/vault-provider";
import type { Decimals } from "@/lib/base/money";
import { fileText } from "@/sdk/api/file-text";
import type { PayoutFault } from "@/sdk/payments/payouts/find-faults";
import { newPayoutId } from "@/sdk/payments/payouts/new-payout-id";
import { inFile, type PayoutFile, readPayoutFile } from "@/sdk/payments/payouts/payout-file";
import { payoutTotals } from "@/sdk/payments/payouts/payout-totals";
import { withUnclear } from "@/sdk/payments/payouts/unclear-amounts";
import { rememberApproved } from "./approved-now";
import { FileInput } from "./file-input";
import { ReviewRows, ReviewTotals } from "./review";
import { newInWords, paymentsIn, payoutInWords } from "./wording";

interface Checked {
  /** The id of the future payout. Approving it again after a lost response creates the same payout. */
  id: string;
  file: PayoutFile;
  faults: PayoutFault[];
  /** The addresses that it pays. */
  people: string[];
}

/** Takes a file to an approved payout. This browser reads and checks it; the service looks up the names. */
export function NewPayout({
  path,
  assets,
}: {
  path: string;
  assets: readonly { symbol: string; decimals: Decimals }[];
}) {
  const vault = useVault();
  const router = useRouter();
  const reading = useAsyncAction();
  const allowing = useAsyncAction();
  const asking = useAsyncAction();
  const counted = useCount();
  const payer = useVaultOwner();
  const [unpaid, setUnpaid] = useState<number>();
  const [checked, setChecked] = useState<Checked>();
  const [allowDuplicates, setAllowDuplicates] = useState(false);
  // The pressed button is gone, so the focus moves to the top of the result.
  const result = useRef<HTMLDivElement>(null);
  const isChecked = checked !== undefined;
  useEffect(() => {
    if (isChecked) result.current?.focus();
  }, [isChecked]);
  const check = async (id: string, file: PayoutFile, duplicates: boolean) => {
    const { faults, people } = await vault.run("checkPayout", { rows: file.rows, allowDuplicates: duplicates });
    setChecked({ id, file, people, faults: inFile(file, withUnclear(file.unclear, faults)) });
  };
  const read = (content: Uint8Array | string) => {
    allowing.reset();
    return reading.run(() => {
      const text = typeof content === "string" ? content : fileText(content);
      return check(newPayoutId(), readPayoutFile(text, readersComma()), allowDuplicates);
    });
  };
  const allow = ({ id, file }: Checked, on: boolean) =>
    allowing.run(async () => {
      setAllowDuplicates(on);
      try {
        await check(id, file, on);
      } catch (error) {
        setAllowDuplicates(!on);
        throw error;
      }
    });
  const ask = ({ people }: Checked) =>
    asking.run(async () => {
      const known = await Promise.all(people.map((one) => hasPaidAddress(payer, one)));
      setUnpaid(known.filter((paid) => !paid).length);
    });
  const approve = async ({ id, file, people }: Checked) => {
    const { payout_id } = await vault.run("acceptPayout", { id, rows: file.rows, allowDuplicates });
    for (const one of people) void rememberPaid(payer, one);
    rememberApproved(payout_id);
    router.push(`${path}/${payout_id}`);
  };
  if (!checked) return <FileInput busy={reading.busy} error={reading.error} onContent={read} />;
  const { file, faults, people } = checked;
  const rows = file.rows.length;
  const totals = payoutTotals(file.rows, assets);
  const hasDuplicates = faults.some(({ code }) => code === "duplicate") || allowDuplicates;
  return (
    <div ref={result} tabIndex={-1} className="grid scroll-mt-40 gap-5 outline-none">
      <ReviewTotals file={file} assets={assets} />
      {faults.length > 0 && (
        <Callout
          tone="danger"
          title={
            faults.length === 1
              ? "1 error. Nothing can be paid yet."
              : `${faults.length} errors. Nothing can be paid yet.`
          }
          action={<Button onClick={() => setChecked(undefined)}>Choose another file</Button>}
        >
          {faults.find(({ row }) => row === null)?.message ??
            "Correct the rows below in your file and choose it again."}
        </Callout>
      )}
      {hasDuplicates && (
        <Checkbox
          label="Pay duplicate rows"
          hint="They have the same recipient, asset, amount and reference as an earlier row."
          checked={allowDuplicates}
          disabled={allowing.busy}
          onChange={(on) => void allow(checked, on)}
        />
      )}
      {allowing.error && <ErrorCallout isUnknown={allowing.isUnknown}>{allowing.error}</ErrorCallout>}
      <Card flush title={faults.length > 0 ? "Rows" : "Review"}>
        <ReviewRows file={file} faults={faults} />
      </Card>
      {faults.length === 0 && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void ask(checked);
          }}
        >
          <FormEnd
            error={asking.error}
            isUnknown={asking.isUnknown}
            busy={asking.busy}
            verb={`Approve ${paymentsIn({ rows }, counted)}`}
          />
        </form>
      )}
      <ConfirmDialog
        open={unpaid !== undefined}
        onClose={() => setUnpaid(undefined)}
        title={`${payoutInWords({ totals, people: people.length, rows }, counted)}?`}
        width="medium"
        tone="primary"
        keep="Back to the rows"
        confirm={`Pay ${paymentsIn({ rows }, counted)}`}
        onConfirm={() => approve(checked)}
        // The page of the payout takes over.
        onDone={() => {}}
      >
        <p className={unpaid ? "font-medium text-ink" : undefined}>
          {newInWords({ people: people.length, unpaid: unpaid ?? 0 }, counted)}
        </p>
        <p>What is paid can't be taken back. You can cancel the payments that are not sent yet.</p>
      </ConfirmDialog>
    </div>
  );
}
