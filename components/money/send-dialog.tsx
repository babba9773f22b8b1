"use client";

import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { useOpened, useVault } from "@/components/vault/vault-provider";
import { ActDialog } from "./act-dialog";
import { AmountField } from "./amount-field";
import { BudgetHint } from "./budget-hint";
import type { DialogProps } from "./dialog-props";
import { PaidDialog } from "./paid-dialog";
import { RecipientState, recipientProblem, recipientRefusal } from "./recipient-state";
import { allOf } from "./units";
import { useAct } from "./use-act";
import { useSpentAmount, useSubmission } from "./use-budget-amount";
import { useLater } from "./use-later";

/** As the API takes memos (docs/protocol.md section 6). */
const MEMO_BYTES = 512;

/** Pays from the budget: prepared, proven and signed in this browser. */
export function SendDialog({ onClose, assets, asset: first }: DialogProps) {
  const toInput = useRef<HTMLInputElement>(null);
  const vault = useVault();
  const [to, setTo] = useState("");
  const [memo, setMemo] = useState("");
  const from = useSpentAmount(assets, first);
  const looked = useLater(to);
  const found = useOpened("recipient", { to: looked }, { enabled: recipientProblem(looked) === undefined });
  const act = useAct("send");

  const { amount, asset, budget, wrong, short } = from;
  const memoBytes = new TextEncoder().encode(memo).length;
  const refusal = looked === to && vault.status === "unlocked" ? recipientRefusal(found) : undefined;
  const problems = {
    to: recipientProblem(to) ?? refusal,
    amount: wrong,
    memo: memoBytes > MEMO_BYTES ? `A memo holds up to ${MEMO_BYTES} bytes; this has ${memoBytes}.` : undefined,
  };
  const form = useSubmission(from, {
    wrong: Object.values(problems).some((problem) => problem !== undefined),
    covered: short === undefined,
    run: () => act.mutate({ to, amount, asset, memo: memo === "" ? undefined : memo }),
  });
  const again = () => {
    act.reset();
    setTo("");
    from.setAmount("");
    setMemo("");
    form.setChecked(false);
  };
  if (act.data) {
    return (
      <PaidDialog
        title="Send"
        id={act.data.transfer_id}
        amount={act.variables?.amount}
        asset={asset}
        onClose={onClose}
        more={<Button onClick={again}>Send another</Button>}
      >
        to <span className="wrap-anywhere font-medium">{to}</span>
      </PaidDialog>
    );
  }
  const busy = act.isPending || form.waiting;
  return (
    <ActDialog
      title="Send"
      description="A private payment from your budget: nobody but you and the recipient sees the amount."
      initialFocus={toInput}
      onClose={onClose}
      onSubmit={form.submit}
      submit="Send"
      act={act}
      working={act.isPending ? "Proving on this machine, then sending. A few seconds." : form.working}
      failed="Nothing was sent."
      asset={asset}
    >
      <Field
        label="To"
        hint={refusal ? undefined : <RecipientState to={to} found={found} />}
        error={form.checked ? problems.to : refusal}
      >
        {(control) => (
          <Input
            {...control}
            ref={toInput}
            value={to}
            onChange={(event) => setTo(event.target.value.trim())}
            placeholder="@handle or 0x…"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            disabled={busy}
          />
        )}
      </Field>
      <AmountField
        {...from.field}
        hint={<BudgetHint budget={budget} asset={asset} />}
        error={form.checked && !busy ? (wrong ?? short) : undefined}
        shortcuts={allOf(budget, "Use all")}
        disabled={busy}
      />
      <Field label="Memo" optional hint="Encrypted: only you and the recipient can read it." error={problems.memo}>
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            value={memo}
            onChange={(event) => setMemo(event.target.value)}
            disabled={busy}
          />
        )}
      </Field>
    </ActDialog>
  );
}
